import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createLogger } from '@lapwing/http'
import type { FoundCorner } from '@lapwing/telemetry/corners'
import { sql } from 'kysely'
import { forgetLap } from '../laps/lap.repository.ts'
import { storeFacts } from '../people/person.repository.ts'
import { daysAgo } from '../test/fake-identity.ts'
import { type Harness, harness } from '../test/harness.ts'
import { aCombination, recordFile } from '../test/record-file.ts'
import { runModerate } from '../test/run-moderate.ts'
import { setTrackLocation } from '../tracks/track-location.repository.ts'
import type { TrackLocation } from '../tracks/track-location.ts'
import { recountSightingsOf } from './corner.repository.ts'
import { refineTracks } from './refine-tracks.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

const logger = createLogger('ingest', 'silent')
const refine = () => refineTracks({ db: service.db, logger })

const lengthM = 3000
const here = { lat: 50, lon: 8, lengthM }

let tracks = 0
/** Returns a track that nobody has driven. */
const aTrack = () => {
  const number = ++tracks
  return {
    ...aCombination,
    track_slug: `bend-${number}`,
    track_label: `Bend ${number}`,
    sim_track_id: 900 + number,
  }
}
type Track = ReturnType<typeof aTrack>

const corner = (startM: number): FoundCorner => ({
  startPct: startM / lengthM,
  apexPct: (startM + 50) / lengthM,
  endPct: (startM + 100) / lengthM,
  direction: 'left',
  kind: 'turn',
})

interface DriveOptions {
  readonly timeMs?: number
  /** True unless given. */
  readonly canVote?: boolean
  /** `here` unless given. */
  readonly location?: TrackLocation
  /** A network of its own unless given. */
  readonly network?: string
}

/** Records a lap that shows corners at these metres, of an account that is a month old. */
async function drive(
  userId: string,
  combination: Track,
  starts: readonly number[],
  options: DriveOptions = {},
) {
  const { timeMs = 90_000, canVote = true, location = here, network = userId } = options
  const recorded = await recordFile(service.db, userId, {
    combination,
    laps: [{ location, timeMs }],
    sighting: { lengthM: location.lengthM, corners: starts.map(corner) },
    network: createHash('sha256').update(network).digest(),
  })
  await setVote(userId, canVote)
  return recorded
}

/** Stores identity's answer about an account, as the sweep does. */
async function setVote(userId: string, canVote: boolean): Promise<void> {
  const facts = { isVerified: canVote, createdAt: daysAgo(30) }
  await service.db.transaction().execute(async trx => {
    await storeFacts(trx, userId, facts, { voteAgeMs: 0, recheckMs: 60_000 })
    await recountSightingsOf(trx, userId)
  })
}

async function trackIdOf({ track_slug }: Track): Promise<number> {
  const row = await service.db
    .selectFrom('combination')
    .select('track_id')
    .where('track_slug', '=', track_slug)
    .executeTakeFirstOrThrow()
  return row.track_id
}

async function placed(track: Track): Promise<void> {
  const trackId = await trackIdOf(track)
  await service.db.transaction().execute(trx => setTrackLocation(trx, trackId, here))
}

async function stored(track: Track) {
  const row = await service.db
    .selectFrom('track_corners')
    .selectAll()
    .where('track_id', '=', await trackIdOf(track))
    .executeTakeFirst()
  const corners = row?.corners ?? []
  return {
    version: row?.version ?? 0,
    founder: row?.founder_lap_id ?? null,
    isProvisional: row?.is_provisional ?? true,
    numbers: corners.map(({ id, number }) => `${id}:${number}`).join(' '),
    startsM: corners.map(({ startPct }) => Math.round(startPct * lengthM)),
  }
}

test('keeps ids and numbers of corners as drivers join, and a new corner shifts no other', async () => {
  const track = aTrack()
  await drive('a', track, [300, 900, 2000])
  await refine()
  assert.deepEqual((await stored(track)).numbers, '1:1 2:2 3:3')
  await placed(track)
  await drive('b', track, [306, 900, 1400, 2000])
  await drive('c', track, [304, 896, 1404, 2000])
  await refine()
  const { numbers, startsM } = await stored(track)
  assert.equal(numbers, '1:1 2:2 4:2a 3:3')
  assert.deepEqual(startsM, [304, 900, 1402, 2000])
})

test('writes a change once if several processes refine at the same time', async () => {
  const track = aTrack()
  await drive('a', track, [300, 900])
  await refine()
  await placed(track)
  await drive('b', track, [308, 900])
  await Promise.all(Array.from({ length: 8 }, refine))
  await refine()
  const { version, startsM } = await stored(track)
  assert.equal(version, 2)
  assert.deepEqual(startsM, [304, 900])
  await refine()
  assert.equal((await stored(track)).version, 2)
})

test('counts all drivers who record a new track at the same time', async () => {
  const track = aTrack()
  await Promise.all(
    ['a', 'b', 'c', 'd', 'e', 'f'].map(async (driver, i) => {
      await drive(driver, track, [300 + i, 900])
      await refine()
    }),
  )
  await refine()
  const open = await service.db
    .selectFrom('track_sighting')
    .select('user_id')
    .where('track_id', '=', await trackIdOf(track))
    .where('is_counted', '=', false)
    .execute()
  assert.deepEqual(open, [])
  assert.match((await stored(track)).numbers, /^1:1 2:2$/)
})

test('uses a driver’s fastest lap, and the next file after it is deleted', async () => {
  const track = aTrack()
  await drive('a', track, [300, 900], { timeMs: 80_000 })
  await placed(track)
  const fast = await drive('b', track, [310, 900], { timeMs: 80_000 })
  await drive('b', track, [290, 900], { timeMs: 85_000 })
  await refine()
  assert.deepEqual((await stored(track)).startsM, [305, 900])
  await service.db.transaction().execute(trx => forgetLap(trx, { userId: 'b', lapId: fast.ids[0]! }))
  await drive('b', track, [304, 900], { timeMs: 86_000 })
  await refine()
  assert.deepEqual((await stored(track)).startsM, [302, 900])
})

test('ignores a lap that does not count', async () => {
  const track = aTrack()
  await recordFile(service.db, 'a', {
    combination: track,
    laps: [{ location: here, counts: false }],
    sighting: { lengthM, corners: [corner(300)] },
  })
  await refine()
  assert.equal((await stored(track)).numbers, '')
})

test('drops the corners of a forged lap once it is known to be driven elsewhere', async () => {
  const track = aTrack()
  const forged = await drive('forger', track, [100, 1700, 2600])
  await refine()
  assert.equal((await stored(track)).founder, forged.ids[0])
  await drive('a', track, [300, 900])
  await refine()
  assert.match((await stored(track)).numbers, /^1:1 2:2 3:3$/)
  await sql`update lap set reasons = array_append(reasons, 'ELSEWHERE'), counts = false
    where id = ${forged.ids[0]}`.execute(service.db)
  await refine()
  const { numbers, startsM } = await stored(track)
  assert.equal(numbers, '4:1 5:2')
  assert.deepEqual(startsM, [300, 900])
})

test('lets the best lap of a later driver refine the corners, but no slower lap and no new account', async () => {
  const track = aTrack()
  for (let i = 0; i < 20; i++) await drive(`driver ${i}`, track, [300], { timeMs: 90_000 + i })
  await refine()
  await placed(track)
  const drivers = async () => (await sightingsOf(track)).map(({ user_id }) => user_id)
  await drive('slower', track, [310], { timeMs: 91_000 })
  for (let i = 0; i < 30; i++) await drive(`new ${i}`, track, [310], { timeMs: 80_000, canVote: false })
  await refine()
  assert.equal((await drivers()).filter(name => name.startsWith('driver ')).length, 20)
  assert.deepEqual((await stored(track)).startsM, [300])
  // Eleven of twenty show the corner a little later.
  for (let i = 0; i < 11; i++) await drive(`board ${i}`, track, [310], { timeMs: 89_000 + i })
  await refine()
  const kept = await drivers()
  assert.equal(kept.includes('driver 8') && !kept.includes('driver 9'), true)
  assert.equal(kept.length, 40)
  assert.deepEqual((await stored(track)).startsM, [310])
})

test('replaces the corners of accounts without a vote by those of the first account with one', async () => {
  const track = aTrack()
  for (const forger of ['w', 'x', 'y', 'z']) {
    await drive(`forger ${forger}`, track, [100, 1700, 2600], { canVote: false })
  }
  await refine()
  const shown = await stored(track)
  assert.deepEqual([shown.numbers, shown.isProvisional], ['1:1 2:2 3:3', true])
  await drive('true driver', track, [300, 900])
  await refine()
  const settled = await stored(track)
  assert.deepEqual([settled.numbers, settled.isProvisional, settled.startsM], ['4:1 5:2', false, [300, 900]])
  // Accounts of one network are one driver, so they cannot refute it together.
  await placed(track)
  for (const forger of ['v', 'x', 'y', 'z']) {
    await drive(`late forger ${forger}`, track, [100, 1700, 2600], { network: 'one' })
  }
  await refine()
  assert.deepEqual((await stored(track)).startsM, [300, 900])
})

test('settles the corners of an account once it has a vote, with the same ids', async () => {
  const track = aTrack()
  await drive('patient', track, [300, 900], { canVote: false })
  await refine()
  assert.equal((await stored(track)).isProvisional, true)
  await setVote('patient', true)
  await refine()
  const { numbers, startsM, isProvisional } = await stored(track)
  assert.deepEqual([numbers, startsM, isProvisional], ['1:1 2:2', [300, 900], false])
})

test('ignores laps of another place once the track has a location', async () => {
  const track = aTrack()
  await drive('founder', track, [300, 900])
  await refine()
  // Recorded before the drivers agreed on the location.
  const north = { ...here, lat: 51 }
  for (const driver of ['a', 'b', 'c']) await drive(`north ${driver}`, track, [320, 920], { location: north })
  await placed(track)
  await refine()
  assert.deepEqual((await stored(track)).startsM, [300, 900])
  assert.deepEqual(
    (await sightingsOf(track)).map(({ user_id }) => user_id),
    ['founder'],
  )
})

test('counts sightings again once the track has a location', async () => {
  const track = aTrack()
  await drive('a', track, [300, 900])
  await drive('b', track, [308, 900])
  const lap = await drive('c', track, [308, 900])
  await refine()
  assert.deepEqual((await stored(track)).startsM, [308, 900])
  await drive('d', track, [316, 900])
  await drive('e', track, [316, 900])
  await drive('f', track, [316, 900])
  await refine()
  assert.deepEqual((await stored(track)).startsM, [308, 900])
  assert.equal((await runModerate(service, 'place-track', lap.ids[0]!)).code, 0)
  await refine()
  assert.deepEqual((await stored(track)).startsM, [312, 900])
})

const sightingsOf = async (track: Track) =>
  service.db
    .selectFrom('track_sighting')
    .select('user_id')
    .where('track_id', '=', await trackIdOf(track))
    .execute()

test('deletes the sightings of a deleted account, and keeps the corners', async () => {
  const track = aTrack()
  await drive('leaver', track, [300, 900])
  await refine()
  await service.forget('leaver')
  const { numbers, founder } = await stored(track)
  assert.deepEqual([numbers, founder], ['1:1 2:2', null])
  const left = await service.db
    .selectFrom('track_sighting')
    .select('user_id')
    .where('user_id', '=', 'leaver')
    .execute()
  assert.deepEqual(left, [])
  await refine()
  assert.equal((await stored(track)).numbers, '1:1 2:2')
})

test('refines other tracks if one of them fails', async () => {
  const broken = aTrack()
  await drive('a', broken, [300])
  const track = aTrack()
  await drive('a', track, [300, 900])
  await sql`update track_sighting set corners = '{}' where track_id = ${await trackIdOf(broken)}`.execute(
    service.db,
  )
  await refine()
  assert.equal((await stored(track)).numbers, '1:1 2:2')
  assert.equal((await stored(broken)).numbers, '')
  await sql`delete from track_sighting where track_id = ${await trackIdOf(broken)}`.execute(service.db)
})

test('finds corners again with unused ids after a moderator forgets them', async () => {
  const track = aTrack()
  await drive('a', track, [300, 900])
  await refine()
  const forget = (slug: string) => runModerate(service, 'forget-corners', 'iracing', slug, 'default')
  assert.equal((await forget('nowhere')).code, 1)
  assert.equal((await forget(track.track_slug)).code, 0)
  await refine()
  assert.equal((await stored(track)).numbers, '3:1 4:2')
})
