import { type LapSpread, lapSpread } from '@lapwing/telemetry/stints'
import { isTimedLap } from '#shared/laps/is-timed-lap.ts'
import { drivenMs, isRead, type LibraryEntry, type ReadEntry } from './library-entry.ts'
import { carKey, trackKey } from './list-sessions.ts'

/** One session of a track and car that has a clean lap. */
export interface ProgressPoint extends LapSpread {
  readonly entry: ReadEntry
  readonly cleanLaps: number
  /** Whether it was the driver's best clean lap so far. */
  readonly isRecord: boolean
}

export interface Progress {
  /** The oldest first. */
  readonly points: readonly ProgressPoint[]
  readonly sessions: number
  readonly completeLaps: number
  /** Hours in which the car moved. */
  readonly hours: number
}

/** Returns how the driver's clean laps of a track and car changed from session to session. */
export function progressOf(entries: readonly LibraryEntry[], track: string, car: string): Progress {
  const driven = entries
    .filter(isRead)
    .filter(entry => trackKey(entry) === track && carKey(entry) === car)
    .sort((a, b) => drivenMs(a) - drivenMs(b))
  const points: ProgressPoint[] = []
  let recordS = Number.POSITIVE_INFINITY
  for (const entry of driven) {
    const times = cleanTimes(entry)
    const spread = lapSpread(times)
    if (spread === null) continue
    points.push({ entry, ...spread, cleanLaps: times.length, isRecord: spread.bestS < recordS })
    recordS = Math.min(recordS, spread.bestS)
  }
  return {
    points,
    sessions: driven.length,
    completeLaps: driven.reduce((sum, { summary }) => sum + summary.laps.filter(isTimedLap).length, 0),
    hours: driven.reduce((sum, { summary }) => sum + summary.movingS, 0) / 3600,
  }
}

/** Seconds of the clean laps. */
function cleanTimes({ summary }: ReadEntry): number[] {
  return summary.laps
    .filter(({ is_clean }) => is_clean)
    .filter(isTimedLap)
    .map(({ time_s }) => time_s)
}

/** Returns the track and car with the newest session; null for an empty library. */
export function newestDriven(
  entries: readonly LibraryEntry[],
): { readonly track: string; readonly car: string } | null {
  let newest: ReadEntry | null = null
  for (const entry of entries.filter(isRead)) {
    if (newest === null || drivenMs(entry) > drivenMs(newest)) newest = entry
  }
  return newest && { track: trackKey(newest)!, car: carKey(newest)! }
}
