import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import { aFile } from '../test/a-file.ts'
import { daysAgo } from '../test/fake-identity.ts'
import { type Harness, harness } from '../test/harness.ts'

let service: Harness

before(async () => {
  service = await harness()
  await service.startWorker({ INGEST_RECHECK_MS: '100' })
})

after(() => service.close())

/** An account of an attacker or a driver. */
interface Account {
  readonly isVerified?: boolean
  readonly ageDays?: number
  /** A network of its own unless given. */
  readonly network?: string
}

let drivers = 5_000

/** Saves a lap on a ring at a location, with a new account. */
async function drive(name: string, trackName: string, northDeg: number, account: Account = {}) {
  const { isVerified = true, ageDays = 30, network } = account
  service.identity.people.set(name, { isVerified, createdAt: daysAgo(ageDays) })
  if (network !== undefined) service.networks.set(name, network)
  const file = aFile({
    driverId: ++drivers,
    trackName,
    spoil: ({ channel }) => {
      const lat = channel('Lat')
      for (let row = 0; row < lat.length; row++) lat[row]! += northDeg
    },
  })
  return service.uploadAndIngest(name, file)
}

/** Waits until all valid votes are counted. */
async function counted(): Promise<void> {
  await until(async () => {
    const uncounted = await service.db
      .selectFrom('track_witness')
      .select('user_id')
      .where('is_counted', '=', false)
      .execute()
    const unknown = await service.db
      .selectFrom('person')
      .select('user_id')
      .where('account_created_at', 'is', null)
      .execute()
    return uncounted.length === 0 && unknown.length === 0
  }, 'the votes to be counted')
}

async function locationOf(trackName: string): Promise<number | null> {
  const row = await service.db
    .selectFrom('track_place')
    .innerJoin('combination', 'combination.id', 'track_place.track_id')
    .select('lat')
    .where('combination.track_label', '=', trackName)
    .executeTakeFirst()
  return row?.lat ?? null
}

const throwAway: Record<string, readonly Account[]> = {
  'without a verified address': Array.from({ length: 4 }, () => ({ isVerified: false })),
  'of less than a day': Array.from({ length: 4 }, () => ({ ageDays: 0.9 })),
  'of one IPv4 network': Array.from({ length: 4 }, () => ({ network: '203.0.113.7' })),
  'of one IPv6 network': Array.from({ length: 4 }, (_, index) => ({ network: `2001:db8::${index + 1}` })),
  'of which two can vote': [{}, {}, { isVerified: false }, { ageDays: 0.5 }],
}

for (const [which, accounts] of Object.entries(throwAway)) {
  test(`fixes no location and hides no lap by four accounts ${which}`, async () => {
    const ring = `Ring ${which}`
    const before = await drive(`true driver, ${which}`, ring, 0)
    assert.equal(before.status, 201)
    for (const [index, account] of accounts.entries()) {
      const { status } = await drive(`sybil ${index} ${which}`, ring, 0.5, account)
      assert.equal(status, 201)
    }
    await counted()
    assert.equal(await locationOf(ring), null)
    // The next lap of the true location is not refused either.
    assert.equal((await drive(`next driver, ${which}`, ring, 0)).status, 201)
    const { body } = await service.call('listLaps', {
      method: 'GET',
      url: '/api/laps',
      as: `true driver, ${which}`,
    })
    const laps = body.laps as { lap_id: string; on_board: string[]; reasons: string[] }[]
    const lap = laps.find(({ lap_id }) => lap_id === before.body.lap_id)
    assert.deepEqual([lap?.on_board, lap?.reasons], [['complete', 'clean'], []])
  })
}

for (const which of ['without a verified address', 'of less than a day'] as const) {
  test(`settles the corners of a track by its first true driver, not by four accounts ${which}`, async () => {
    const ring = `Bend ${which}`
    for (const [index, account] of throwAway[which]!.entries()) {
      await drive(`bender ${index} ${which}`, ring, 0.5, account)
    }
    await until(async () => (await cornersOf(ring)) !== undefined, 'the corners to be shown')
    await counted()
    assert.equal((await cornersOf(ring))?.is_provisional, true)
    const { body } = await drive(`true bender, ${which}`, ring, 0)
    await until(async () => (await cornersOf(ring))?.is_provisional === false, 'the corners to be settled')
    const settled = await cornersOf(ring)
    assert.equal(settled?.founder_lap_id, body.lap_id)
    assert.deepEqual(
      settled?.corners.map(({ id, number }) => [id, number]),
      [[1, '1']],
    )
  })
}

/** Returns the stored corners of a ring; undefined before there are any. */
async function cornersOf(trackName: string) {
  return service.db
    .selectFrom('track_corners')
    .innerJoin('combination', 'combination.id', 'track_corners.track_id')
    .select(['corners', 'is_provisional', 'founder_lap_id'])
    .where('combination.track_label', '=', trackName)
    .executeTakeFirst()
}

test('does not move a fixed location by four throw-away accounts', async () => {
  for (const driver of ['a', 'b', 'c']) await drive(`settler ${driver}`, 'Settled Ring', 0)
  await until(async () => (await locationOf('Settled Ring')) !== null, 'the drivers to agree')
  const location = await locationOf('Settled Ring')
  for (let index = 0; index < 4; index++) {
    const { status, body } = await drive(`mover ${index}`, 'Settled Ring', 0.5)
    assert.deepEqual([status, body.code], [422, 'ingest.driven_elsewhere'])
  }
  await counted()
  assert.equal(await locationOf('Settled Ring'), location)
  assert.equal((await drive('settler d', 'Settled Ring', 0)).status, 201)
})

test('counts a vote once its account is verified and old enough', async () => {
  const ring = 'Patient Ring'
  for (const driver of ['a', 'b']) await drive(`patient ${driver}`, ring, 0)
  await drive('patient late', ring, 0, { isVerified: false })
  await counted()
  assert.equal(await locationOf(ring), null)
  // Two seconds short of a day.
  const createdAt = new Date(Date.now() - 86_400_000 + 2_000)
  service.identity.people.set('patient late', { isVerified: true, createdAt })
  await until(async () => (await locationOf(ring)) !== null, 'the third vote to count')
  assert.ok(Date.now() >= createdAt.getTime() + 86_400_000)
})

test('accepts laps while identity is down or answers nonsense, and counts votes once it is back', async () => {
  const ring = 'Lonely Ring'
  service.identity.mood = 'failing'
  for (const driver of ['a', 'b', 'c']) {
    assert.equal((await drive(`lonely ${driver}`, ring, 0)).status, 201)
  }
  const before = service.identity.asked()
  await until(() => service.identity.asked() > before, 'identity to be asked')
  service.identity.mood = 'odd'
  await service.db.updateTable('person').set({ ask_after: new Date() }).execute()
  const failed = service.identity.asked()
  await until(() => service.identity.asked() > failed, 'identity to be asked again')
  assert.equal(await locationOf(ring), null)
  service.identity.mood = 'well'
  await service.db.updateTable('person').set({ ask_after: new Date() }).execute()
  await until(async () => (await locationOf(ring)) !== null, 'the votes to count')
})
