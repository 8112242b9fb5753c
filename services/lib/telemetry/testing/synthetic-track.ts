import type { LapTrack } from '../compare/lap-track.ts'
import { TRACK_SERIES, TRACK_SERIES_NAMES, type TrackSeries } from '../compare/series.ts'

export interface SyntheticTrackOptions {
  readonly points?: number
  readonly lengthM?: number | null
  readonly timeMs?: number
  /** Seconds since the line at a share of the lap; by default an even lap of a minute. */
  readonly time?: (pct: number) => number
  /** Any other series by the share of the lap. */
  readonly series?: { readonly [name in Exclude<TrackSeries, 'pct' | 'time'>]?: (pct: number) => number }
}

/** Returns a lap with known values, without a file. */
export function syntheticTrack({
  points = 1001,
  lengthM = 1000,
  time = pct => 60 * pct,
  timeMs = Math.round(1000 * time(1)),
  series = {},
}: SyntheticTrackOptions = {}): LapTrack {
  const of: Readonly<Record<string, (pct: number) => number>> = { ...series, pct: pct => pct, time }
  const arrays = TRACK_SERIES_NAMES.filter(name => of[name] !== undefined).map(name => {
    const values = new TRACK_SERIES[name](points)
    for (let i = 0; i < points; i++) values[i] = of[name]!(i / (points - 1))
    return [name, values]
  })
  return { lengthM, timeMs, ...(Object.fromEntries(arrays) as Pick<LapTrack, TrackSeries>) }
}
