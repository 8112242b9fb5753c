import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFetchTrackCorners } from './fetch-track-corners.ts'

const track = { sim: 'iracing', track_slug: 'lime-rock-park', layout: 'grand-prix' }

const corner = (number: string, start_pct: number, end_pct: number, name: string | null = null) => ({
  id: 1,
  number,
  name,
  kind: 'turn',
  direction: 'left',
  start_pct,
  apex_pct: (start_pct + end_pct) / 2,
  end_pct,
  start_m: null,
  apex_m: null,
  end_m: null,
})

const answer = (corners: readonly unknown[]) => Response.json({ ok: true, ...track, length_m: 2340, corners })

function fetchOf(response: () => Response | Promise<Response>) {
  const asked: Request[] = []
  const fetchTrackCorners = createFetchTrackCorners({
    baseUrl: 'https://lapwing.test/api',
    fetch: async request => {
      asked.push(request as Request)
      return response()
    },
  })
  return { asked, fetch: () => fetchTrackCorners(track) }
}

test('the corners of a track are asked for by its names, without a token', async () => {
  const { asked, fetch } = fetchOf(() => answer([corner('1', 0.1, 0.2, 'Big Bend'), corner('1a', 0.2, 0.3)]))
  const corners = await fetch()
  assert.equal(asked[0]!.url, 'https://lapwing.test/api/tracks/iracing/lime-rock-park/grand-prix/corners')
  assert.equal(asked[0]!.headers.get('authorization'), null)
  assert.deepEqual(
    corners!.map(({ number, knownAs, startPct, endPct }) => [number, knownAs, startPct, endPct]),
    [
      ['1', 'Big Bend', 0.1, 0.2],
      ['1a', null, 0.2, 0.3],
    ],
  )
})

for (const [name, response] of [
  ['a track without corners', () => answer([])],
  ['404', () => new Response(null, { status: 404 })],
  ['503', () => new Response('busy', { status: 503 })],
  ['a page that is offline', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['an answer that does not fit', () => Response.json({ ok: true, corners: [{}] })],
  ['corners that lie over each other', () => answer([corner('1', 0.1, 0.3), corner('2', 0.2, 0.4)])],
  ['a corner behind the line', () => answer([corner('1', 0.9, 1.1)])],
] as const) {
  test(`${name}: the page finds corners itself`, async () => {
    assert.equal(await fetchOf(response).fetch(), null)
  })
}
