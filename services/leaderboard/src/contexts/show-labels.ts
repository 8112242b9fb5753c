import { setImmediate as nextTurn } from 'node:timers/promises'
import { hasBannedWords } from '@lapwing/usernames'

interface Labelled {
  readonly label: string
  readonly slug: string
}

/** Number of cached results. Checking one label takes up to a millisecond. */
const MAX_CACHED = 20_000
const bannedByText = new Map<string, boolean>()

/** Number of labels to check before other work on the event loop may run. */
const BATCH_SIZE = 10

/**
 * Replaces labels that contain a banned word: they come from files, and everyone sees them. Such a board is
 * listed under the words of its slug, or under `neutral` if the slug contains a banned word too.
 */
export async function showLabels<Item extends Labelled>(
  items: readonly Item[],
  neutral: string,
): Promise<readonly Item[]> {
  const shown: Item[] = []
  let checked = 0
  for (const item of items) {
    if (!bannedByText.has(item.label) && ++checked % BATCH_SIZE === 0) await nextTurn()
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
