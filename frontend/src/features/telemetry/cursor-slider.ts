import type { SpeedUnit } from '#shared/preferences/units.ts'
import { describeSample } from './describe-sample.ts'
import { deltaWords, type LapComparison, shareAt } from './lap-comparison.ts'
import { type LapSeries, rowInLap } from './lap-series.ts'

/** Describes the cursor to assistive technology: the view is a slider over the percentage of the lap. */
export function describeSlider(
  element: HTMLElement,
  series: LapSeries,
  row: number | null,
  unit: SpeedUnit,
  comparison: LapComparison | null,
) {
  const { preview, lap } = series
  const at = rowInLap(row, lap) ?? lap.row_start
  const share = preview.lapDistPct[at]!
  const words = describeSample(preview, lap, at, unit)
  const delta = comparison ? deltaWords(comparison, shareAt(series, at)) : ''
  element.ariaValueNow = Number.isFinite(share) ? (100 * share).toFixed(1) : '0'
  element.ariaValueText = [words.share, words.time, words.speed, delta].filter(Boolean).join(', ')
}
