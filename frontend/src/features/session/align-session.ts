import type { Lap } from '@lapwing/telemetry'
import {
  type Corner,
  findTrackCorners,
  type LapTrack,
  lapTrack,
  MINI_SECTORS,
  nameCorners,
  numberCorners,
  type PreviewSource,
  type TrackName,
} from '@lapwing/telemetry/compare'
import { type AlignedLap, alignLap, trackOutline } from '@lapwing/telemetry/stints'
import { isTimedLap } from '#shared/laps/is-timed-lap.ts'

/** What is needed of a session to line up its laps. */
export interface SessionToAlign {
  readonly preview: PreviewSource
  readonly laps: readonly Lap[]
  readonly track: TrackName
  /** The corners that the page shows already; null to find them in these laps. */
  readonly corners: readonly Corner[] | null
}

/** All whole laps of a session in the same parts. */
export interface AlignedSession {
  readonly corners: readonly Corner[]
  /** In the order of the file. */
  readonly laps: readonly AlignedLap[]
  /** The fastest lap as pairs of x and y, `STEPS` for each mini-sector and the last point; empty without positions. */
  readonly outline: Int16Array
}

/** Steps of the outline within a mini-sector. */
export const STEPS = 12

/** Laps from which corners are found. More laps would not change the corners. */
const MOST_LAPS = 5

/** Lines up the laps. It takes a millisecond or two for each, so it runs in a worker. */
export function alignSession({ preview, laps, track, corners: known }: SessionToAlign): AlignedSession {
  const timed = laps.filter(isTimedLap)
  const fastest = timed.toSorted((a, b) => a.time_s - b.time_s).slice(0, MOST_LAPS)
  const tracks = fastest.map(lap => lapTrack(preview, lap)).filter(each => each !== null)
  if (tracks.length === 0) return { corners: [], laps: [], outline: new Int16Array(0) }
  const corners = known ?? nameCorners(numberCorners(findTrackCorners(tracks)), track)
  return {
    corners,
    laps: timed.flatMap(lap => {
      const lapOverDistance: LapTrack | null = lapTrack(preview, lap)
      return lapOverDistance === null ? [] : [alignLap(lap.row_start, lapOverDistance, corners)]
    }),
    outline: trackOutline(tracks[0]!, STEPS * MINI_SECTORS + 1),
  }
}
