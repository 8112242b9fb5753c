import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import { sql } from 'kysely'
import { aFile, type Spoil } from '../test/a-file.ts'
import { type Answer, type Harness, harness } from '../test/harness.ts'
import { aCombination, recordFile } from '../test/record-file.ts'
import { toCursor } from './lap-cursor.ts'

interface MyLap {
  readonly lap_id: string
  readonly lap: number
  readonly time_ms: number | null
  readonly on_board: readonly string[]
  readonly [field: string]: unknown
}

let service: Harness

before(async () => {
  service = await harness()
  await service.startWorker()
})

after(() => service.close())

afterEach(() => {
  service.leaderboard.mood = 'well'
})

const list = (as: string, query = '') =>
  service.call('listLaps', { method: 'GET', url: `/api/laps${query}`, as })
const remove = (as: string, lapId: string) =>
  service.call('deleteLap', { method: 'DELETE', url: `/api/laps/${lapId}`, as })
const allow = (as: string, lapId: string, isAllowed: boolean) =>
  service.call('updateLap', {
    method: 'PATCH',
    url: `/api/v1/laps/${lapId}`,
    as,
    body: { reference_allowed: isAllowed },
  })

async function lapsOf(as: string): Promise<readonly MyLap[]> {
  return (await list(as, '?limit=100')).body.laps as MyLap[]
}

async function lapOf(as: string, timeMs: number): Promise<MyLap> {
  const lap = (await lapsOf(as)).find(one => one.time_ms === timeMs)
  assert.ok(lap)
  return lap
}

async function nullableColumns(table: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and not attnotnull`.execute(
    service.db,
  )
  return rows.map(({ name }) => name)
}

function entriesOf(track: string, board: 'complete' | 'clean' = 'complete') {
  return service.leaderboard.entries(track, board).map(entry => entry.time_ms)
}

test('lists the own laps with their verdicts, the newest first', async () => {
  const { body } = await service.uploadAndIngest(
    'lister',
    aFile({
      driverId: 1,
      lapTimesS: [20, 19.5],
      layoutName: 'Full Course',
      startedAt: new Date('2026-01-01T12:00:00Z'),
      sessionType: 'Lone Qualify',
      airTemp: '21.50 C',
      skies: 'Mostly Cloudy',
      spoil: ({ channel, lineRows: [first] }) =>
        channel('PlayerTrackSurface').fill(0, first! + 300, first! + 360),
    }),
  )
  const laps = await lapsOf('lister')
  assert.deepEqual(
    laps.map(lap => [
      lap.lap,
      lap.time_ms,
      lap.time_fmt,
      lap.is_completed,
      lap.is_clean,
      lap.reasons,
      lap.on_board,
    ]),
    [
      [4, null, null, false, false, ['NO_CLOSE'], []],
      [3, 19_500, '0:19.500', true, true, [], ['complete', 'clean']],
      [2, 20_000, '0:20.000', true, false, ['OFF_TRACK'], []],
      [1, null, null, false, false, ['NO_OPEN'], []],
    ],
  )
  const { lap_id, recorded_at, ...lap } = laps[1]!
  assert.equal(lap_id, body.lap_id)
  assert.match(String(recorded_at), /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  assert.deepEqual(lap, {
    ingest_id: body.ingest_id,
    lap: 3,
    driven_at: '2026-01-01T12:00:21.017Z',
    session_kind: 'qualifying',
    air_temp_c: 21.5,
    skies: 2,
    time_ms: 19_500,
    time_fmt: '0:19.500',
    time_source: 'official',
    is_completed: true,
    is_clean: true,
    reasons: [],
    combination: {
      sim: 'iracing',
      track_slug: 'round-ring',
      layout: 'full-course',
      car_slug: 'lapwing-gt',
      track_label: 'Round Ring, Full Course',
      car_label: 'Lapwing GT',
    },
    on_board: ['complete', 'clean'],
    review: null,
    reference_allowed: true,
    has_reference: true,
  })
  // The boards receive the same facts.
  const [entry] = service.leaderboard.entries('round-ring', 'complete')
  assert.deepEqual(
    [entry?.driven_at, entry?.session_kind, entry?.air_temp_c, entry?.skies],
    ['2026-01-01T12:00:21.017Z', 'qualifying', 21.5, 2],
  )
  assert.deepEqual((await list('nobody')).body, { ok: true, laps: [], next_cursor: null })
})

test('lists and changes a lap on a track that another driver named offensively without those words', async () => {
  const combination = { ...aCombination, track_slug: 'quiet-park', sim_track_id: 7_001 }
  await recordFile(service.db, 'namer', {
    combination: { ...combination, track_label: 'Fuck Raceway', car_label: 'Shithead GT' },
    laps: [{ timeMs: 70_000 }],
  })
  const { ids } = await recordFile(service.db, 'reader', { combination, laps: [{ timeMs: 71_000 }] })
  const labelsOf = (lap: MyLap) => lap.combination as Record<string, unknown>
  for (const lap of [await lapOf('reader', 71_000), (await allow('reader', ids[0]!, false)).body as MyLap]) {
    assert.equal(labelsOf(lap).track_label, 'Quiet Park')
    assert.equal(labelsOf(lap).car_label, 'Car')
  }
})

test('stores at most 500 incomplete laps of a file whose rows jump across the line', async () => {
  const spoil = ({ lineRows, channel }: Spoil) => {
    const share = channel('LapDistPct')
    for (let row = lineRows.at(-1)! + 300; row < share.length; row++) share[row] = row % 2 === 0 ? 0.95 : 0.05
  }
  const { status } = await service.uploadAndIngest('jumper', aFile({ driverId: 12, afterS: 60, spoil }))
  assert.equal(status, 201)
  const kept = await service.db
    .selectFrom('lap')
    .select(['is_completed'])
    .where('user_id', '=', 'jumper')
    .execute()
  assert.equal(kept.filter(lap => lap.is_completed).length, 2)
  assert.equal(kept.filter(lap => !lap.is_completed).length, 500)
})

test('lists only laps that can be opened again, if that is asked for', async () => {
  await service.uploadAndIngest('opener', aFile({ driverId: 41, lapTimesS: [20, 19.5] }))
  const page = await list('opener', '?has_reference=true&limit=1')
  const next = await list('opener', `?has_reference=true&limit=1&cursor=${page.body.next_cursor}`)
  const times = [page, next].map(({ body }) => (body.laps as MyLap[]).map(lap => lap.time_ms))
  assert.deepEqual(times, [[19_500], [20_000]])
  assert.equal(next.body.next_cursor, null)
  assert.equal((await list('opener', '?has_reference=perhaps')).status, 400)
})

test('skips and repeats no lap between pages, even if all were recorded in one microsecond', async () => {
  for (const file of [1, 2, 3]) {
    await service.uploadAndIngest('pager', aFile({ driverId: 2, lapTimesS: Array(5).fill(20 + file) }))
  }
  await service.db
    .updateTable('lap')
    .set({
      recorded_at: sql<Date>`timestamptz '2026-03-01T12:00:00.123456Z' + (lap_no % 2) * interval '1 microsecond'`,
    })
    .where('user_id', '=', 'pager')
    .execute()
  const all = (await lapsOf('pager')).map(lap => lap.lap_id)
  assert.equal(all.length, 21)
  for (const limit of [1, 2, 7, 20, 21]) {
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Answer = await list('pager', `?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`)
      const laps = page.body.laps as MyLap[]
      assert.ok(laps.length > 0 && laps.length <= limit)
      seen.push(...laps.map(lap => lap.lap_id))
      cursor = page.body.next_cursor as string | null
    }
    assert.deepEqual(seen, all, `limit ${limit}`)
  }
})

const badCursors = [
  'x',
  '%00',
  Buffer.from("2026-01-01T00:00:00.000000Z '; drop table lap").toString('base64url'),
  Buffer.from(`2026-99-99T99:99:99.000000Z ${randomUUID()}`).toString('base64url'),
  toCursor({ recordedAt: '2026-02-31T00:00:00.000000Z', lapId: randomUUID() }),
  toCursor({ recordedAt: '0000-01-01T00:00:00.000000Z', lapId: randomUUID() }),
  toCursor({ recordedAt: '2026-01-01T24:00:00.000000Z', lapId: randomUUID() }),
  toCursor({ recordedAt: '2026-01-01T00:00:00.000000Z', lapId: '-'.repeat(36) }),
  toCursor({ recordedAt: '2026-01-01T00:00:00Z', lapId: randomUUID() }),
]
for (const query of [
  '?limit=0',
  '?limit=101',
  '?limit=1000000',
  '?limit=-1',
  '?limit=x',
  '?cursor=',
  ...badCursors.map(cursor => `?cursor=${cursor}`),
]) {
  test(`answers 400 for ${query.slice(0, 60)}`, async () => {
    const { status, body } = await list('lister', query)
    assert.equal(status, 400)
    assert.equal(body.code, 'ingest.bad_request')
  })
}

test('lets only the driver hide a lap as a reference and show it again; its rank stays', async () => {
  await service.uploadAndIngest('hider', aFile({ driverId: 3, trackName: 'Hiders Ring' }))
  const lap = await lapOf('hider', 19_500)
  assert.equal((await allow('hider', lap.lap_id, false)).body.reference_allowed, false)
  const again = await allow('hider', lap.lap_id, false)
  assert.deepEqual(again.body, { ...lap, reference_allowed: false })
  assert.deepEqual(entriesOf('hiders-ring'), [19_500])
  assert.deepEqual((await allow('hider', lap.lap_id, true)).body, lap)
  for (const [as, lapId] of [
    ['lister', lap.lap_id],
    ['hider', randomUUID()],
  ] as const) {
    const { status, body } = await allow(as, lapId, false)
    assert.deepEqual([status, body.code], [404, 'ingest.lap_not_found'])
  }
})

test('publishes a changed reference flag immediately, or from the sweeper if leaderboard is down', async () => {
  await service.uploadAndIngest('sharer', aFile({ driverId: 31, trackName: 'Sharers Ring' }))
  const lap = await lapOf('sharer', 19_500)
  const flagOn = (board: 'complete' | 'clean') =>
    service.leaderboard.entries('sharers-ring', board).map(entry => entry.reference_available ?? true)
  assert.deepEqual([flagOn('complete'), flagOn('clean')], [[true], [true]])
  await allow('sharer', lap.lap_id, false)
  assert.deepEqual([flagOn('complete'), flagOn('clean')], [[false], [false]])

  const publishedBefore = service.leaderboard.received.length
  await allow('sharer', lap.lap_id, false)
  await allow('sharer', (await lapOf('sharer', 20_000)).lap_id, false)
  assert.equal(service.leaderboard.received.length, publishedBefore, 'nothing changed on the boards')

  service.leaderboard.mood = 'failing'
  assert.equal((await allow('sharer', lap.lap_id, true)).status, 200)
  assert.deepEqual(flagOn('complete'), [false])
  service.leaderboard.mood = 'well'
  await until(() => flagOn('complete')[0] === true, 'the sweeper to publish it')
})

test('takes a deleted lap off the boards before 204, and the driver’s next best lap replaces it', async () => {
  const ring = { driverId: 4, trackName: 'Deleters Ring' }
  await service.uploadAndIngest('deleter', aFile({ ...ring, lapTimesS: [20, 19.5, 19.75] }))
  await service.uploadAndIngest('deleter', aFile({ ...ring, lapTimesS: [19.6] }))
  for (const [timeMs, left] of [
    [19_500, [19_600]],
    [19_750, [19_600]],
    [19_600, [20_000]],
    [20_000, []],
  ] as const) {
    const { lap_id: lapId } = await lapOf('deleter', timeMs)
    assert.equal((await remove('deleter', lapId)).status, 204)
    assert.deepEqual(entriesOf('deleters-ring'), left)
    assert.deepEqual(entriesOf('deleters-ring', 'clean'), left)
    assert.equal((await remove('deleter', lapId)).status, 204)
    assert.equal(
      (await lapsOf('deleter')).some(lap => lap.lap_id === lapId),
      false,
    )
    assert.equal((await allow('deleter', lapId, true)).status, 404)
  }
})

test('clears a deleted lap and its series, and the same file does not bring it back', async () => {
  const file = aFile({
    driverId: 5,
    trackName: 'Forgotten Ring',
    lapTimesS: [20],
    sessionType: 'Race',
    airTemp: '21.50 C',
    skies: 'Clear',
  })
  const { body } = await service.uploadAndIngest('forgetful', file)
  const lapId = String(body.lap_id)
  const rowOf = () =>
    service.db.selectFrom('lap').selectAll().where('id', '=', lapId).executeTakeFirstOrThrow()
  const kept = await rowOf()
  // The file must fill each column that can be empty, except those that a person fills.
  const byPeople = new Set(['deleted_at', 'review'])
  const columns = (await nullableColumns('lap')).filter(name => !byPeople.has(name))
  const filled = (row: object) => columns.filter(name => row[name as keyof typeof row] !== null)
  assert.deepEqual(filled(kept), columns)
  await remove('forgetful', lapId)
  const left = await rowOf()
  assert.deepEqual([filled(left), left.reasons], [[], []])
  await until(async () => {
    const { objects } = await service.bucket.store.list(kept.series_key!)
    return objects.length === 0
  }, 'the series to be removed')
  assert.equal((await service.uploadAndIngest('forgetful', file)).body.skipped, 'already_ingested')
  assert.deepEqual(entriesOf('forgotten-ring'), [])
  await service.uploadAndIngest(
    'forgetful',
    aFile({ driverId: 5, trackName: 'Forgotten Ring', lapTimesS: [25] }),
  )
  assert.deepEqual(entriesOf('forgotten-ring'), [25_000])
})

test('answers 503 while leaderboard is down; the sweeper publishes, and a second call answers 204', async () => {
  const { body } = await service.uploadAndIngest('unlucky', aFile({ driverId: 6, trackName: 'Unlucky Ring' }))
  const lapId = String(body.lap_id)
  service.leaderboard.mood = 'failing'
  for (let call = 0; call < 2; call++) {
    const answer = await remove('unlucky', lapId)
    assert.deepEqual([answer.status, answer.body.code], [503, 'ingest.busy'])
    assert.ok(answer.headers['retry-after'])
  }
  assert.deepEqual(entriesOf('unlucky-ring'), [19_500])
  service.leaderboard.mood = 'well'
  await until(() => entriesOf('unlucky-ring')[0] === 20_000, 'the sweeper to publish it')
  assert.equal((await remove('unlucky', lapId)).status, 204)
})

test('chooses the best remaining lap if a lap is deleted repeatedly while files are judged', async () => {
  const ring = { driverId: 7, trackName: 'Busy Ring' }
  const first = await service.uploadAndIngest('busy', aFile({ ...ring, lapTimesS: [19] }))
  const lapId = String(first.body.lap_id)
  const answers = await Promise.all([
    remove('busy', lapId),
    service.uploadAndIngest('busy', aFile({ ...ring, lapTimesS: [21] })),
    remove('busy', lapId),
    service.uploadAndIngest('busy', aFile({ ...ring, lapTimesS: [20] })),
    remove('busy', lapId),
  ])
  for (const { status } of answers) assert.ok([200, 201, 204].includes(status), String(status))
  assert.deepEqual(entriesOf('busy-ring'), [20_000])
})

test('answers 400 for a lap id that is written as a URN', async () => {
  const url = `/api/laps/urn:uuid:${randomUUID()}`
  for (const answer of [
    await service.call('getReference', { method: 'GET', url: `${url}/reference`, as: 'lister' }),
    await service.call('deleteLap', { method: 'DELETE', url, as: 'lister' }),
  ]) {
    assert.deepEqual([answer.status, answer.body.code], [400, 'ingest.bad_request'])
  }
})

test('answers 404 if another driver deletes the lap', async () => {
  const { body } = await service.uploadAndIngest('careful', aFile({ driverId: 8, trackName: 'Careful Ring' }))
  for (const [as, lapId] of [
    ['lister', String(body.lap_id)],
    ['careful', randomUUID()],
  ] as const) {
    const answer = await remove(as, lapId)
    assert.deepEqual([answer.status, answer.body.code], [404, 'ingest.lap_not_found'])
  }
  assert.deepEqual(entriesOf('careful-ring'), [19_500])
})

test('keeps one standing of a driver on a track that was renamed or scanned again', async () => {
  const save = (lapS: number, trackName: string, trackId: number) =>
    service.uploadAndIngest('old hand', aFile({ driverId: 9, lapTimesS: [lapS], trackName, trackId }))
  await save(20, 'Old Name', 41)
  for (const driverId of [91, 92]) {
    await service.uploadAndIngest(
      `driver ${driverId}`,
      aFile({ driverId, trackName: 'Old Name', trackId: 41 }),
    )
  }
  await until(async () => {
    const placed = await service.db
      .selectFrom('track_place')
      .innerJoin('combination', 'combination.id', 'track_place.track_id')
      .select('combination.track_label')
      .execute()
    return placed.some(track => track.track_label === 'Old Name')
  }, 'three drivers to agree on the track location')
  const renamed = await save(21, 'New Name', 41)
  assert.equal(renamed.body.skipped, 'not_faster')
  const scanned = await save(19, 'New Name', 42)
  assert.equal(scanned.body.previous_best_ms, 20_000)
  const standings = await service.db
    .selectFrom('standing')
    .selectAll()
    .where('user_id', '=', 'old hand')
    .execute()
  assert.equal(standings.length, 1)
  await until(() => publishedTracks('old hand').size === 2, 'leaderboard to receive each name')
  assert.deepEqual(publishedTracks('old hand'), new Set(['old-name 41', 'old-name 41 also new-name']))
  const other = await service.uploadAndIngest(
    'newcomer',
    aFile({ driverId: 10, trackName: 'Old Name', trackId: 43 }),
  )
  assert.equal(other.status, 201)
  const boards = await service.db
    .selectFrom('standing')
    .select('board_id')
    .where('user_id', 'in', ['old hand', 'newcomer'])
    .execute()
  assert.equal(new Set(boards.map(row => row.board_id)).size, 1)
})

test('publishes the number with which a track first came, even if no lap counted then', async () => {
  const save = (trackName: string, trackId: number, scores?: readonly number[]) =>
    service.uploadAndIngest(
      'surveyor',
      aFile({ driverId: 11, lapTimesS: [20], trackName, trackId, ...(scores && { scores }) }),
    )
  // The simulator refuses the lap: there is no standing, but the track is now known.
  assert.equal((await save('First Name', 51, [-1])).body.skipped, 'no_complete_lap')
  assert.equal((await save('First Name', 52)).status, 201)
  // Another track with the same number, which leaderboard must not confuse with the one above.
  assert.equal((await save('Second Name', 52)).status, 201)
  assert.deepEqual(publishedTracks('surveyor'), new Set(['first-name 51', 'second-name 52']))
})

function publishedTracks(userId: string): ReadonlySet<string> {
  const standings = service.leaderboard.received.filter(standing => standing.user_id === userId)
  return new Set(
    standings.map(({ combination: { track_slug, alias_slug, track_id } }) =>
      [track_slug, track_id, ...(alias_slug === null ? [] : ['also', alias_slug])].join(' '),
    ),
  )
}
