import { shortestFloat32 } from '../preview/shortest-float32.ts'
import type { LapTrack, TrackIncident } from './lap-track.ts'
import type { Combination, Reference } from './reference.ts'
import { TRACK_SERIES_NAMES, type TrackSeries } from './series.ts'

/** `Reference` of `openapi/ingest.yaml`; non-finite values are null. */
export interface ReferenceJson {
  readonly meta: {
    readonly lapId: string
    readonly pointCount: number
    readonly userId: string
    readonly lapTimeMs: number
    readonly timeSource: 'official' | 'interpolated'
    readonly trackLengthM: number | null
    readonly combination: Combination
    readonly incidents?: readonly TrackIncident[]
  }
  readonly series: { readonly [name in TrackSeries]?: (number | null)[] } & {
    readonly pct: (number | null)[]
    readonly time: (number | null)[]
  }
}

/**
 * Returns a lap as the plain object of the contract. Floats have as many digits as they need, without loss.
 */
export function referenceToJson({ facts, track }: Reference): ReferenceJson {
  const series: { [name in TrackSeries]?: (number | null)[] } = {}
  for (const name of TRACK_SERIES_NAMES) {
    const values = track[name]
    if (values !== undefined) series[name] = toNumbers(values)
  }
  const { lapId, userId, timeSource, combination } = facts
  return {
    meta: {
      lapId,
      pointCount: track.pct.length,
      userId,
      lapTimeMs: track.timeMs,
      timeSource,
      trackLengthM: track.lengthM,
      combination,
      ...(track.incidents ? { incidents: track.incidents } : {}),
    },
    // A track always has `pct` and `time`.
    series: series as ReferenceJson['series'],
  }
}

function toNumbers(values: NonNullable<LapTrack[TrackSeries]>): (number | null)[] {
  const isFloat32 = values instanceof Float32Array
  const numbers = new Array<number | null>(values.length).fill(0)
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    numbers[i] = Number.isFinite(value) ? (isFloat32 ? shortestFloat32(value) : value) : null
  }
  return numbers
}
