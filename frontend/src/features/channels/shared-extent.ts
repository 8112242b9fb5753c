import { extentOf } from './histogram.ts'
import type { LapViews, ShownRange } from './lap-views.ts'
import type { DrawnLine } from './lines-chart.ts'

/** Returns the extent of several lines over a part of the lap, so that their charts have one scale. */
export function sharedExtent(lines: readonly DrawnLine[], { lap, reference }: LapViews) {
  let of: ShownRange | null = null
  let extent: readonly [number, number] = [0, 1]
  const hasOneUnit = lines.every(({ unit }) => unit === lines[0]!.unit)
  if (!hasOneUnit) return null
  return (range: ShownRange): readonly [number, number] => {
    if (range === of) return extent
    of = range
    const isIn = (metres: Float64Array) => (i: number) => metres[i]! >= range.minM && metres[i]! <= range.maxM
    extent = extentOf(
      lines.flatMap(({ values, reference: others }) => [
        { values, isMeant: isIn(lap.metres) },
        ...(others && reference ? [{ values: others, isMeant: isIn(reference.metres) }] : []),
      ]),
    )
    return extent
  }
}
