import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { aLap, aStanding, lapIdOf, summit, summitPage } from '../test/a-standing.ts'
import { type Harness, harness, type Page } from '../test/harness.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

/** Returns a combination for one test, so that no other test changes its ranks. */
const drivenIn = (car: string) => ({ ...summit, car_slug: car, car_label: car })
const pageOf = (car: string, more = '') =>
  service.get<Page>('getPage', `${summitPage.replace(summit.car_slug, car)}${more}`, 'user-reader')
const order = async (car: string, more = '') =>
  (await pageOf(car, more)).body.rows.map(row => `${row.rank} ${row.user_id} ${row.best_lap_time_ms}`)

test('shows a first lap immediately on both boards, and replies with its ranks', async () => {
  const combination = drivenIn('first')
  const first = await service.put(aStanding('user-a', 90_000, { combination }))
  assert.deepEqual(first, {
    context_id: first.context_id,
    applied: true,
    complete: { rank: 1, previous_time_ms: null },
    clean: { rank: 1, previous_time_ms: null },
  })
  const second = await service.put(
    aStanding('user-b', 89_000, { combination, clean: null, complete: aLap(89_000, { is_clean: false }) }),
  )
  assert.deepEqual(second, {
    context_id: first.context_id,
    applied: true,
    complete: { rank: 1, previous_time_ms: null },
    clean: null,
  })
  assert.deepEqual(await order('first'), ['1 user-b 89000', '2 user-a 90000'])
  assert.deepEqual(await order('first', '&board=clean'), ['1 user-a 90000'])
})

test('replaces the whole row for a better lap, and replies with the previous time', async () => {
  const combination = drivenIn('better')
  await service.put(aStanding('user-a', 90_000, { combination }))
  const better = aLap(88_500, { is_clean: false, recorded_at: '2026-04-01T10:00:00.000007Z' })
  const answer = await service.put(aStanding('user-a', 90_000, { combination, version: 2, complete: better }))
  assert.deepEqual(answer.complete, { rank: 1, previous_time_ms: 90_000 })
  const [row] = (await pageOf('better')).body.rows
  assert.deepEqual(
    [row!.lap_id, row!.best_lap_time_ms, row!.recorded_at, row!.is_clean],
    [better.lap_id, 88_500, '2026-04-01T10:00:00.000007Z', false],
  )
})

test('ignores an older delivery, and answers a repeated one in the same way', async () => {
  const combination = drivenIn('older')
  const first = aStanding('user-a', 90_000, { combination })
  const second = aStanding('user-a', 88_000, { combination, version: 2 })
  await service.put(first)
  const applied = await service.put(second)
  assert.deepEqual(await service.put(first), { ...applied, applied: false })
  assert.deepEqual(await service.put(second), applied)
  assert.deepEqual(await order('older'), ['1 user-a 88000'])
})

test('ends in the same state for deliveries in any order', async () => {
  const combination = drivenIn('any-order')
  await service.put(aStanding('user-a', 87_000, { combination, version: 3 }))
  await service.put(aStanding('user-a', 90_000, { combination, version: 1 }))
  await service.put(aStanding('user-a', 88_000, { combination, version: 2, complete: null, clean: null }))
  assert.deepEqual(await order('any-order'), ['1 user-a 87000'])
})

test('marks laps that are no reference in every list, immediately after a change', async () => {
  const combination = drivenIn('unshared')
  const lap = aLap(90_000, { of: 'user-a' })
  const hidden = { ...lap, reference_available: false }
  const put = (version: number, sent: typeof lap) =>
    service.put(aStanding('user-a', 1, { combination, version, complete: sent, clean: sent }))
  const { context_id } = await put(1, lap)
  await service.put(aStanding('user-b', 91_000, { combination }))
  const flags = async () => {
    const me = await service.get<{ window: Page['rows'] }>(
      'getMe',
      `/api/leaderboards/${context_id}/me`,
      'user-b',
    )
    const lists = [(await pageOf('unshared')).body.rows, (await pageOf('unshared', '&board=clean')).body.rows]
    return [...lists, me.body.window].map(rows => rows.map(row => row.reference_available).join())
  }
  const all = (flags: string) => [flags, flags, flags]
  assert.deepEqual(await flags(), all('true,true'))
  await put(2, hidden)
  assert.deepEqual(await flags(), all('false,true'))
  assert.deepEqual(await order('unshared'), ['1 user-a 90000', '2 user-b 91000'])
  await put(1, lap)
  assert.deepEqual(await flags(), all('false,true'), 'an older delivery changed it')
  await put(3, lap)
  assert.deepEqual(await flags(), all('true,true'))
  await put(4, hidden)
  // A better lap of the same driver is shared. The flag of the lap before is gone.
  await put(5, aLap(89_000, { of: 'user-a' }))
  assert.deepEqual(await flags(), all('true,true'))
  const left = await service.db.selectFrom('unshared_lap').selectAll().execute()
  assert.deepEqual(left, [])
})

test('shows facts of laps in every list, and none of a lap that left the boards', async () => {
  const combination = drivenIn('facts')
  const facts = { driven_at: '2026-02-01T19:30:00.250Z', session_kind: 'race', air_temp_c: 21.5, skies: 3 }
  const unknown = { driven_at: null, session_kind: null, air_temp_c: null, skies: null }
  const put = (version: number, timeMs: number, change: object) => {
    const lap = aLap(timeMs, { of: 'user-a', ...change })
    return service.put(aStanding('user-a', 1, { combination, version, complete: lap, clean: lap }))
  }
  const { context_id } = await put(1, 90_000, facts)
  await service.put(aStanding('user-b', 91_000, { combination }))
  const shown = async () => {
    const me = await service.get<{ window: Page['rows'] }>(
      'getMe',
      `/api/leaderboards/${context_id}/me`,
      'user-b',
    )
    const lists = [(await pageOf('facts')).body.rows, (await pageOf('facts', '&board=clean')).body.rows]
    return [...lists, me.body.window].map(rows =>
      rows.map(({ driven_at, session_kind, air_temp_c, skies }) => ({
        driven_at,
        session_kind,
        air_temp_c,
        skies,
      })),
    )
  }
  const all = (of: object) => Array(3).fill([of, unknown])
  assert.deepEqual(await shown(), all(facts))
  // The same lap, again with a fact less: as its driver's next standing says.
  await put(2, 90_000, { ...facts, air_temp_c: null })
  assert.deepEqual(await shown(), all({ ...facts, air_temp_c: null }))
  await put(3, 89_000, {})
  assert.deepEqual(await shown(), all(unknown))
  assert.deepEqual(await service.db.selectFrom('lap_fact').selectAll().execute(), [])
})

test('replaces a deleted lap by the next best, and removes the driver with the last one', async () => {
  const combination = drivenIn('deleted')
  await service.put(aStanding('user-a', 88_000, { combination }))
  await service.put(aStanding('user-b', 89_000, { combination }))
  await service.put(aStanding('user-a', 91_000, { combination, version: 2 }))
  assert.deepEqual(await order('deleted'), ['1 user-b 89000', '2 user-a 91000'])
  const gone = await service.put(
    aStanding('user-a', 1, { combination, version: 3, complete: null, clean: null }),
  )
  assert.deepEqual([gone.applied, gone.complete, gone.clean], [true, null, null])
  assert.deepEqual(await order('deleted'), ['1 user-b 89000'])
})

test('ranks equal times by recording time to the microsecond, then by lap id (D-8)', async () => {
  const combination = drivenIn('ties')
  const at = (recorded_at: string, lap_id: string) => aLap(90_000, { recorded_at, lap_id })
  const put = (user: string, lap: ReturnType<typeof at>) =>
    service.put(aStanding(user, 1, { combination, complete: lap, clean: null }))
  await put('user-third', at('2026-03-01T12:00:00.123457Z', lapIdOf('a')))
  await put('user-first', at('2026-03-01T12:00:00.123455Z', lapIdOf('b')))
  await put('user-second', at('2026-03-01T12:00:00.123456Z', 'ffffffff-ffff-4fff-8fff-ffffffffffff'))
  await put('user-before', at('2026-03-01T12:00:00.123456Z', '00000000-0000-4000-8000-000000000000'))
  assert.deepEqual(await order('ties'), [
    '1 user-first 90000',
    '2 user-before 90000',
    '3 user-second 90000',
    '4 user-third 90000',
  ])
})

test('keeps the boards of a renamed track under both names (D-4)', async () => {
  const old = { ...drivenIn('renamed'), track_slug: 'old-name', track_label: 'Old Name', track_id: 501 }
  const renamed = { ...old, alias_slug: 'new-name' }
  const first = await service.put(aStanding('user-a', 90_000, { combination: old }))
  const second = await service.put(aStanding('user-b', 89_000, { combination: renamed }))
  assert.equal(second.context_id, first.context_id)
  for (const slug of ['old-name', 'new-name']) {
    const page = await service.get<Page>(
      'getPage',
      `/api/leaderboards?sim=iracing&track_slug=${slug}&layout=default&car_slug=renamed`,
      'user-a',
    )
    assert.equal(page.body.total, 2)
  }
})

test('keeps the boards of a track scanned again, and separates another track with its number', async () => {
  const old = { ...drivenIn('scanned'), track_slug: 'scanned', track_label: 'Scanned', track_id: 601 }
  const first = await service.put(aStanding('user-a', 90_000, { combination: old }))
  const again = await service.put(aStanding('user-b', 89_000, { combination: { ...old, track_id: 602 } }))
  assert.equal(again.context_id, first.context_id)
  for (const track_id of [601, 602]) {
    const other = { ...old, track_slug: `another-${track_id}`, track_label: 'Another', track_id }
    const { context_id } = await service.put(aStanding('user-c', 88_000, { combination: other }))
    assert.notEqual(context_id, first.context_id)
  }
})

test('has separate boards for layouts, cars and simulators', async () => {
  const combinations = [
    drivenIn('own'),
    { ...drivenIn('own'), layout: 'jefferson' },
    { ...drivenIn('own'), sim: 'other' },
    drivenIn('own-2'),
  ]
  const answers = []
  for (const combination of combinations) {
    answers.push(await service.put(aStanding('user-a', 90_000, { combination })))
  }
  assert.equal(new Set(answers.map(answer => answer.context_id)).size, 4)
})

const good = aStanding('user-a', 90_000)
const { alias_slug: _, ...rest } = summit
const withoutAlias = rest as typeof summit
for (const [what, standing] of [
  ['no user', { ...good, user_id: '' }],
  ['a time of 0', { ...good, complete: aLap(0) }],
  ['a time of half a millisecond', { ...good, complete: { ...aLap(90_000), time_ms: 90_000.5 } }],
  ['no version', { ...good, version: 0 }],
  ['a time in another zone', { ...good, clean: aLap(1, { recorded_at: '2026-03-01T12:00:00+01:00' }) }],
  ['a slug with a slash', { ...good, combination: { ...summit, track_slug: 'a/b' } }],
  ['an alias with a slash', { ...good, combination: { ...summit, alias_slug: 'a/b' } }],
  ['an empty alias', { ...good, combination: { ...summit, alias_slug: '' } }],
  ['an alias of 101 characters', { ...good, combination: { ...summit, alias_slug: 'a'.repeat(101) } }],
  ['a combination without the field for an alias', { ...good, combination: withoutAlias }],
  ['a label of 10,000 characters', { ...good, combination: { ...summit, car_label: 'x'.repeat(10_000) } }],
  ['an invalid lap id', { ...good, complete: aLap(1, { lap_id: '../../etc/passwd' }) }],
] as const) {
  test(`answers 400 for ${what}`, async () => {
    await assert.rejects(service.put(standing), /leaderboard\.bad_request/)
  })
}

test('answers 401 without a token, and for a token of another service', async () => {
  const { createServiceTokenSigner } = await import('@lapwing/auth')
  const { internalKey } = await import('../test/harness.ts')
  const forOther = await createServiceTokenSigner(internalKey, 'identity')()
  const asked = new URLSearchParams({ lap_id: randomUUID(), user_id: 'user-1' })
  for (const authorization of [undefined, 'Bearer x', `Bearer ${forOther}`]) {
    const headers = authorization === undefined ? {} : { authorization }
    for (const answer of [
      await service.app.inject({ method: 'PUT', url: '/internal/standings', headers, payload: good }),
      await service.app.inject({ method: 'GET', url: `/internal/hidden?${asked}`, headers }),
      await service.app.inject({ method: 'GET', url: `/internal/bests?${asked}`, headers }),
    ]) {
      assert.equal(answer.statusCode, 401)
      assert.equal(answer.json().code, 'leaderboard.unauthorized')
    }
  }
})
