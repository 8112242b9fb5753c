import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestTimeoutError } from '#shared/api/api-fetch.ts'
import { SaveError } from './save-error.ts'
import { createSaveLapApi } from './save-lap-api.ts'

const init = {
  sessionId: 's-1',
  key: 'uploads/k',
  url: 'https://store.test/',
  fields: { key: 'uploads/k' },
}
const ticket = { ...init, traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' }
const saved = {
  ok: true,
  ingest_id: 'i-1',
  lap_id: 'l-1',
  context_id: 7,
  best_lap_time_ms: 51_088,
  previous_best_ms: 51_400,
  rank: 5,
  boards: ['complete', 'clean'],
}
const progress = {
  ok: true,
  ingest_id: 'i-1',
  state: 'running',
  progress: 0.4,
  status_url: '/laps/ingests/i-1',
}
const { signal } = new AbortController()

function harness(answer: () => Response) {
  const calls: { readonly by: string; readonly what: string; readonly body: unknown }[] = []
  const traces: (string | null)[] = []
  const by = (name: string) => async (input: RequestInfo | URL) => {
    const request = input as Request
    traces.push(request.headers.get('traceparent'))
    const { pathname } = new URL(request.url)
    const text = await request.text()
    calls.push({ by: name, what: `${request.method} ${pathname}`, body: text && JSON.parse(text) })
    return answer()
  }
  const api = createSaveLapApi({
    baseUrl: 'https://lapwing.test/api',
    authorised: by('authorised') as typeof fetch,
    slowAuthorised: by('slowAuthorised') as typeof fetch,
  })
  return { api, calls, traces }
}

test('announces a file with its name, size and type, and the constant for an unknown track', async () => {
  const { api, calls } = harness(() => Response.json(init))
  const { traceparent: _, ...rest } = await api.init({ name: 'a.ibt', size: 9, type: '' }, signal)
  assert.deepEqual(rest, init)
  assert.deepEqual(calls, [
    {
      by: 'authorised',
      what: 'POST /api/v1/upload/init',
      body: { filename: 'a.ibt', size: 9, contentType: 'application/octet-stream', track: 'unknown' },
    },
  ])
})

test('shortens a long name to the contract’s limit and keeps its end, which holds the file type', async () => {
  const { api, calls } = harness(() => Response.json(init))
  await api.init({ name: `${'x'.repeat(3000)}.ibt`, size: 9, type: '' }, signal)
  const { filename } = calls[0]!.body as { filename: string }
  assert.equal(filename.length, 1000)
  assert.match(filename, /x\.ibt$/)
})

test('confirms the post with session, key and name', async () => {
  const { api, calls } = harness(() => Response.json({ ok: true }))
  await api.complete(ticket, 'a.ibt', signal)
  assert.deepEqual(calls[0], {
    by: 'authorised',
    what: 'POST /api/v1/upload/complete',
    body: { sessionId: 's-1', key: 'uploads/k', originalName: 'a.ibt' },
  })
})

test('sends one trace for all calls about a file, and another for the next file', async () => {
  const { api, traces } = harness(() => Response.json(init))
  for (let file = 0; file < 2; file++) {
    const mine = await api.init({ name: 'a.ibt', size: 9, type: '' }, signal)
    await api.complete(mine, 'a.ibt', signal)
    await api.ingest(mine, signal).catch(() => {})
  }
  assert.match(traces[0]!, /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  assert.deepEqual(traces, [traces[0], traces[0], traces[0], traces[3], traces[3], traces[3]])
  assert.notEqual(traces[0], traces[3])
})

test('allows judging more time than other calls, and understands each of its answers', async () => {
  const cases: [number, object, object][] = [
    [201, saved, { kind: 'saved', lap: saved }],
    [
      200,
      { ok: true, ingest_id: 'i-1', skipped: 'not_faster', context_id: 7 },
      { kind: 'skipped', reason: 'not_faster' },
    ],
    [
      200,
      { ok: true, ingest_id: 'i-1', skipped: 'held_for_review', held_lap_id: 'l-2', laps_left_out: 3 },
      { kind: 'skipped', reason: 'held_for_review', leftOut: 3 },
    ],
    [201, { ...saved, held_lap_id: 'l-2' }, { kind: 'saved', lap: { ...saved, held_lap_id: 'l-2' } }],
    [202, progress, { kind: 'judging', ingestId: 'i-1', share: 0.4 }],
  ]
  for (const [status, body, answer] of cases) {
    const { api, calls } = harness(() => Response.json(body, { status }))
    assert.deepEqual(await api.ingest(ticket, signal), answer)
    assert.deepEqual(await api.ingestState('i-1', signal), answer)
    assert.deepEqual(
      calls.map(({ by, what }) => `${by} ${what}`),
      ['slowAuthorised POST /api/laps/ingest-best-from-session', 'authorised GET /api/laps/ingests/i-1'],
    )
  }
})

test('rejects an answer of another shape, and any that is not OK', async () => {
  const bad = [
    () => Response.json({ ...saved, rank: 'first' }, { status: 201 }),
    () => Response.json({ ok: true }, { status: 200 }),
    () => Response.json({ ...progress, progress: null }, { status: 202 }),
    () => new Response('{', { status: 201 }),
    () => new Response('no', { status: 500 }),
    () => {
      throw new TypeError('Failed to fetch')
    },
    () => {
      throw new RequestTimeoutError(60_000)
    },
  ]
  for (const answer of bad) {
    const { api } = harness(answer)
    await assert.rejects(api.ingest(ticket, signal), SaveError, answer.toString())
  }
})

test('rejects an aborted call with the reason for it', async () => {
  const { api } = harness(() => {
    throw new TypeError('Failed to fetch')
  })
  const gone = AbortSignal.abort(new Error('another file'))
  await assert.rejects(api.init({ name: 'a.ibt', size: 1, type: '' }, gone), { message: 'another file' })
})
