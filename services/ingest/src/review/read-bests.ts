import { DEMO_USER_PREFIX } from '@lapwing/auth'
import { type Kysely, sql } from 'kysely'
import type { BoardBest, LeaderboardClient } from '../clients/leaderboard-client.ts'
import type { Database } from '../database.ts'
import type { JudgedFile } from '../judging/judged-file.ts'
import { findBoard, findTrack } from '../tracks/combination.repository.ts'
import type { TrackLocation } from '../tracks/track-location.ts'
import { FEWEST_DRIVERS, type Limits } from './review.ts'

/** The times to compare the laps of a file with (D-26), and their boards. */
export interface Bests {
  /** Null if no driver has driven that track and car before. */
  readonly combinationId: number | null
  readonly limits: Limits
}

/** Returns where a file was driven: the location of its first lap that counts and has one. */
export function drivenLocation({ laps }: Pick<JudgedFile, 'laps'>): TrackLocation | null {
  return laps.find(lap => lap.counts && lap.location !== null)?.location ?? null
}

/**
 * Reads the best times of the boards that a file's laps would enter. Asks leaderboard, which knows the laps
 * that a moderator hides, but only if enough drivers are known here. So a file for a small board needs no
 * answer. Throws `ServiceUnavailable` if leaderboard does not answer: no lap enters a board unchecked.
 *
 * The best can change before the laps are recorded. A lap is then compared with an older best.
 */
export async function readBests(
  {
    db,
    leaderboard,
  }: { readonly db: Kysely<Database>; readonly leaderboard: Pick<LeaderboardClient, 'findBests'> },
  userId: string,
  file: Pick<JudgedFile, 'combination' | 'laps'>,
): Promise<Bests> {
  if (!file.laps.some(lap => lap.counts)) return { combinationId: null, limits: noLimits }
  const found = await findNamedBoard(db, file)
  if (found === null) return { combinationId: null, limits: noLimits }
  const { combinationId, names, isLarge } = found
  if (!isLarge) return { combinationId, limits: noLimits }
  const { complete, clean } = await leaderboard.findBests(names, userId)
  return { combinationId, limits: { complete: limitOf(complete), clean: limitOf(clean) } }
}

/** The limits of a board with too few drivers. */
export const noLimits: Limits = { complete: null, clean: null }

function limitOf({ drivers, best_time_ms }: BoardBest): number | null {
  return drivers < FEWEST_DRIVERS ? null : best_time_ms
}

/** Returns the board of a file and the track's own names, which leaderboard uses; null if there is none. */
async function findNamedBoard(db: Kysely<Database>, file: Pick<JudgedFile, 'combination' | 'laps'>) {
  const track = await findTrack(db, file.combination, drivenLocation(file))
  const board = track && (await findBoard(db, track.id, file.combination.car_slug))
  if (!board) return null
  const { combinationId, ...names } = board
  return { combinationId, names, isLarge: await isLargeBoard(db, combinationId) }
}

/** Returns whether enough real drivers have a lap on a board for its best to show what is possible. */
export async function isLargeBoard(db: Kysely<Database>, combinationId: number): Promise<boolean> {
  const { rows } = await sql<{ drivers: number }>`
    select count(*)::int as drivers from (
      select from standing
      where board_id = ${combinationId} and complete_lap_id is not null
        and user_id not like ${`${DEMO_USER_PREFIX}%`}
      limit ${FEWEST_DRIVERS}) real`.execute(db)
  return rows[0]!.drivers >= FEWEST_DRIVERS
}
