import type { Lap, Preview } from '@lapwing/telemetry'
import { describeSample } from './describe-sample.ts'
import { rowInLap } from './lap-series.ts'

/**
 * Tells assistive technology where a focusable view's cursor stands: the view is a slider over the
 * lap, its value the percentage of the lap.
 */
export function describeSlider(element: HTMLElement, preview: Preview, lap: Lap, row: number | null) {
  const at = rowInLap(row, lap) ?? lap.row_start
  const share = preview.lapDistPct[at]!
  const words = describeSample(preview, lap, at)
  element.ariaValueNow = Number.isFinite(share) ? (100 * share).toFixed(1) : '0'
  element.ariaValueText = [words.share, words.time, words.speed].filter(Boolean).join(', ')
}
