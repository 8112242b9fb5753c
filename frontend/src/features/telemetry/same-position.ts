import type { LapSeries } from './lap-series.ts'

/**
 * Returns the row of `other` at the same position of the lap as `row` of `series`; null if that row has no
 * position. A driven lap can roll backwards for a moment, so several rows share a position; then it is one of
 * them. In a lap without distances it is the row with the same number, counted from the start of the lap (D-31).
 */
export function rowAtSamePosition(series: LapSeries, row: number, other: LapSeries): number | null {
  if (series === other) return row
  if (other.preview.debug.missing.includes('lapDistPct')) {
    return Math.min(other.lap.row_end, other.lap.row_start + row - series.lap.row_start)
  }
  const share = series.preview.lapDistPct[row]!
  return Number.isFinite(share) ? rowAtShare(other, share) : null
}

/** Returns the row with the share of the lap nearest to `share`. */
export function rowAtShare({ preview: { lapDistPct }, lap }: LapSeries, share: number): number {
  let low = lap.row_start
  let high = lap.row_end
  while (low < high) {
    const middle = (low + high) >> 1
    if (lapDistPct[middle]! < share) low = middle + 1
    else high = middle
  }
  const before = Math.max(lap.row_start, low - 1)
  return share - lapDistPct[before]! < lapDistPct[low]! - share ? before : low
}
