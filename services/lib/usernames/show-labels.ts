import { setImmediate as nextTurn } from 'node:timers/promises'
import { hasBannedWords } from './check-username.ts'

interface Labelled {
  readonly label: string
  readonly slug: string
}

/** Number of cached results. Checking one label takes a millisecond, and up to a tenth of a second if forged. */
const MAX_CACHED = 20_000
const bannedByText = new Map<string, boolean>()

/**
 * Replaces labels that contain a banned word: they come from files, and everyone sees them. Such a board is
 * listed under the words of its slug, or under `neutral` if the slug contains a banned word too.
 */
export async function showLabels<Item extends Labelled>(
  items: readonly Item[],
  neutral: string,
): Promise<readonly Item[]> {
  const shown: Item[] = []
  for (const item of items) {
    // Other work on the event loop may run between two checks.
    if (!bannedByText.has(item.label)) await nextTurn()
    shown.push(isBanned(item.label) ? { ...item, label: nameOf(item.slug, neutral) } : item)
  }
  return shown
}

function nameOf(slug: string, neutral: string): string {
  const words = slug.split('-').filter(word => word !== '')
  const name = words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
  return name === '' || isBanned(name) ? neutral : name
}

function isBanned(text: string): boolean {
  const cached = bannedByText.get(text)
  if (cached !== undefined) return cached
  const isBannedText = hasBannedWords(text)
  if (bannedByText.size >= MAX_CACHED) bannedByText.clear()
  bannedByText.set(text, isBannedText)
  return isBannedText
}
