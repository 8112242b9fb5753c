import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { acquireAccountLock } from '@lapwing/db'
import { createLogger } from '@lapwing/http'
import { until } from '@lapwing/testing/until.ts'
import { sql } from 'kysely'
import { createLeaderboardClient } from '../clients/leaderboard-client.ts'
import type { FileCombination, JudgedLap } from '../judging/judged-file.ts'
import { allowReference, forgetLap } from '../laps/lap.repository.ts'
import { locateTrackAt, locateTrackOfLap } from '../moderation/locate-track.ts'
import { findLocationConflicts } from '../moderation/location-conflicts.ts'
import { pushStanding } from '../standings/push-standing.ts'
import { refreshStanding } from '../standings/standing.repository.ts'
import { type Harness, harness } from '../test/harness.ts'
import { aMoment, holdPerson } from '../test/moments.ts'
import { aCombination, recordFile } from '../test/record-file.ts'
import { storeVote } from '../tracks/track-location.repository.ts'
import type { TrackLocation } from '../tracks/track-location.ts'
import { locateTracks } from './locate-tracks.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

const logger = createLogger('ingest', 'silent')
const sweep = () => locateTracks({ db: service.db, logger })

const here: TrackLocation = { lat: 39.2337, lon: -77.9757, lengthM: 3_168 }
const there: TrackLocation = { ...here, lat: here.lat + 1 }

let numbers = 0

/** Returns a track that nobody has driven. */
function aTrack(): FileCombination {
  const number = ++numbers
  return {
    ...aCombination,
    track_slug: `ring-${number}`,
    track_label: `Ring ${number}`,
    sim_track_id: number,
  }
}

const drive = (
  userId: string,
  combination: FileCombination,
  location: TrackLocation | null,
  lap?: Partial<JudgedLap>,
) => recordFile(service.db, userId, { combination, laps: [{ location, ...lap }] })

/** Records three drivers at a location, and sets the track location there as a moderator. */
async function settle(combination: FileCombination, location: TrackLocation): Promise<void> {
  const ids = await driveThree(combination, location)
  await locateTrackOfLap(service.db, ids[0]!)
  await sweep()
}

/** Records three drivers at a location, and lets them agree on it. */
async function agree(combination: FileCombination, location: TrackLocation): Promise<void> {
  await driveThree(combination, location)
  await letAllVote()
  await sweep()
}

async function driveThree(combination: FileCombination, location: TrackLocation): Promise<readonly string[]> {
  const files = []
  for (const driver of ['a', 'b', 'c']) {
    files.push(await drive(`${combination.track_slug} settler ${driver}`, combination, location))
  }
  return files.flatMap(file => file.ids)
}

/** Makes all accounts verified and old, as identity would. */
async function letAllVote(): Promise<void> {
  await service.db.updateTable('person').set({ can_vote: true }).execute()
}

async function locationOf({ track_slug }: FileCombination) {
  const row = await service.db
    .selectFrom('track_place')
    .innerJoin('combination', 'combination.id', 'track_place.track_id')
    .select(['track_place.track_id', 'lat', 'is_applied'])
    .where('track_slug', '=', track_slug)
    .executeTakeFirst()
  return row ?? null
}

/** Makes the location look as if it was set that many seconds ago. */
async function backdateAgreement(combination: FileCombination, seconds: number): Promise<void> {
  const { track_id } = (await locationOf(combination))!
  await sql`update track_place set agreed_at = now() - ${seconds} * interval '1 second'
    where track_id = ${track_id}`.execute(service.db)
}

async function countingLaps(userId: string): Promise<readonly string[]> {
  const rows = await service.db
    .selectFrom('lap')
    .select('id')
    .where('user_id', '=', userId)
    .where('counts', '=', true)
    .execute()
  return rows.map(({ id }) => id)
}

test('keeps a moderator’s location, whatever drivers vote at the same time', async () => {
  const track = aTrack()
  const { ids } = await drive('moderated', track, here)
  const trackId = await trackIdOf(track)
  const stored = aMoment()
  const voting = service.db.transaction().execute(async trx => {
    for (const userId of ['forger 1', 'forger 2', 'forger 3']) {
      await storeVote(trx, { trackId, userId, location: there })
    }
    await stored.stay()
  })
  await stored.reached
  await locateTrackOfLap(service.db, ids[0]!)
  stored.letGo()
  await voting
  await sweep()
  assert.equal((await locationOf(track))?.lat, here.lat)
})

async function trackIdOf({ track_slug }: FileCombination): Promise<number> {
  const row = await service.db
    .selectFrom('combination')
    .select('track_id')
    .where('track_slug', '=', track_slug)
    .executeTakeFirstOrThrow()
  return row.track_id
}

test('applies the current location in a late sweep, not the one it began with', async () => {
  const track = aTrack()
  const first = await drive('late first', track, here)
  const last = await drive('late last', track, there)
  await locateTrackOfLap(service.db, first.ids[0]!)
  const held = await holdPerson(service.db, 'late last')
  const late = sweep()
  await held.waitedFor()
  await locateTrackOfLap(service.db, last.ids[0]!)
  await held.letGo()
  await late
  assert.deepEqual(await countingLaps('late last'), last.ids)
})

test('sweeps again if a sweep began within a minute of the new location, however long it took', async () => {
  const track = aTrack()
  await settle(track, here)
  await service.db
    .updateTable('lap')
    .set({ line_lat: there.lat })
    .where('user_id', 'like', '% settler a')
    .execute()
  await backdateAgreement(track, 59)
  const held = await holdPerson(service.db, `${track.track_slug} settler a`)
  const slow = sweep()
  await held.waitedFor()
  await until(async () => {
    const { rows } = await sql<{
      is_over: boolean
    }>`select agreed_at < now() - interval '61 seconds' as is_over
      from track_place where track_id = ${await trackIdOf(track)}`.execute(service.db)
    return rows[0]!.is_over
  }, 'the minute to be over')
  await held.letGo()
  await slow
  assert.equal((await locationOf(track))?.is_applied, false)
  await sweep()
  assert.equal((await locationOf(track))?.is_applied, true)
})

test('hides no lap of another or no location when drivers agree', async () => {
  const track = aTrack()
  const other = await drive('drove elsewhere', track, there)
  const silent = await drive('does not say', track, null)
  await agree(track, here)
  assert.equal((await locationOf(track))?.lat, here.lat)
  await backdateAgreement(track, 61)
  await sweep()
  assert.deepEqual(await countingLaps('drove elsewhere'), other.ids)
  assert.deepEqual(await countingLaps('does not say'), silent.ids)
  assert.equal((await drive('comes later', track, there)).ingest.failure_code, 'ingest.driven_elsewhere')
})

test('lists a vote against a set location for moderators until its driver drives there', async () => {
  const track = aTrack()
  await agree(track, here)
  const location = await locationOf(track)
  await drive('dissents', track, there)
  await letAllVote()
  await sweep()
  const listed = async () =>
    (await findLocationConflicts(service.db, 50)).filter(one => one.track.track_slug === track.track_slug)
  const [conflict] = await listed()
  assert.deepEqual([conflict?.laps.count, conflict?.votes], [0, [there]])
  assert.deepEqual(await locationOf(track), location)
  await drive('dissents', track, here)
  assert.deepEqual(await listed(), [])
})

test('also takes laps without a location off the boards when a moderator sets one', async () => {
  const track = aTrack()
  const silent = await drive('silent', track, null, { timeMs: 1 })
  await settle(track, here)
  assert.deepEqual(await countingLaps('silent'), [])
  const { reasons } = await service.db
    .selectFrom('lap')
    .select('reasons')
    .where('id', '=', silent.ids[0]!)
    .executeTakeFirstOrThrow()
  assert.deepEqual(reasons, ['ELSEWHERE'])
})

test('blocks no track by a file of another track with its names and number', async () => {
  // The first file of a track can have any number, also that of a track which nobody has driven yet.
  const real = aTrack()
  const other = { ...aTrack(), sim_track_id: real.sim_track_id }
  await settle(other, there)
  const squatter = await drive('squatter', { ...real, car_slug: 'its-car' }, there)
  assert.equal(squatter.ingest.failure_code, null)
  const honest = await drive('honest', { ...real, car_slug: 'its-car' }, here)
  assert.equal(honest.ingest.failure_code, null)
  const boards = await boardsOf(['squatter', 'honest'])
  assert.equal(boards.get('squatter'), other.track_slug)
  assert.equal(boards.get('honest'), real.track_slug)
  // From then on each file leads to the track it was driven on.
  await drive('honest too', { ...real, car_slug: 'its-car' }, here)
  await drive('squatter too', { ...real, car_slug: 'its-car' }, there)
  const later = await boardsOf(['squatter too', 'honest too'])
  assert.equal(later.get('squatter too'), other.track_slug)
  assert.equal(later.get('honest too'), real.track_slug)
})

/** Returns the own names of the tracks with a standing of these drivers. */
async function boardsOf(userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await service.db
    .selectFrom('standing')
    .innerJoin('combination as named', 'named.id', 'standing.combination_id')
    .innerJoin('combination as track', 'track.id', 'named.track_id')
    .select(['standing.user_id', 'track.track_slug'])
    .where('standing.user_id', 'in', userIds)
    .execute()
  return new Map(rows.map(row => [row.user_id, row.track_slug]))
}

test('finds a renamed track by location if two tracks have the same number', async () => {
  const forged = aTrack()
  await settle(forged, there)
  const track = { ...aTrack(), sim_track_id: forged.sim_track_id }
  await settle(track, here)
  await drive('renamed', { ...track, track_slug: `${track.track_slug}-new` }, here)
  assert.equal((await boardsOf(['renamed'])).get('renamed'), track.track_slug)
})

test('accepts the new name of a track once three drivers have driven it there', async () => {
  const track = aTrack()
  await settle(track, here)
  const renamed = { ...track, track_slug: `${track.track_slug}-new` }
  const forged = { ...renamed, sim_track_id: aTrack().sim_track_id }
  for (const driver of ['one', 'two', 'three']) await drive(`renamed ${driver}`, renamed, here)
  await letAllVote()
  assert.equal((await drive('robs a name', forged, there)).ingest.failure_code, 'ingest.driven_elsewhere')
  // Files from the true location lead to the track, whatever their number.
  await drive('renamed four', forged, here)
  assert.equal((await boardsOf(['renamed four'])).get('renamed four'), track.track_slug)
})

test('claims no name of another track by accounts without a vote', async () => {
  const [track, real] = [aTrack(), aTrack()]
  await settle(track, here)
  const claimed = { ...real, sim_track_id: track.sim_track_id }
  for (const driver of ['one', 'two', 'three']) await drive(`squats ${driver}`, claimed, here)
  assert.equal((await drive('true driver', real, there)).ingest.failure_code, null)
  assert.equal((await boardsOf(['true driver'])).get('true driver'), real.track_slug)
})

test('returns a claimed name to its track by a moderator’s decision', async () => {
  const [track, real] = [aTrack(), aTrack()]
  await settle(track, there)
  const claimed = { ...real, sim_track_id: track.sim_track_id }
  for (const driver of ['one', 'two', 'three']) await drive(`claims ${driver}`, claimed, there)
  await letAllVote()
  assert.equal((await drive('shut out', real, here)).ingest.failure_code, 'ingest.driven_elsewhere')
  assert.equal(await locateTrackAt(service.db, { ...real, track_slug: 'no-such-ring' }, here), false)
  assert.equal(await locateTrackAt(service.db, real, here), true)
  assert.equal(await locateTrackAt(service.db, real, here), true)
  await drive('let in', real, here)
  await drive('let in too', { ...claimed, car_slug: 'another' }, here)
  await drive('claims four', claimed, there)
  const boards = await boardsOf(['let in', 'let in too', 'claims four'])
  assert.deepEqual(
    ['let in', 'let in too', 'claims four'].map(driver => boards.get(driver)),
    [real.track_slug, real.track_slug, track.track_slug],
  )
})

test('corrects the laps of other drivers if those of one cannot be changed, and tries that one again', async t => {
  const [track, other] = [aTrack(), aTrack()]
  for (const driver of ['1 stuck', '2 follows']) await drive(driver, track, there)
  await drive('3 elsewhere', other, there)
  await sql`create function fail() returns trigger language plpgsql as $$ begin raise 'not now'; end $$`.execute(
    service.db,
  )
  t.after(() => sql`drop function if exists fail cascade`.execute(service.db))
  await sql`create trigger stuck before update on lap for each row when (new.user_id = '1 stuck')
    execute function fail()`.execute(service.db)
  await settle(track, here)
  await settle(other, here)
  for (const each of [track, other]) await backdateAgreement(each, 61)
  await sweep()
  assert.deepEqual(await countingLaps('2 follows'), [])
  assert.deepEqual(await countingLaps('3 elsewhere'), [])
  assert.equal((await locationOf(track))?.is_applied, false)
  await sql`drop function fail cascade`.execute(service.db)
  await sweep()
  assert.deepEqual(await countingLaps('1 stuck'), [])
  assert.equal((await locationOf(track))?.is_applied, true)
})

for (const location of [
  { lat: Number.MAX_VALUE, lon: -Number.MAX_VALUE, lengthM: Number.MAX_VALUE },
  { lat: Number.MIN_VALUE, lon: -0, lengthM: Number.MIN_VALUE },
  { lat: 90, lon: 180, lengthM: 0.001 },
]) {
  test(`sweeps other tracks if drivers agree on ${Object.values(location).join(', ')}`, async () => {
    const [odd, track] = [aTrack(), aTrack()]
    await agree(odd, location)
    await agree(track, here)
    assert.notEqual(await locationOf(track), null)
    assert.equal(
      (await drive('odd', odd, here)).ingest.state,
      (await locationOf(odd)) ? 'failed' : 'recorded',
    )
  })
}

test('ends an ingest without a rank if its lap leaves the board before leaderboard confirms', async () => {
  const track = aTrack()
  const { ids } = await drive('waits', track, there)
  await settle(track, here)
  assert.deepEqual(await countingLaps('waits'), [])
  const leaderboard = createLeaderboardClient({
    url: service.leaderboard.url,
    key: new TextEncoder().encode(service.env.INTERNAL_KEY),
  })
  const standings = await service.db
    .selectFrom('standing')
    .select(['user_id as userId', 'board_id as combinationId'])
    .where('user_id', '=', 'waits')
    .execute()
  for (const key of standings) await pushStanding({ db: service.db, leaderboard }, key)
  const { state, outcome } = await service.db
    .selectFrom('ingest')
    .select(['state', 'outcome'])
    .where('user_id', '=', 'waits')
    .executeTakeFirstOrThrow()
  const { lap_id, rank } = outcome as Record<string, unknown>
  assert.deepEqual([state, lap_id, rank], ['done', ids[0], null])
  const published = service.leaderboard.received.find(standing => standing.user_id === 'waits')
  assert.deepEqual([published?.complete, published?.clean], [null, null])
})

test('restores laps as they were: unclean ones unclean, hidden ones hidden, deleted ones never', async () => {
  const track = aTrack()
  const { ids } = await recordFile(service.db, 'comes back', {
    combination: track,
    laps: [
      { location: here, timeMs: 10 },
      { location: here, timeMs: 9, isClean: false, reasons: ['OFF_TRACK'] },
      { location: here, timeMs: 8 },
      { location: here, timeMs: 7, counts: false, isClean: false, isCompleted: false, reasons: ['JUMP'] },
      { location: here, timeMs: 6 },
    ],
  })
  await allowReference(service.db, { userId: 'comes back', lapId: ids[0]! }, false)
  const laps = () =>
    service.db
      .selectFrom('lap')
      .select(['id', 'counts', 'is_clean', 'reasons', 'reference_allowed', 'deleted_at'])
      .where('user_id', '=', 'comes back')
      .orderBy('lap_no')
      .execute()
  await forget('comes back', ids[4]!)
  const before = await laps()
  const stray = await drive('stray', track, there)
  await locateTrackOfLap(service.db, stray.ids[0]!)
  await sweep()
  await sweep()
  assert.deepEqual(await countingLaps('comes back'), [])
  await forget('comes back', ids[2]!)
  await locateTrackOfLap(service.db, ids[0]!)
  await sweep()
  await sweep()
  const now = await laps()
  for (const index of [0, 1, 3, 4]) assert.deepEqual(now[index], before[index])
  assert.deepEqual([now[2]?.counts, now[2]?.reasons], [false, []])
  const standing = await service.db
    .selectFrom('standing')
    .select(['complete_lap_id', 'clean_lap_id'])
    .where('user_id', '=', 'comes back')
    .executeTakeFirstOrThrow()
  assert.deepEqual(standing, { complete_lap_id: ids[1], clean_lap_id: ids[0] })
})

async function forget(userId: string, lapId: string): Promise<void> {
  await service.db.transaction().execute(async trx => {
    await acquireAccountLock(trx, userId)
    const found = await forgetLap(trx, { userId, lapId })
    await refreshStanding(trx, { userId, combinationId: found!.combinationId })
  })
}

test('judges all laps by the location and keeps the best standings if files, deletions and sweeps run together', async () => {
  const track = aTrack()
  const users = Array.from({ length: 24 }, (_, index) => `${track.track_slug} driver ${index}`)
  let isOver = false
  const sweeping = [1, 2].map(async () => {
    while (!isOver) await sweep()
  })
  const failures: unknown[] = []
  await Promise.all(
    users.map(async (userId, index) => {
      try {
        for (let file = 0; file < 3; file++) {
          const location = index % 4 === 0 ? there : here
          const { ingest, ids } = await recordFile(service.db, userId, {
            combination: { ...track, car_slug: `car-${index % 3}` },
            laps: [0, 1].map(lap => ({ location, timeMs: 1_000 + ((index * 7 + file * 3 + lap) % 11) })),
          })
          if (index === 1 && file === 0) await locateTrackOfLap(service.db, ids[0]!)
          if (index % 5 === 0 && ingest.failure_code === null) {
            await forget(userId, ids[0]!)
          }
          if (index % 6 === 5 && file === 2) await service.forget(userId)
        }
      } catch (error) {
        failures.push(error)
      }
    }),
  )
  isOver = true
  await Promise.all(sweeping)
  assert.deepEqual(failures, [])
  await backdateAgreement(track, 61)
  await sweep()
  assert.equal((await locationOf(track))?.is_applied, true)

  const { rows: wrong } =
    await sql`select lap.id from lap join combination on combination.id = lap.combination_id
    where track_id = ${await trackIdOf(track)} and deleted_at is null
      and (counts <> (line_lat = ${here.lat}) or is_clean <> counts)`.execute(service.db)
  assert.deepEqual(wrong, [])
  const { rows: off } = await sql`select user_id from standing
    where user_id like ${`${track.track_slug} %`} and complete_lap_id is distinct from (
      select id from lap where lap.user_id = standing.user_id and lap.board_id = standing.board_id and counts
        and deleted_at is null order by time_ms, recorded_at, id limit 1)`.execute(service.db)
  assert.deepEqual(off, [])
  for (const [index, userId] of users.entries()) {
    const isGone = index % 6 === 5 || index % 4 === 0
    assert.equal((await countingLaps(userId)).length > 0, !isGone, userId)
  }
})
