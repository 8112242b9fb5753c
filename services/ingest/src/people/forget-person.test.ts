import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import { findBound } from '../drivers/driver.repository.ts'
import { SERIES_PREFIX } from '../laps/lap.repository.ts'
import { aFile } from '../test/a-file.ts'
import { type Harness, harness } from '../test/harness.ts'

let service: Harness

before(async () => {
  service = await harness()
  await service.startWorker()
})

after(() => service.close())

async function seriesCount(): Promise<number> {
  return (await service.bucket.store.list(SERIES_PREFIX)).objects.length
}

test('deletes everything of a deleted account with its series, and nothing of another one', async () => {
  const file = aFile({ driverId: 1 })
  await service.uploadAndIngest('gone', file)
  await service.uploadAndIngest('stays', aFile({ driverId: 2 }))
  await service.uploadAndIngest('gone', aFile({ driverId: 2 }))
  await service.uploadAndIngest('stays', file)
  assert.equal(await seriesCount(), 6)
  const conflicts = await service.db.selectFrom('conflict').select('kind').orderBy('kind').execute()
  assert.deepEqual(
    conflicts.map(({ kind }) => kind),
    ['driver', 'file', 'other_number'],
  )

  await service.forget('gone')
  await service.forget('gone')
  for (const table of [
    ...([
      'ingest',
      'lap',
      'file',
      'sim_driver',
      'standing',
      'conflict',
      'track_witness',
      'track_sighting',
      'person',
      'driver_claim',
      'gear_set',
    ] as const),
  ] as const) {
    const users = await service.db.selectFrom(table).select('user_id').execute()
    assert.equal(
      users.some(row => row.user_id === 'gone'),
      false,
      table,
    )
  }
  assert.deepEqual(await service.db.selectFrom('conflict').selectAll().execute(), [])
  await until(async () => (await seriesCount()) === 2, 'the series to be removed')
  const list = await service.call('listLaps', { method: 'GET', url: '/api/laps', as: 'stays' })
  assert.equal((list.body.laps as unknown[]).length, 4)
})

test('binds the driver number of a deleted account to the next account that claims it', async () => {
  assert.equal((await service.uploadAndIngest('leaves', aFile({ driverId: 6 }))).status, 201)
  assert.equal((await service.uploadAndIngest('remains', aFile({ driverId: 6 }))).status, 201)
  await service.forget('leaves')
  const bound = await findBound(service.db, { sim: 'iracing', simUserId: '6' })
  assert.equal(bound?.userId, 'remains')
})

test('accepts the file and number of a deleted account from another one', async () => {
  const file = aFile({ driverId: 3 })
  await service.uploadAndIngest('first', file)
  await service.forget('first')
  const { status } = await service.uploadAndIngest('second', file)
  assert.equal(status, 201)
})

test('does not publish an unconfirmed standing of a deleted account', async () => {
  service.leaderboard.mood = 'failing'
  const given = await service.upload.addFile('quick', aFile({ driverId: 4 }))
  const answer = service.ingest('quick', given)
  await until(async () => {
    const row = await service.db
      .selectFrom('ingest')
      .select('state')
      .where('user_id', '=', 'quick')
      .executeTakeFirst()
    return row?.state === 'recorded'
  }, 'the laps to be recorded')
  await service.forget('quick')
  service.leaderboard.mood = 'well'
  const { status, body } = await answer
  assert.deepEqual([status, body.code], [401, 'ingest.unauthorized'])
  await service.uploadAndIngest('next', aFile({ driverId: 5 }))
  assert.equal(
    service.leaderboard.received.some(standing => standing.user_id === 'quick'),
    false,
  )
})
