import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import { aFile, type FileOptions } from '../test/a-file.ts'
import { type Harness, harness } from '../test/harness.ts'
import { runModerate } from '../test/run-moderate.ts'

let service: Harness

before(async () => {
  service = await harness()
  await service.startWorker()
})

after(() => service.close())

interface Ring {
  readonly trackName: string
  readonly trackId: number
  /** Degrees north of the usual location of the tests' files. */
  readonly northDeg: number
}

const alfa: Ring = { trackName: 'Alfa Ring', trackId: 101, northDeg: 0 }
const bravo: Ring = { trackName: 'Bravo Ring', trackId: 102, northDeg: 0.03 }

let drivers = 1_000

interface DriveOptions extends FileOptions {
  /** The account; a new one unless given. */
  readonly as?: string
  /** A channel that the file does not have. */
  readonly without?: string
}

/** Brings a file of a new driver. */
async function drive({ trackName, trackId, northDeg }: Ring, options: DriveOptions = {}) {
  const driverId = ++drivers
  const { as = `driver ${driverId}`, without, ...more } = options
  const file = Buffer.from(
    aFile({
      driverId,
      trackName,
      trackId,
      spoil: ({ channel }) => {
        const lat = channel('Lat')
        for (let row = 0; row < lat.length; row++) lat[row]! += northDeg
      },
      ...more,
    }),
  )
  // Renames the channel in the file: its name ends with a zero byte, and unknown names are not read.
  if (without !== undefined) file.write('?', file.indexOf(`${without}\0`), 'latin1')
  return { ...(await service.uploadAndIngest(as, file)), as }
}

/** Brings enough drivers to fix the location of a ring. */
async function settle(ring: Ring): Promise<void> {
  for (let driver = 0; driver < 3; driver++) assert.equal((await drive(ring)).status, 201)
  await until(() => isLocated(ring), 'the drivers of a ring to agree on its location')
}

async function isLocated({ trackName }: Ring): Promise<boolean> {
  const row = await service.db
    .selectFrom('track_place')
    .innerJoin('combination', 'combination.id', 'track_place.track_id')
    .select('track_place.track_id')
    .where('combination.track_label', '=', trackName)
    .executeTakeFirst()
  return row !== undefined
}

const lapsOnBoard = (trackSlug: string) => service.leaderboard.entries(trackSlug, 'complete').length

function assertElsewhere({ status, body }: { status: number; body: Record<string, unknown> }): void {
  assert.deepEqual([status, body.code], [422, 'ingest.driven_elsewhere'])
}

test('refuses a file of another location once drivers agree, and binds nothing', async () => {
  await settle(alfa)
  const before = lapsOnBoard('alfa-ring')
  const forged = await drive({ ...alfa, northDeg: 0.03 }, { lapTimesS: [15] })
  assertElsewhere(forged)
  assert.equal(
    forged.body.detail,
    'The laps of this file were not driven on the track that it names, so they have no board.',
  )
  assert.equal(lapsOnBoard('alfa-ring'), before)
  for (const table of ['file', 'sim_driver', 'lap'] as const) {
    const rows = await service.db
      .selectFrom(table)
      .select('user_id')
      .where('user_id', '=', forged.as)
      .execute()
    assert.deepEqual(rows, [], table)
  }
})

test('refuses a file without a location, or with another track length', async () => {
  const ring = { trackName: 'Silent Ring', trackId: 103, northDeg: 0.01 }
  await settle(ring)
  const silent = await drive(ring, { without: 'Lat' })
  assert.deepEqual([silent.status, silent.body.code], [422, 'ingest.place_unknown'])
  assert.equal(silent.body.detail, 'This file does not say where it was driven, so its laps have no board.')
  const nowhere = await drive(ring, {
    spoil: ({ channel }) => ['Lat', 'Lon'].map(name => channel(name).fill(0)),
  })
  assert.equal(nowhere.body.code, 'ingest.place_unknown')
  assertElsewhere(await drive(ring, { lengthM: 760 }))
  assert.equal((await drive(ring)).status, 201)
})

test('hides no lap that was recorded before the drivers agreed, and lists it for a moderator', async () => {
  const ring = { trackName: 'Early Ring', trackId: 104, northDeg: 0.1 }
  const early = await drive({ ...ring, northDeg: 0.2 }, { lapTimesS: [14] })
  assert.equal(early.status, 201)
  await settle(ring)
  assertElsewhere(await drive({ ...ring, northDeg: 0.2 }, { lapTimesS: [14.5] }))
  const listed = await conflictOf('early-ring')
  assert.match(listed, /located at 50\.1\d{5} .*\n {2}laps elsewhere: 1, such as /)
  assert.ok(listed.includes(String(early.body.lap_id)))
  assert.equal(isOnBoard('early-ring', 14_000), true)

  // A moderator who sets the same location takes the lap off, and its driver's next best lap replaces it.
  const own = await drive(ring, { lapTimesS: [22], as: early.as })
  assert.equal(own.body.skipped, 'not_faster')
  const [settler] = await lapsOf('Early Ring', 19_500)
  assert.equal((await moderate('place-track', settler!)).code, 0)
  await until(() => isOnBoard('early-ring', 22_000), 'the other lap to be on the board')
  const { body } = await service.call('listLaps', { method: 'GET', url: '/api/laps', as: early.as })
  const laps = body.laps as { time_ms: number; reasons: string[]; is_clean: boolean; on_board: string[] }[]
  const lap = laps.find(({ time_ms }) => time_ms === 14_000)
  assert.deepEqual([lap?.reasons.includes('ELSEWHERE'), lap?.is_clean, lap?.on_board], [true, false, []])
  assert.equal(isOnBoard('early-ring', 14_000), false)
  assert.equal(await conflictOf('early-ring'), '')
})

/** Returns what `place-conflicts` prints of a track; empty if there is no conflict. */
async function conflictOf(trackSlug: string): Promise<string> {
  const { out, code } = await moderate('place-conflicts')
  assert.equal(code, 0, out)
  return out.split(/^(?=\S)/m).find(part => part.startsWith(`iracing ${trackSlug} `)) ?? ''
}

async function lapsOf(trackLabel: string, timeMs: number): Promise<readonly string[]> {
  const rows = await service.db
    .selectFrom('lap')
    .innerJoin('combination', 'combination.id', 'lap.combination_id')
    .select('lap.id')
    .where('track_label', '=', trackLabel)
    .where('time_ms', '=', timeMs)
    .execute()
  return rows.map(({ id }) => id)
}

function isOnBoard(trackSlug: string, timeMs: number): boolean {
  return service.leaderboard.entries(trackSlug, 'complete').some(lap => lap.time_ms === timeMs)
}

test('makes no alias of a new name with another track’s number, so the track of that name is not lost', async () => {
  await settle(bravo)
  // Driven elsewhere, so the file makes a track of that name.
  const ownTrack = { trackName: 'Charlie Ring', trackId: bravo.trackId, northDeg: 0.3 }
  assert.equal((await drive(ownTrack)).status, 201)
  assert.equal(isOnBoard('charlie-ring', 19_500), true)
  // Driven on the track of the number, so it is another name of that track, as after a renaming.
  const before = lapsOnBoard('bravo-ring')
  assert.equal((await drive({ ...bravo, trackName: 'Delta Ring' })).status, 201)
  assert.equal(lapsOnBoard('bravo-ring'), before + 1)
  assert.deepEqual(aliases('bravo-ring'), new Set([null, 'delta-ring']))
  // The track that owns the name still gets boards of its own.
  const delta = { trackName: 'Delta Ring', trackId: 105, northDeg: 0.4 }
  assert.equal((await drive(delta)).status, 201)
  assert.equal(lapsOnBoard('delta-ring'), 1)
  await settle(delta)
  assert.equal(lapsOnBoard('delta-ring'), 4)
  assert.equal(lapsOnBoard('bravo-ring'), before + 1)
})

test('finds no track by its number before drivers agree', async () => {
  const first = { trackName: 'Echo Ring', trackId: 106, northDeg: 0.5 }
  await drive(first)
  assert.equal((await drive({ ...first, trackName: 'Foxtrot Ring' })).status, 201)
  assert.equal(lapsOnBoard('echo-ring'), 1)
  assert.equal(lapsOnBoard('foxtrot-ring'), 1)
})

function aliases(trackSlug: string): ReadonlySet<string | null> {
  const standings = service.leaderboard.received.filter(
    ({ combination }) => combination.track_slug === trackSlug,
  )
  return new Set(standings.map(({ combination }) => combination.alias_slug))
}

test('takes laps of the agreed location off the boards when a moderator sets another one', async () => {
  const ring = { trackName: 'Golf Ring', trackId: 107, northDeg: 0.6 }
  const honest = await drive(ring, { lapTimesS: [21] })
  await settle({ ...ring, northDeg: 0.7 })
  assert.equal(isOnBoard('golf-ring', 21_000), true)
  // The file is refused, but a moderator sees its vote.
  const voter = await drive(ring, { lapTimesS: [20.5] })
  assertElsewhere(voter)
  await until(async () => /vote for/.test(await conflictOf('golf-ring')), 'the vote to be valid')
  const lapId = String(honest.body.lap_id)
  assert.deepEqual(await moderate('place-track', lapId), {
    code: 0,
    out: 'the track is now where this lap was driven\n',
  })
  await until(() => lapsOnBoard('golf-ring') === 1, 'the other laps to leave the board')
  assert.equal(isOnBoard('golf-ring', 21_000), true)
  assert.equal(await conflictOf('golf-ring'), '')
  assert.equal((await drive(ring, { lapTimesS: [20] })).status, 201)
  assert.equal((await moderate('place-track', '0'.repeat(8))).code, 2)
  assert.equal((await moderate('place-track', '00000000-0000-4000-8000-000000000000')).code, 1)
})

test('returns a track from forged files by a moderator’s decision, even after the forgers’ accounts were deleted', async () => {
  const ring = { trackName: 'Hotel Ring', trackId: 108, northDeg: 0.8 }
  const forged = { ...ring, northDeg: 0.9 }
  const forgers = [await drive(forged), await drive(forged), await drive(forged)].map(({ as }) => as)
  await until(() => isLocated(ring), 'the forgers to agree')
  assertElsewhere(await drive(ring))
  for (const forger of forgers) await service.forget(forger)
  const at = ['place-track-at', 'iracing', 'hotel-ring', 'default']
  const [line] = await lineOf(ring)
  assert.deepEqual(await moderate(...at, ...line!), { code: 0, out: 'the track is now there\n' })
  assert.equal((await drive(ring)).status, 201)
  assertElsewhere(await drive(forged))
  assert.equal((await moderate('place-track-at', 'iracing', 'no-ring', 'default', ...line!)).code, 1)
  assert.equal((await moderate(...at, '0', '0', '0')).code, 2)
})

/** Returns line and length of laps that are driven on a ring, as a moderator writes them. */
async function lineOf({ northDeg }: Ring): Promise<readonly string[][]> {
  const rows = await service.db
    .selectFrom('lap')
    .innerJoin('combination', 'combination.id', 'lap.combination_id')
    .select(['line_lat', 'line_lon', 'length_m'])
    .where('track_label', '=', alfa.trackName)
    .where('line_lat', 'is not', null)
    .execute()
  return rows.map(({ line_lat, line_lon, length_m }) => [
    (line_lat! - alfa.northDeg + northDeg).toFixed(6),
    line_lon!.toFixed(6),
    String(length_m),
  ])
}

const moderate = (...args: string[]) => runModerate(service, ...args)
