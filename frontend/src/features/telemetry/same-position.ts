import type { LapSeries } from './lap-series.ts'

/**
 * The row of `other` at the place of the lap where `row` of `series` is; null where that has no place,
 * as in a blank row. Rows of a lap over its distance rise, those of a driven one may go back for a
 * moment; then it is one of the rows at that place.
 */
export function rowAtSamePosition(series: LapSeries, row: number, other: LapSeries): number | null {
  if (series === other) return row
  const share = series.preview.lapDistPct[row]!
  return Number.isFinite(share) ? rowAtShare(other, share) : null
}

/** The row whose share of the lap is nearest to `share`. */
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
