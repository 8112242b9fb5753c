import type { LapSummary, SessionSummary } from '@lapwing/telemetry'
import { type Combination, combinationOf, isSameBoard } from '#shared/boards/combination.ts'
import { fastestLap, type Timed } from '#shared/laps/is-timed-lap.ts'
import { formatDay, formatMoment } from '#shared/laps/lap-facts.ts'

/** What the library stores of one file. */
export interface LibraryEntry {
  /** Path inside the folder with `/`, the name alone for a chosen file. Identifies the entry. */
  readonly path: string
  /** Bytes. A file with another size or time is read again. */
  readonly size: number
  readonly modifiedMs: number
  /** `INDEX_VERSION` of the page that read the file. */
  readonly version: number
  /** Null if the file cannot be read. */
  readonly summary: SessionSummary | null
  /** The sentence that says why it cannot be read; null if it can. */
  readonly problem: string | null
}

/** An entry whose file was read. */
export type ReadEntry = LibraryEntry & { readonly summary: SessionSummary }

/** Increase it with each change of `SessionSummary` or of the rules of laps: every file is then read again. */
export const INDEX_VERSION = 1

export function isRead(entry: LibraryEntry): entry is ReadEntry {
  return entry.summary !== null
}

export function fileName({ path }: Pick<LibraryEntry, 'path'>): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Milliseconds since 1970 of the recording's start; of the file's last change if it has no date. */
export function drivenMs({ summary, modifiedMs }: LibraryEntry): number {
  return summary?.startedAtMs ?? modifiedMs
}

/** Grouping and searching ask for the day of each entry, and formatting 5,000 days takes longer than a frame. */
const days = new WeakMap<LibraryEntry, string>()

/** Returns the day of `drivenMs` as the visitor reads it. */
export function dayOf(entry: LibraryEntry): string {
  let day = days.get(entry)
  if (day === undefined) {
    day = formatDay(new Date(drivenMs(entry)).toISOString())
    days.set(entry, day)
  }
  return day
}

/** Returns day and minute of `drivenMs` as the visitor reads them. */
export function momentOf(entry: LibraryEntry): string {
  return formatMoment(new Date(drivenMs(entry)).toISOString())
}

/** Returns the fastest complete lap (D-7); null without one. */
export function bestLap({ laps }: SessionSummary): Timed<LapSummary> | null {
  return fastestLap(laps)
}

/** Returns the entry with the fastest complete lap of a track and car; null without one. */
export function bestOf(entries: readonly LibraryEntry[], combination: Combination): ReadEntry | null {
  let best: ReadEntry | null = null
  let bestS = Number.POSITIVE_INFINITY
  for (const entry of entries) {
    if (!isRead(entry) || !isOf(entry, combination)) continue
    const timeS = bestLap(entry.summary)?.time_s
    if (timeS === undefined || timeS >= bestS) continue
    best = entry
    bestS = timeS
  }
  return best
}

/** Returns whether an entry is a session of this track and car. */
export function isOf({ summary }: ReadEntry, combination: Combination): boolean {
  const own = combinationOf(summary.meta)
  return own !== null && isSameBoard(own, combination)
}
