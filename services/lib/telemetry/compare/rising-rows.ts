import type { ColumnValues } from '../columns.ts'

/**
 * Returns as many of these rows as possible whose `values` rise strictly, in order. The distance of a car
 * that does not move repeats, that of a spinning car falls, and a single row can be wrong. Removing the
 * fewest rows removes the wrong row, whether too far ahead or behind, and not all rows that it contradicts.
 * Of equal values the first stays. O(n log n), but O(n) if no row is removed, as in nearly every lap.
 */
export function risingRows(values: ColumnValues, rows: Int32Array): Int32Array {
  let isRising = true
  for (let i = 1; i < rows.length && isRising; i++) isRising = values[rows[i]!]! > values[rows[i - 1]!]!
  return isRising ? rows : longestRising(values, rows)
}

/** Finds the longest strictly rising subsequence, by patience sorting. */
function longestRising(values: ColumnValues, rows: Int32Array): Int32Array {
  // Of all rising sequences of length k + 1 so far, the one that ends lowest ends at rows[tails[k]].
  const tails = new Int32Array(rows.length)
  const before = new Int32Array(rows.length)
  let length = 0
  for (let i = 0; i < rows.length; i++) {
    const value = values[rows[i]!]!
    let low = 0
    let high = length
    while (low < high) {
      const middle = (low + high) >> 1
      if (values[rows[tails[middle]!]!]! < value) low = middle + 1
      else high = middle
    }
    before[i] = low === 0 ? -1 : tails[low - 1]!
    if (low === length || values[rows[tails[low]!]!]! !== value) tails[low] = i
    if (low === length) length++
  }
  const rising = new Int32Array(length)
  for (let k = length - 1, i = length === 0 ? -1 : tails[length - 1]!; k >= 0; k--) {
    rising[k] = rows[i]!
    i = before[i]!
  }
  return rising
}
