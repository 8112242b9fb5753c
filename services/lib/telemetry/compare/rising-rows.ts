import type { ColumnValues } from '../columns.ts'

/**
 * The most of these rows at which the place rises strictly, in their order. A car that stands repeats
 * its place, one that spins goes back, and a place can be off for a row: leaving out the fewest rows
 * takes out the one that is wrong, be it too far ahead or too far behind, and not all rows that a
 * single wrong one contradicts. Of equal places the first is kept. O(n log n), but O(n) where nothing
 * is to be left out, as in nearly every lap.
 */
export function risingRows(places: ColumnValues, rows: Int32Array): Int32Array {
  let isRising = true
  for (let i = 1; i < rows.length && isRising; i++) isRising = places[rows[i]!]! > places[rows[i - 1]!]!
  return isRising ? rows : longestRising(places, rows)
}

/** The longest strictly rising subsequence, by patience sorting. */
function longestRising(places: ColumnValues, rows: Int32Array): Int32Array {
  // Of all rising sequences of length k + 1 so far, the one that ends lowest ends at rows[tails[k]].
  const tails = new Int32Array(rows.length)
  const before = new Int32Array(rows.length)
  let length = 0
  for (let i = 0; i < rows.length; i++) {
    const place = places[rows[i]!]!
    let low = 0
    let high = length
    while (low < high) {
      const middle = (low + high) >> 1
      if (places[rows[tails[middle]!]!]! < place) low = middle + 1
      else high = middle
    }
    before[i] = low === 0 ? -1 : tails[low - 1]!
    if (low === length || places[rows[tails[low]!]!]! !== place) tails[low] = i
    if (low === length) length++
  }
  const rising = new Int32Array(length)
  for (let k = length - 1, i = length === 0 ? -1 : tails[length - 1]!; k >= 0; k--) {
    rising[k] = rows[i]!
    i = before[i]!
  }
  return rising
}
