import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { sharedIbt, sharedIbtMissing } from '@lapwing/testing/shared-ibt.ts'
import { type Answer, type Harness, harness } from '../test/harness.ts'

let service: Harness

before(async () => {
  service = await harness()
  await service.startWorker()
})

after(() => service.close())

const save = (as: string, name: string): Promise<Answer> =>
  service.uploadAndIngest(as, readFileSync(sharedIbt(name)))

/** Brings a file as its owner: some of the files are of one driver, and the first account owns them. */
async function saveAsDriver(name: string): Promise<Answer & { readonly userId: string }> {
  const userId = `driver of ${name}`
  const answer = await save(userId, name)
  if (answer.body.code !== 'upload.belongs_to_another_driver') return { ...answer, userId }
  const { owner_user_id: owner } = await service.db
    .selectFrom('conflict')
    .select('owner_user_id')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return { ...(await save(owner, name)), userId: owner }
}

const best = [
  ['laps/winton-3-laps.ibt', 84_296, 4],
  ['laps/lime-rock-2-laps.ibt', 55_697, 3],
  ['laps/rudskogen-1-lap.ibt', 90_290, 2],
  ['laps/summit-jefferson-4-laps.ibt', 51_088, 5],
  ['real/langley-2-laps.ibt', 15_099, 175],
  ['real/langley-1-lap.ibt', 15_071, 177],
  ['real/langley-practice-out-lap.ibt', 15_240, 6],
  ['real/martinsville-practice-2-laps.ibt', 19_301, 32],
] as const

for (const [name, timeMs, lapNo] of best) {
  test(`brings the best lap of ${name} onto the board`, { skip: sharedIbtMissing }, async () => {
    const { status, body } = await saveAsDriver(name)
    assert.equal(status, 201, JSON.stringify(body))
    assert.equal(body.best_lap_time_ms, timeMs)
    const lap = await service.db
      .selectFrom('lap')
      .select('lap_no')
      .where('id', '=', String(body.lap_id))
      .executeTakeFirstOrThrow()
    assert.equal(lap.lap_no, lapNo)
  })
}

test('brings laps of 2015 onto the board of complete laps only', {
  skip: sharedIbtMissing,
}, () => {
  const langley = service.leaderboard.received.filter(({ combination }) =>
    combination.track_slug.includes('langley'),
  )
  assert.ok(langley.length > 0)
  for (const standing of langley) {
    assert.ok(standing.complete)
    assert.equal(standing.clean, null)
  }
})

for (const name of [
  'real/sebring-lmdh-reset.ibt',
  'real/spielberg-gt4-no-complete-lap.ibt',
  'real/spielberg-w13-6-seconds.ibt',
]) {
  test(`brings no lap of ${name} onto a board`, { skip: sharedIbtMissing }, async () => {
    const publishedBefore = service.leaderboard.received.length
    const { status, body } = await saveAsDriver(name)
    assert.equal(status, 200)
    assert.equal(body.skipped, 'no_complete_lap')
    assert.equal(service.leaderboard.received.length, publishedBefore)
    const laps = await service.db
      .selectFrom('lap')
      .select('counts')
      .where('ingest_id', '=', String(body.ingest_id))
      .execute()
    assert.deepEqual(new Set(laps.map(lap => lap.counts)), new Set([false]))
  })
}

test('ranks the two drivers of Summit Point by their times', {
  skip: sharedIbtMissing,
}, async () => {
  const { status, body } = await save('second driver', 'laps/summit-jefferson-second-driver.ibt')
  assert.equal(status, 201)
  assert.equal(body.best_lap_time_ms, 51_148)
  assert.equal(body.rank, 2)
  const [combination] = service.leaderboard.received.filter(({ user_id: id }) => id === 'second driver')
  assert.deepEqual(
    service.leaderboard.entries(combination!.combination.track_slug, 'complete').map(entry => entry.time_ms),
    [51_088, 51_148],
  )
})

test('answers already_ingested for the same file, and refuses it to another account', {
  skip: sharedIbtMissing,
}, async () => {
  const again = await save('second driver', 'laps/summit-jefferson-second-driver.ibt')
  assert.deepEqual([again.status, again.body.skipped], [200, 'already_ingested'])
  const thief = await save('thief', 'laps/summit-jefferson-second-driver.ibt')
  assert.deepEqual([thief.status, thief.body.code], [409, 'upload.belongs_to_another_driver'])
})

for (const [name, code] of [
  ['broken/not-telemetry.ibt', 'ingest.unreadable'],
  ['broken/twelve-byte-records.ibt', 'ingest.unreadable'],
  ['broken/memory-dump.ibt', 'ingest.unreadable'],
  ['broken/cut-in-variable-headers.ibt', 'ingest.unreadable'],
] as const) {
  test(`refuses ${name}, and stores nothing of it`, { skip: sharedIbtMissing }, async () => {
    const userId = `driver of ${name}`
    const { status, body } = await save(userId, name)
    assert.deepEqual([status, body.code], [422, code])
    assert.deepEqual(
      await service.db.selectFrom('lap').select('id').where('user_id', '=', userId).execute(),
      [],
    )
    assert.deepEqual(
      await service.db.selectFrom('file').select('sha256').where('user_id', '=', userId).execute(),
      [],
    )
  })
}

test('judges broken/cut-in-records.ibt as far as it goes', { skip: sharedIbtMissing }, async () => {
  const { status } = await saveAsDriver('broken/cut-in-records.ibt')
  assert.equal(status, 200)
})
