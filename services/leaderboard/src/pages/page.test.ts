import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { defaultNameOf } from '@lapwing/usernames/default-name'
import { aLap, aStanding, summit, summitPage } from '../test/a-standing.ts'
import { type Harness, harness, type Page, type Row } from '../test/harness.ts'

let service: Harness
let contextId: number

/** Drivers user-01 … user-25 are a second apart, so that ranks equal their numbers. */
const drivers = Array.from({ length: 25 }, (_, i) => ({
  userId: `user-${String(i + 1).padStart(2, '0')}`,
  timeMs: 90_000 + i * 1_000,
}))

before(async () => {
  service = await harness()
  for (const { userId, timeMs } of drivers) {
    const { context_id } = await service.put(
      aStanding(userId, timeMs, {
        clean: null,
        complete: aLap(timeMs, { of: userId, is_clean: false, recorded_at: '2026-03-01T12:00:00.123456Z' }),
      }),
    )
    contextId = context_id
  }
  await service.put(aStanding('user-25', 114_000, { version: 2 }))
  await service.publish({
    case: 'usernameChanged',
    value: { $typeName: 'lapwing.events.v1.UsernameChanged', userId: 'user-02', username: 'Second' },
  })
})

after(() => service.close())

const page = (more = '', as = 'user-reader') => service.get<Page>('getPage', `${summitPage}${more}`, as)
const me = (more: string, as: string) => service.get('getMe', `/api/leaderboards/${contextId}/me${more}`, as)
const summarise = (rows: readonly Row[]) => rows.map(row => [row.rank, row.user_id, row.delta_ms])

test('forbids browsers to cache pages and windows, because other people may use the same browser', async () => {
  for (const { headers } of [await page(), await me('', 'user-03')]) {
    assert.equal(headers['cache-control'], 'no-store')
  }
})

test('returns all fields of the contract, and the generated name of a driver who has chosen none', async () => {
  const { status, body } = await page('&limit=2')
  assert.equal(status, 200)
  const [first] = body.rows
  assert.deepEqual(
    { ...body, next_cursor: typeof body.next_cursor, rows: body.rows.length },
    {
      ok: true,
      context_id: contextId,
      p1_ms: 90_000,
      delta_reference: 'p1',
      user_lap_ms: null,
      rows: 2,
      total: 25,
      limit: 2,
      offset: 0,
      next_offset: 2,
      next_cursor: 'string',
    },
  )
  assert.deepEqual(first, {
    rank: 1,
    user_id: 'user-01',
    lap_id: aLap(90_000, { of: 'user-01' }).lap_id,
    display_name: defaultNameOf('user-01'),
    best_lap_time_ms: 90_000,
    delta_ms: null,
    recorded_at: '2026-03-01T12:00:00.123456Z',
    is_clean: false,
    driven_at: null,
    session_kind: null,
    air_temp_c: null,
    skies: null,
    reference_available: true,
  })
  assert.equal(body.rows[1]!.display_name, 'Second')
})

test('serves every address with and without its version', async () => {
  assert.deepEqual(
    (await page('&limit=1')).body,
    (await service.get<Page>('getPage', `${summitPage.replace('/api/', '/api/v1/')}&limit=1`, 'user-reader'))
      .body,
  )
})

test('returns deltas to the first entry, and none on its own row (D-9)', async () => {
  assert.deepEqual(summarise((await page('&limit=3')).body.rows), [
    [1, 'user-01', null],
    [2, 'user-02', 1_000],
    [3, 'user-03', 2_000],
  ])
  assert.deepEqual(summarise((await page('&limit=1&offset=20')).body.rows), [[21, 'user-21', 20_000]])
})

test('returns deltas to the driver’s own lap on request, and none on its own row (D-9)', async () => {
  const { body } = await page('&limit=3&offset=1&delta_reference=user', 'user-03')
  assert.equal(body.user_lap_ms, 92_000)
  assert.deepEqual(summarise(body.rows), [
    [2, 'user-02', -1_000],
    [3, 'user-03', null],
    [4, 'user-04', 1_000],
  ])
})

test('returns no delta to the own lap of a driver without one (D-9)', async () => {
  const { body } = await page('&limit=2&delta_reference=user')
  assert.equal(body.user_lap_ms, null)
  assert.deepEqual(summarise(body.rows), [
    [1, 'user-01', null],
    [2, 'user-02', null],
  ])
})

test('covers the board once with pages by offset', async () => {
  const seen: number[] = []
  for (let offset: number | null = 0; offset !== null; ) {
    const { body }: { body: Page } = await page(`&limit=10&offset=${offset}`)
    seen.push(...body.rows.map(row => row.rank))
    offset = body.next_offset
  }
  assert.deepEqual(
    seen,
    drivers.map((_, i) => i + 1),
  )
})

test('covers the board once with pages by cursor, while the board changes', async () => {
  const seen: string[] = []
  let cursor: string | null = null
  for (let version = 2; ; version++) {
    const { body }: { body: Page } = await page(`&limit=4${cursor === null ? '' : `&cursor=${cursor}`}`)
    seen.push(...body.rows.map(row => row.user_id))
    cursor = body.next_cursor
    if (cursor === null) break
    // A driver that the test ignores moves across all pages.
    await service.put(aStanding('user-moving', version % 2 === 0 ? 89_000 : 200_000, { version }))
  }
  await service.put(aStanding('user-moving', 1, { version: 100, complete: null, clean: null }))
  const steady = seen.filter(user => user !== 'user-moving')
  assert.deepEqual(
    steady,
    drivers.map(({ userId }) => userId),
  )
})

test('returns the offset of a page after a cursor', async () => {
  const first = await page('&limit=7')
  const second = await page(`&limit=7&cursor=${first.body.next_cursor}`)
  assert.deepEqual([second.body.offset, second.body.rows[0]!.rank], [7, 8])
})

test('returns no rows and no next page beyond the last rank', async () => {
  for (const offset of [25, 26, 2_147_483_647]) {
    const { body } = await page(`&offset=${offset}`)
    assert.deepEqual([body.rows, body.total, body.next_offset, body.next_cursor], [[], 25, null, null])
  }
})

test('returns the driver’s rank as on the page, with the requested number of rows around it', async () => {
  const { body } = await me('?window=5', 'user-10')
  assert.equal(body.me.rank, 10)
  assert.equal(body.total, 25)
  assert.deepEqual(
    body.window.map((row: Row) => row.rank),
    [8, 9, 10, 11, 12],
  )
  assert.deepEqual(body.me, (await page('&limit=1&offset=9')).body.rows[0])
})

test('returns a window of the same size at an end of the board', async () => {
  const ranks = async (user: string) =>
    (await me('', user)).body.window.map((row: Row) => row.rank) as readonly number[]
  assert.deepEqual(await ranks('user-01'), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  assert.deepEqual(await ranks('user-25'), [16, 17, 18, 19, 20, 21, 22, 23, 24, 25])
})

test('returns no own row and no window to a driver without a lap', async () => {
  assert.deepEqual((await me('', 'user-reader')).body, {
    ok: true,
    context_id: contextId,
    me: null,
    window: [],
    total: 25,
  })
})

test('ranks the board of clean laps on its own', async () => {
  const { body } = await me('?board=clean', 'user-25')
  assert.deepEqual([body.me.rank, body.total], [1, 1])
})

for (const contextId of [2_147_483_647, 1_073_741_824, 999_999]) {
  test(`answers 404 for the unknown context ${contextId}`, async () => {
    const answer = await service.get('getMe', `/api/leaderboards/${contextId}/me`, 'user-a')
    assert.deepEqual([answer.status, answer.body.code], [404, 'leaderboard.no_laps'])
  })
}

const named = (changes: Readonly<Record<string, string>>) =>
  new URLSearchParams({
    sim: summit.sim,
    track_slug: summit.track_slug,
    layout: summit.layout,
    car_slug: summit.car_slug,
    ...changes,
  }).toString()

for (const slug of [
  'no-such-track',
  '..',
  '../../etc/passwd',
  'a/b',
  'a\\b',
  "x' or '1'='1",
  "'; drop table entry; --",
  '%00',
  '\0',
  '%',
  'Summit-Point-Raceway',
  '鈴鹿サーキット',
  'Спа',
  'summit-point-raceway ',
  'a'.repeat(10_000),
]) {
  test(`answers 404 for the track "${slug.slice(0, 30)}" at every address`, async () => {
    for (const [operation, path] of [
      ['getPage', '/api/leaderboards'],
      ['getContextId', '/api/leaderboards/context-id'],
    ] as const) {
      const answer = await service.get(operation, `${path}?${named({ track_slug: slug })}`, 'user-a')
      assert.deepEqual([answer.status, answer.body.code], [404, 'leaderboard.no_laps'])
      assert.equal(answer.body.detail, 'No laps yet for this combination.')
    }
  })
}

for (const [query, detail] of [
  ['limit=1000000', 'Limit must be at most 100.'],
  ['limit=0', 'Limit must be at least 1.'],
  ['limit=ten', 'Limit must be a whole number.'],
  ['offset=-1', 'Offset must be at least 0.'],
  ['offset=99999999999', 'Offset must be at most 2147483647.'],
  ['offset=1.5', 'Offset must be a whole number.'],
  ['board=dirty', 'Board must be one of complete, clean.'],
  ['delta_reference=p2', 'Delta_reference must be one of p1, user.'],
  ['cursor=', 'Cursor must not be empty.'],
  ['cursor=abc', 'The cursor does not come from a page.'],
  [
    `cursor=${Buffer.from("1 2 '; drop table entry").toString('base64url')}`,
    'The cursor does not come from a page.',
  ],
  [`cursor=${'a'.repeat(201)}`, 'Cursor must have at most 200 characters.'],
  ['layout=', 'Layout must not be empty.'],
] as const) {
  test(`answers 400 for ${query.slice(0, 40)}: ${detail}`, async () => {
    const [name = ''] = query.split('=')
    const asked = named({}).replace(new RegExp(`${name}=[^&]*&?`), '')
    const answer = await service.get('getPage', `/api/leaderboards?${asked}&${query}`, 'user-a')
    assert.deepEqual(
      [answer.status, answer.body.code, answer.body.detail],
      [400, 'leaderboard.bad_request', detail],
    )
  })
}

test('answers 400 and names the missing part of a combination', async () => {
  const answer = await service.get('getPage', '/api/leaderboards?sim=iracing&layout=default', 'user-a')
  assert.deepEqual([answer.status, answer.body.detail], [400, 'Track_slug is missing.'])
})

for (const [query, status] of [
  ['?window=0', 400],
  ['?window=101', 400],
  ['?window=100', 200],
] as const) {
  test(`answers ${status} for a window of ${query}`, async () => {
    assert.equal((await me(query, 'user-a')).status, status)
  })
}

test('answers 401 without a signed principal, at every address', async () => {
  for (const [operation, url] of [
    ['getPage', summitPage],
    ['getContextId', `/api/leaderboards/context-id?${named({})}`],
    ['getMe', `/api/leaderboards/${contextId}/me`],
    ['listTracks', '/api/leaderboards/tracks'],
    ['listCars', '/api/leaderboards/tracks/summit-point-raceway/cars'],
  ] as const) {
    const answer = await service.get(operation, url)
    assert.deepEqual([answer.status, answer.body.code], [401, 'leaderboard.unauthorized'])
  }
})

test('answers 405 with Allow to other methods', async () => {
  const answer = await service.app.inject({ method: 'POST', url: '/api/leaderboards' })
  assert.equal(answer.statusCode, 405)
  assert.equal(answer.headers.allow, 'GET, HEAD')
})
