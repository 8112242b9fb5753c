import { type Kysely, sql, type Transaction } from 'kysely'
import type { LeaderboardClient, Standing, StandingAnswer } from '../clients/leaderboard-client.ts'
import type { Database } from '../database.ts'
import type { NewEntry, Saved } from '../ingests/ingest.ts'
import { confirmStanding, findOpenStanding, type StandingKey } from './standing.repository.ts'

/**
 * Tells leaderboard what a driver's standing is, and ends the ingests that wait for it. Anybody may call
 * it at any time, also at once: what is told is how things stand, and an older version changes nothing.
 * Throws `ServiceUnavailable` where leaderboard did not confirm.
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

/** Ingests whose laps are part of the confirmed version are done. */
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

/** Null where the lap is no longer the driver's entry: a better one came, or it was deleted, in between. */
function rankOf({ lap_id, boards }: NewEntry, standing: Standing, answer: StandingAnswer): number | null {
  const board = boards.includes('complete') ? 'complete' : 'clean'
  return standing[board]?.lap_id === lap_id ? (answer[board]?.rank ?? null) : null
}
