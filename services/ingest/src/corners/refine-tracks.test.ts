import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLogger } from '@lapwing/http'
import type { FoundCorner } from '@lapwing/telemetry/corners'
import { sql } from 'kysely'
import { forgetLap } from '../laps/lap.repository.ts'
import { type Harness, harness } from '../test/harness.ts'
import { aCombination, recordFile } from '../test/record-file.ts'
import { runModerate } from '../test/run-moderate.ts'
import { setTrackLocation } from '../tracks/track-location.repository.ts'
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

const drive = (userId: string, combination: Track, starts: readonly number[], timeMs = 90_000) =>
  recordFile(service.db, userId, {
    combination,
    laps: [{ location: here, timeMs }],
    sighting: { lengthM, corners: starts.map(corner) },
  })

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
  await drive('a', track, [300, 900], 80_000)
  await placed(track)
  const fast = await drive('b', track, [310, 900], 80_000)
  await drive('b', track, [290, 900], 85_000)
  await refine()
  assert.deepEqual((await stored(track)).startsM, [305, 900])
  await service.db.transaction().execute(trx => forgetLap(trx, { userId: 'b', lapId: fast.ids[0]! }))
  await drive('b', track, [304, 900], 86_000)
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

test('stores twenty drivers of a track, and keeps the first ones', async () => {
  const track = aTrack()
  for (let i = 0; i < 24; i++) await drive(`driver ${i}`, track, [300])
  const kept = await service.db
    .selectFrom('track_sighting')
    .select('user_id')
    .where('track_id', '=', await trackIdOf(track))
    .execute()
  assert.equal(kept.length, 20)
  assert.ok(kept.some(({ user_id }) => user_id === 'driver 0'))
})

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
