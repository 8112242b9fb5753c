import { type Kysely, sql, type Transaction } from 'kysely'
import type { LeaderboardClient, Standing, StandingAnswer } from '../clients/leaderboard-client.ts'
import type { Database } from '../database.ts'
import type { NewEntry, Saved } from '../ingests/ingest.ts'
import { confirmStanding, findOpenStanding, type StandingKey } from './standing.repository.ts'

/**
 * Publishes a driver's standing to leaderboard, and ends the ingests that wait for it. Safe to call at any
 * time and concurrently: a standing holds the whole state, and an older version changes nothing. Throws
 * `ServiceUnavailable` if leaderboard did not confirm.
 */
export async function pushStanding(
  {
    db,
    leaderboard,
  }: { readonly db: Kysely<Database>; readonly leaderboard: Pick<LeaderboardClient, 'putStanding'> },
  key: StandingKey,
): Promise<void> {
  const standing = await findOpenStanding(db, key)
  if (standing === null) return
  const answer = await leaderboard.putStanding(standing)
  await db.transaction().execute(async trx => {
    await confirmStanding(trx, key, { version: standing.version, contextId: answer.context_id })
    await endRecorded(trx, key, standing, answer)
  })
}

/** Ends the ingests whose laps are part of the confirmed version. */
async function endRecorded(
  trx: Transaction<Database>,
  { userId, combinationId }: StandingKey,
  standing: Standing,
  answer: StandingAnswer,
): Promise<void> {
  const recorded = await trx
    .selectFrom('ingest')
    .select(['id', 'outcome'])
    .where('user_id', '=', userId)
    .where('board_id', '=', combinationId)
    .where('state', '=', 'recorded')
    .where('standing_version', '<=', standing.version)
    .forUpdate()
    .execute()
  for (const { id, outcome } of recorded) {
    const entry = outcome as NewEntry
    const saved: Saved = { ...entry, context_id: answer.context_id, rank: rankOf(entry, standing, answer) }
    await trx
      .updateTable('ingest')
      .set({ state: 'done', progress: 1, outcome: JSON.stringify(saved), finished_at: sql`now()` })
      .where('id', '=', id)
      .execute()
  }
}

/** Returns the rank; null if the lap is no longer the entry, since it was beaten or deleted meanwhile. */
function rankOf({ lap_id, boards }: NewEntry, standing: Standing, answer: StandingAnswer): number | null {
  const board = boards.includes('complete') ? 'complete' : 'clean'
  return standing[board]?.lap_id === lap_id ? (answer[board]?.rank ?? null) : null
}
