import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ShapeError } from '#shared/api/shapes.ts'
import { jefferson, someEntries } from '#testing/a-board.ts'
import { aSavedLap } from '#testing/a-saved-lap.ts'
import { createFakeBoards, type FakeAnswer, type FakeBoards } from '#testing/fake-boards.ts'
import { createBoardApi } from './board-api.ts'
import { BoardError } from './board-error.ts'

function harness() {
  const fake = createFakeBoards({ userOf: () => 'user-test-5' })
  const authorised = (input: RequestInfo | URL, init?: RequestInit) => fake.handle(new Request(input, init))
  return { fake, api: createBoardApi({ baseUrl: 'https://lapwing.test/api', authorised }) }
}

const query = { combination: jefferson, board: 'complete', limit: 50, offset: 0 } as const

test('sends every call as the contract says, and accepts an answer that has the right shape', async () => {
  const { fake, api } = harness()
  fake.addEntries(jefferson, someEntries(60))
  const id = await api.contextId(jefferson)
  assert.equal(id, 1)
  const page = await api.page({ ...query, offset: 50, deltaReference: 'user' })
  assert.deepEqual([page?.rows.length, page?.total, page?.rows[0]?.rank], [10, 60, 51])
  const me = await api.me({ contextId: 1, board: 'clean', window: 10, deltaReference: 'p1' })
  assert.equal(me.me?.user_id, 'user-test-5')
  const [track] = await api.tracks()
  assert.equal(track?.label, 'Summit Point, Jefferson')
  assert.deepEqual(await api.cars(track!), [{ slug: 'ray-ff1600', label: 'Ray FF1600' }])

  const slugs = { sim: 'iracing', track_slug: 'summit-point', layout: 'jefferson', car_slug: 'ray-ff1600' }
  assert.deepEqual(
    fake.calls.map(({ what, query }) => [what, query]),
    [
      ['GET /leaderboards/context-id', slugs],
      [
        'GET /leaderboards',
        { ...slugs, board: 'complete', limit: '50', offset: '50', delta_reference: 'user' },
      ],
      ['GET /leaderboards/1/me', { board: 'clean', window: '10', delta_reference: 'p1' }],
      ['GET /leaderboards/tracks', {}],
      ['GET /leaderboards/tracks/summit-point/cars', { sim: 'iracing', layout: 'jefferson' }],
    ],
  )
})

test('matches a held lap to its combination by slugs, whatever the display names', async () => {
  const { fake, api } = harness()
  assert.equal(await api.hasHeldLap(jefferson), false)
  fake.laps.push(aSavedLap(1, { review: 'refused' }))
  assert.equal(await api.hasHeldLap(jefferson), false)
  fake.laps.push(aSavedLap(2, { review: 'held', combination: { ...jefferson, track_label: 'Another' } }))
  assert.equal(await api.hasHeldLap(jefferson), true)
  assert.equal(await api.hasHeldLap({ ...jefferson, layout: 'default' }), false)
  assert.deepEqual(fake.calls.at(-1)?.query, { review: 'held', limit: '100' })
})

test('returns an empty board, and no error, for a combination without laps', async () => {
  const { api } = harness()
  assert.equal(await api.contextId(jefferson), null)
  assert.equal(await api.page({ ...query, deltaReference: 'p1' }), null)
  const { me, window } = await api.me({ contextId: 9, board: 'complete', window: 10, deltaReference: 'p1' })
  assert.deepEqual([me, window], [null, []])
})

test('turns any other answer that is not OK into an error with its status code and status text', async () => {
  const answers: [FakeAnswer, string][] = [
    [() => new Response('<h1>no</h1>', { status: 502, statusText: 'Bad Gateway' }), '502 Bad Gateway'],
    [{ problem: [404, 'leaderboard.not_found', 'There is nothing at this address.'] }, '404 Refused'],
    [{ problem: [429, 'leaderboard.rate_limited', 'Too often.'] }, '429 Refused'],
  ]
  for (const [answer, message] of answers) {
    const { fake, api } = harness()
    fake.answerNext(/./, answer, answer)
    for (const call of [() => api.contextId(jefferson), () => api.tracks()]) {
      await assert.rejects(call(), error => {
        assert.ok(error instanceof BoardError)
        assert.equal(error.message, message)
        return true
      })
    }
  }
})

test('rejects an answer that does not have its shape', async () => {
  const { fake, api } = harness()
  fake.addEntries(jefferson, someEntries(2))
  const calls: Record<string, () => Promise<unknown>> = {
    combination: () => api.contextId(jefferson),
    page: () => api.page({ ...query, deltaReference: 'p1' }),
    me: () => api.me({ contextId: 1, board: 'complete', window: 10, deltaReference: 'p1' }),
    tracks: () => api.tracks(),
    cars: () => api.cars({ sim: 'iracing', slug: 'summit-point', layout: 'jefferson' }),
  }
  for (const [name, call] of Object.entries(calls)) {
    await call()
    for (const bad of spoilt(await lastAnswer(fake))) {
      fake.answerNext(/./, () => Response.json(bad))
      await assert.rejects(
        call(),
        ShapeError,
        `accepts ${name} ${JSON.stringify(bad)}: is the lacking field one of OF_NEWER_SERVICES?`,
      )
    }
  }
})

/** Repeats the last call and returns the body of its answer. */
async function lastAnswer({ calls, handle }: FakeBoards): Promise<unknown> {
  const { what, query } = calls.at(-1)!
  const [method, path] = what.split(' ') as [string, string]
  const url = new URL(`https://lapwing.test/api${path}?${new URLSearchParams(query)}`)
  return (await handle(new Request(url, { method }))).json()
}

/** Fields that answers of an older service lack. */
const OF_NEWER_SERVICES = new Set(['driven_at', 'session_kind', 'air_temp_c', 'skies'])

/** Yields copies of the value, each with one field missing or of another type, at any depth. */
function* spoilt(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const bad of spoilt(value[0])) yield [bad]
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, field] of Object.entries(value)) {
      const { [name]: _, ...rest } = value as Record<string, unknown>
      if (!OF_NEWER_SERVICES.has(name)) yield rest
      yield { ...rest, [name]: { other: 1 } }
      for (const bad of spoilt(field)) yield { ...value, [name]: bad }
    }
  }
}
