import { setImmediate as nextTurn } from 'node:timers/promises'
import { hasBannedWords } from '@lapwing/usernames'

interface Labelled {
  readonly label: string
  readonly slug: string
}

/** Labels of which the verdict is remembered; one takes up to a millisecond to judge. */
const MOST_REMEMBERED = 20_000
const verdicts = new Map<string, boolean>()

/** Labels that are judged before others on the event loop have their turn. */
const AT_ONCE = 10

/**
 * Replaces labels that hold a banned word: they come from files, and everybody sees them. The board
 * stays, under the words of its slug, or under `neutral` if the slug holds one too.
 */
export async function showLabels<Item extends Labelled>(
  items: readonly Item[],
  neutral: string,
): Promise<readonly Item[]> {
  const shown: Item[] = []
  let judged = 0
  for (const item of items) {
    if (!verdicts.has(item.label) && ++judged % AT_ONCE === 0) await nextTurn()
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
  const known = verdicts.get(text)
  if (known !== undefined) return known
  const verdict = hasBannedWords(text)
  if (verdicts.size >= MOST_REMEMBERED) verdicts.clear()
  verdicts.set(text, verdict)
  return verdict
}
