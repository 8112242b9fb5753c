import { heldGears } from '../held-gears.ts'
import { deltaAt, type LapComparison, shareAt } from '../lap-comparison.ts'
import { type LapDistance, lapDistance } from '../lap-distance.ts'
import type { LapRole, LapSeries } from '../lap-series.ts'
import { rowAtSamePosition } from '../same-position.ts'
import type { TraceChannel } from './trace-channels.ts'

export type LineRole = LapRole | 'delta'

/** One line of a chart. */
export interface TraceLine {
  readonly role: LineRole
  /** Metres from the line, in the order driven: a lap can run backwards. NaN lifts the pen. */
  readonly metres: Float64Array
  /** In the channel's unit, as long as `metres`; NaN without a value. */
  readonly values: Float32Array | Float64Array
  /** Returns the value at the position of a row of the main lap; NaN without one. */
  readonly valueAt: (row: number) => number
}

/** Returns the lines of all charts, for a lap and its reference. */
export function traceLines(main: LapSeries, comparison: LapComparison | null) {
  const distance = lapDistance(main.preview, main.lap)
  const reference = comparison?.reference
  const referenceDistance = reference && lapDistance(reference.preview, reference.lap)

  function lineOf(series: LapSeries, { metres }: LapDistance, channel: TraceChannel): TraceLine {
    const values = channelValues(series, channel, metres)
    return {
      role: series.role,
      metres,
      values,
      valueAt(row) {
        const there = rowAtSamePosition(main, row, series)
        return there === null ? Number.NaN : (values[there - series.lap.row_start] ?? Number.NaN)
      },
    }
  }

  function deltaLine(): readonly TraceLine[] {
    const delta = comparison?.delta
    if (!delta) return []
    const { seconds } = delta
    const stepM = comparison.lengthM / (seconds.length - 1)
    return [
      {
        role: 'delta',
        metres: Float64Array.from(seconds, (_, i) => i * stepM),
        values: seconds,
        valueAt: row => deltaAt(delta, shareAt(main, row)),
      },
    ]
  }

  return {
    /** The main lap's distance, the axis of all charts. */
    distance,
    /** Returns the lines in drawing order: the driver's own comes last, on top. */
    of(channel: TraceChannel): readonly TraceLine[] {
      if (channel.series === 'delta') return deltaLine()
      const lap = lineOf(main, distance, channel)
      return reference && referenceDistance ? [lineOf(reference, referenceDistance, channel), lap] : [lap]
    },
  }
}

/** Returns a lap's channel in its drawn unit. */
function channelValues(
  { preview, lap }: LapSeries,
  { series, convert }: TraceChannel,
  metres: Float64Array,
): Float32Array {
  const values = new Float32Array(metres.length).fill(Number.NaN)
  if (series === 'delta' || preview.debug.missing.includes(series)) return values
  const column = series === 'gear' ? heldGears(preview) : preview[series]
  for (let i = 0; i < values.length; i++) {
    if (!Number.isNaN(metres[i]!)) values[i] = convert(column[lap.row_start + i]!)
  }
  return values
}
