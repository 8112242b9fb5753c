import { slug } from '@lapwing/telemetry'
import type { SessionFile } from '../plan/session-file.ts'

/** What ingest and leaderboard store about a wave after all work ended. */
export interface Facts {
  readonly ingests: readonly IngestFact[]
  readonly laps: readonly LapFact[]
  readonly boards: readonly BoardFact[]
  /** Keys of fingerprints, each with its lap and account. */
  readonly fingerprints: readonly FingerprintFact[]
}

export interface FingerprintFact {
  readonly key: string
  readonly lapId: string
  readonly userId: string
  /** Digest of the whole series of the lap, hexadecimal. */
  readonly descriptor: string
}

export interface IngestFact {
  readonly ingestId: string
  readonly sessionId: string
  readonly userId: string
  readonly state: string
  /** Of a `done` ingest: its part of the answer. */
  readonly outcome: Readonly<Record<string, unknown>> | null
  /** Of a `failed` ingest. */
  readonly failureCode: string | null
}

export interface LapFact {
  readonly lapId: string
  readonly ingestId: string
  readonly userId: string
  /** The result of `boardName`. */
  readonly board: string
  readonly timeMs: number | null
  readonly isCompleted: boolean
  readonly isClean: boolean
  /** Whether the lap may be on a board. */
  readonly counts: boolean
  /** State of the review; null if the lap needed none. */
  readonly review: 'held' | 'released' | 'refused' | null
  /** RFC 3339 with microseconds. */
  readonly recordedAt: string
}

/** A board as its pages show it, and each driver's own entry as `me` returns it. */
export interface BoardFact {
  readonly board: string
  readonly which: 'complete' | 'clean'
  readonly rows: readonly RowFact[]
  readonly total: number
  readonly ranks: ReadonlyMap<string, RowFact | null>
}

export interface RowFact {
  readonly rank: number
  readonly userId: string
  readonly lapId: string
  readonly timeMs: number
}

export interface BoardSlugs {
  readonly track_slug: string
  readonly layout: string
  readonly car_slug: string
}

export function boardName({ track_slug, layout, car_slug }: BoardSlugs): string {
  return `${track_slug} ${layout} ${car_slug}`
}

/** Returns the query that selects the board in leaderboard. */
export function boardQuery({ track_slug, layout, car_slug }: BoardSlugs): string {
  return String(new URLSearchParams({ sim: 'iracing', track_slug, layout, car_slug }))
}

/** Returns the board of a planned file (D-4). */
export function slugsOf({ combination: { trackName, carName } }: SessionFile): BoardSlugs {
  return { track_slug: slug(trackName), layout: 'default', car_slug: slug(carName) }
}
