import assert from 'node:assert/strict'
import type { Harness } from './harness.ts'

/** Asserts that the one file of an account had one effect: its laps, one standing, one entry. */
export async function assertOneEffect(service: Harness, userId: string, laps: number): Promise<void> {
  const ingest = await service.db.selectFrom('ingest').selectAll().where('user_id', '=', userId).execute()
  assert.deepEqual(
    ingest.map(({ state }) => state),
    ['done'],
  )
  const rows = await service.db.selectFrom('lap').select('id').where('user_id', '=', userId).execute()
  assert.equal(rows.length, laps)
  const standing = await service.db
    .selectFrom('standing')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  assert.equal(standing.version, 1)
  assert.equal(standing.confirmed_version, 1)
  const own = service.leaderboard
    .entries(`ring-of-${userId}`, 'complete')
    .filter(entry => entry.lap_id === standing.complete_lap_id)
  assert.equal(own.length, 1)
}
