import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import { decideLap } from '../moderation/review-laps.ts'
import { aFile, type FileOptions } from '../test/a-file.ts'
import { daysAgo } from '../test/fake-identity.ts'
import { type Harness, harness } from '../test/harness.ts'
import { recordFile } from '../test/record-file.ts'

let service: Harness

before(async () => {
  service = await harness()
  await service.startWorker({ INGEST_RECHECK_MS: '100' })
})

after(() => service.close())

/** The track and car of a test. A car has one gear, with its own ratio. */
type Board = Pick<FileOptions, 'trackName' | 'carName' | 'gearRatio' | 'gear'>

let drivers = 9_000

/** Saves a lap with a new account and a ratio that is `change` times that of the car. */
async function drive(name: string, { gearRatio = 140, ...board }: Board, change = 1): Promise<string> {
  const file = aFile({ ...board, gearRatio: gearRatio * change, lapTimesS: [20], driverId: ++drivers })
  const { status, body } = await service.uploadAndIngest(name, file)
  return status === 201 ? 'entered' : String(body.skipped)
}

/** Has some drivers show the gears of a car on a board, and waits until identity has answered. */
async function show(count: number, board: Board, change = 1): Promise<void> {
  for (let driver = 0; driver < count; driver++) {
    const name = `${board.trackName} ${board.carName} ${change} ${driver}`
    // Slightly different laps, as of several drivers.
    assert.equal(await drive(name, board, change * (1 + 0.002 * (driver % 3))), 'entered')
  }
  await learned()
}

async function learned(): Promise<void> {
  await until(async () => {
    const unknown = await service.db
      .selectFrom('person')
      .select('user_id')
      .where('account_created_at', 'is', null)
      .execute()
    return unknown.length === 0
  }, 'identity to be asked about all drivers')
}

test('holds a lap whose engine speed is off by 3 % once five drivers have shown the gears, not before', async () => {
  const early = { trackName: 'Early Ring', carName: 'New' }
  await show(4, early)
  assert.equal(await drive('early', early, 0.97), 'entered')
  const board = { trackName: 'Geared Ring', carName: 'Fixed' }
  await show(5, board)
  assert.equal(await drive('fast', board, 0.97), 'held_for_review')
  assert.equal(await drive('slow', board, 1.03), 'held_for_review')
  assert.equal(await drive('honest', board, 1.008), 'entered')
  const held = await service.db
    .selectFrom('lap')
    .select('review_reasons')
    .where('user_id', '=', 'fast')
    .where('review', '=', 'held')
    .executeTakeFirstOrThrow()
  assert.deepEqual(held.review_reasons, ['gear_ratio'])
})

test('holds a lap whose gears cannot be compared, but no first gear of a car with one gear', async () => {
  const board = { trackName: 'Numbered Ring', carName: 'Numbered' }
  await show(5, board)
  for (const gear of [1, 8, 3.5]) {
    assert.equal(await drive(`in gear ${gear}`, { ...board, gear }), 'held_for_review')
  }
  const kart = { trackName: 'Kart Ring', carName: 'Kart', gear: 1 }
  await show(5, kart)
  assert.equal(await drive('another kart', kart), 'entered')
})

test('passes another set-up with four known drivers, and all set-ups of a car that has shown two', async () => {
  const board = { trackName: 'Adjusted Ring', carName: 'Adjustable' }
  await show(4, board)
  assert.equal(await drive('first with other gears', board, 1.1), 'entered')
  await show(2, board, 1.001)
  assert.equal(await drive('third set-up', board, 0.9), 'entered')
})

test('passes other gears of a car that drivers have shown on other tracks', async () => {
  const board = { trackName: 'Short Ring', carName: 'Travelled' }
  await show(5, board)
  await show(2, { ...board, trackName: 'Long Ring' }, 0.9)
  assert.equal(await drive('too early', board, 0.92), 'held_for_review')
  await show(1, { ...board, trackName: 'Longer Ring' }, 0.9)
  assert.equal(await drive('geared for speed', board, 0.92), 'entered')
})

test('passes gears once a moderator has released a lap with them', async () => {
  const board = { trackName: 'Released Ring', carName: 'Released' }
  await show(5, board)
  assert.equal(await drive('pioneer', board, 1.05), 'held_for_review')
  assert.equal(await drive('follower', board, 1.05), 'held_for_review')
  const { id } = await service.db
    .selectFrom('lap')
    .select('id')
    .where('user_id', '=', 'pioneer')
    .where('review', '=', 'held')
    .executeTakeFirstOrThrow()
  await decideLap(service.db, id, { decision: 'released', by: 'ann', why: 'a new final drive' })
  assert.equal(await drive('late follower', board, 1.05), 'entered')
})

test('holds no lap because of five throw-away accounts', async () => {
  const throwAway = {
    unverified: { isVerified: false, createdAt: daysAgo(30) },
    young: { isVerified: true, createdAt: daysAgo(0.9) },
    'of one network': { isVerified: true, createdAt: daysAgo(30) },
  }
  for (const [kind, facts] of Object.entries(throwAway)) {
    const board = { trackName: `Ring ${kind}`, carName: `Car ${kind}` }
    for (let account = 0; account < 5; account++) {
      const name = `${kind} ${account}`
      service.identity.people.set(name, facts)
      if (kind === 'of one network') service.networks.set(name, '203.0.113.9')
      assert.equal(await drive(name, board, 0.9), 'entered')
    }
    await learned()
    assert.equal(await drive(`true driver, ${kind}`, board), 'entered')
  }
})

test('stores one set of gears for a file, also if it is judged twice, and deletes it with the account', async () => {
  const sets = () => service.db.selectFrom('gear_set').selectAll().where('user_id', '=', 'twice').execute()
  const gearRatios = new Map([[2, { median: 185, spread: 0.06 }]])
  const file = {
    seed: 'twice',
    laps: [
      { timeMs: 90_000, gearRatios },
      { timeMs: 80_000, gearRatios },
    ],
  }
  const { ids } = await recordFile(service.db, 'twice', file)
  await recordFile(service.db, 'twice', file)
  assert.deepEqual(
    (await sets()).map(set => set.lap_id),
    [ids[1]],
  )
  await service.forget('twice')
  assert.deepEqual(await sets(), [])
})
