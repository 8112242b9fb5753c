import type { Board } from '../ingests/ingest.ts'
import type { JudgedLap } from '../judging/judged-file.ts'

/** What a moderator decided on a lap. */
export type Decision = 'released' | 'refused'

/** `held` until a moderator decides (D-26). */
export type Review = 'held' | Decision

/** Real drivers that a board needs before its best says what is possible. */
export const FEWEST_DRIVERS = 10

/** A lap that is faster than this share of the best is held: it beats the best by over 2 %. */
const FASTEST_PERCENT = 98

/** Why a lap is held that beats the best of a board by far; stands beside the codes of soft bounds. */
export const BEATS_BOARD = 'BEATS_BOARD'

/** Times in milliseconds that laps are compared with; null if too few drivers have a lap there. */
export type Limits = Readonly<Record<Board, number | null>>

/** Returns why a lap has to be reviewed; empty if it can enter the boards at once, or counts on none. */
export function reviewReasons(
  { counts, timeMs, isClean, findings }: Pick<JudgedLap, 'counts' | 'timeMs' | 'isClean' | 'findings'>,
  { complete, clean }: Limits,
): readonly string[] {
  if (!counts || timeMs === null) return []
  const beats = (bestMs: number | null) => bestMs !== null && timeMs * 100 < bestMs * FASTEST_PERCENT
  return beats(complete) || (isClean && beats(clean)) ? [BEATS_BOARD, ...findings] : findings
}

/** Whether others see a lap of that review. */
export function isShown(review: Review | null): boolean {
  return review === null || review === 'released'
}
