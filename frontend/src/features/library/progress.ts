import { isTimedLap } from '#shared/laps/is-timed-lap.ts'
import { drivenMs, isRead, type LibraryEntry, type ReadEntry } from './library-entry.ts'
import { carKey, trackKey } from './list-sessions.ts'

/** One session of a track and car that has a clean lap. */
export interface ProgressPoint {
  readonly entry: ReadEntry
  /** Seconds of the fastest and of the median clean lap. */
  readonly bestS: number
  readonly medianS: number
  /** Seconds within which the middle half of the clean laps lies; null below `FEWEST_LAPS`. */
  readonly spreadS: number | null
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

/** Fewer laps have no middle half. */
const FEWEST_LAPS = 4

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
    if (times.length === 0) continue
    const bestS = times[0]!
    points.push({
      entry,
      bestS,
      medianS: quantile(times, 0.5),
      spreadS: times.length < FEWEST_LAPS ? null : quantile(times, 0.75) - quantile(times, 0.25),
      cleanLaps: times.length,
      isRecord: bestS < recordS,
    })
    recordS = Math.min(recordS, bestS)
  }
  return {
    points,
    sessions: driven.length,
    completeLaps: driven.reduce((sum, { summary }) => sum + summary.laps.filter(isTimedLap).length, 0),
    hours: driven.reduce((sum, { summary }) => sum + summary.movingS, 0) / 3600,
  }
}

/** Seconds of the clean laps, the fastest first. */
function cleanTimes({ summary }: ReadEntry): number[] {
  return summary.laps
    .filter(({ is_clean }) => is_clean)
    .filter(isTimedLap)
    .map(({ time_s }) => time_s)
    .sort((a, b) => a - b)
}

/** Interpolates between the two nearest of sorted values. */
function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)]!
  const above = sorted[Math.ceil(at)]!
  return below + (above - below) * (at - Math.floor(at))
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
