import type { ErrorCode } from '../errors.ts'

/**
 * State of an ingest:
 * - `waiting`: for a worker, or for its next try.
 * - `running`: an attempt holds a lease.
 * - `recorded`: laps and standing are stored, and leaderboard has not confirmed yet.
 * - `done`: has an outcome.
 * - `failed`: has a failure.
 */
export type IngestState = 'waiting' | 'running' | 'recorded' | 'done' | 'failed'

export const BOARDS = ['complete', 'clean'] as const

export type Board = (typeof BOARDS)[number]

/** Fields that any outcome can have, named as in the answer. */
interface OutcomeExtras {
  /** The fastest lap that is held for review and would be a new entry (D-26). */
  readonly held_lap_id?: string
  /** Complete laps of the file that are not stored. */
  readonly laps_left_out?: number
}

/** What is new on boards, known when the laps are recorded. Fields are named as in the answer. */
export interface NewEntry extends OutcomeExtras {
  /** Of the board of complete laps if the file made a new entry on both. */
  readonly lap_id: string
  readonly best_lap_time_ms: number
  readonly previous_best_ms: number | null
  readonly boards: readonly Board[]
}

/** A new or better entry, with the rank from leaderboard. */
export interface Saved extends NewEntry {
  readonly context_id: number
  readonly rank: number | null
}

/** Nothing new (D-10). */
export interface Skipped extends OutcomeExtras {
  readonly skipped: 'no_complete_lap' | 'not_faster' | 'already_ingested' | 'held_for_review'
  readonly context_id?: number
}

/** Why an ingest failed: an error code, and a detail if it says more than the code's own. */
export interface Failure {
  readonly code: ErrorCode
  readonly detail: string | null
}

/** Reasons outside the file: if the call is repeated, the file is tried again. */
export const PASSING_FAILURES = [
  'ingest.busy',
  'ingest.store_unavailable',
  'ingest.failed',
] as const satisfies readonly ErrorCode[]

export function isPassing({ code }: Failure): boolean {
  return (PASSING_FAILURES as readonly ErrorCode[]).includes(code)
}
