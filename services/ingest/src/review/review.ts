import type { Board } from '../ingests/ingest.ts'
import type { JudgedLap } from '../judging/judged-file.ts'

/** What a moderator decided on a lap. */
export type Decision = 'released' | 'refused'

/** `held` until a moderator decides (D-26). */
export type Review = 'held' | Decision

/** Real drivers that a board needs before its best shows what is possible. */
export const FEWEST_DRIVERS = 10

/** A lap that is faster than this percentage of the best is held: it beats the best by over 2 %. */
const FASTEST_PERCENT = 98

/** The review reason of a lap that beats the best of a board by far; listed with the codes of soft rules. */
export const BEATS_BOARD = 'BEATS_BOARD'

/** The review reason of a lap that has a large part of another stored lap. */
export const PARTIAL_COPY = 'PARTIAL_COPY'

/** Times to compare laps with, in milliseconds; null if too few drivers have a lap there. */
export type Limits = Readonly<Record<Board, number | null>>

/** Returns why a lap must be reviewed; empty if it can enter the boards immediately, or does not count. */
export function reviewReasons(
  { counts, timeMs, isClean, findings }: Pick<JudgedLap, 'counts' | 'timeMs' | 'isClean' | 'findings'>,
  { complete, clean }: Limits,
): readonly string[] {
  if (!counts || timeMs === null) return []
  const beats = (bestMs: number | null) => bestMs !== null && timeMs * 100 < bestMs * FASTEST_PERCENT
  return beats(complete) || (isClean && beats(clean)) ? [BEATS_BOARD, ...findings] : findings
}

/** Returns whether other drivers can see a lap with that review. */
export function isShown(review: Review | null): boolean {
  return review === null || review === 'released'
}
