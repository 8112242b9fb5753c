/**
 * Returns the row that a key moves to in a list, as an index: arrows, Page Up and Down, Home and End. It stays within the
 * list. Null for other keys, and for an empty list.
 *
 * @param at index of the row that has the focus
 * @param page rows that Page Up and Down move on
 */
export function rowAfterKey(key: string, at: number, count: number, page: number): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: Number.NEGATIVE_INFINITY,
    End: Number.POSITIVE_INFINITY,
  }
  if (count === 0 || !Object.hasOwn(steps, key)) return null
  return Math.min(count - 1, Math.max(0, at + steps[key]!))
}
