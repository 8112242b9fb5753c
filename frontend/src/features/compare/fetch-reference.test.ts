import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeReference, encodeReference, lapTrack } from '@lapwing/telemetry/compare'
import { ApiError } from '#shared/api/problem.ts'
import { aPreview } from '#testing/a-preview.ts'
import { createFetchReference } from './fetch-reference.ts'

const preview = aPreview()
const track = lapTrack(preview, preview.laps[1]!)!
const lapId = '8d5c26a2-5b8b-4f5e-9d6c-1a2b3c4d5e6f'
const { sim, track_slug, layout, car_slug, track_label, car_label } = preview.meta
const facts = {
  lapId,
  userId: 'user-1',
  timeSource: 'official',
  combination: { sim, track_slug, layout, car_slug, track_label, car_label },
} as const

function asking(answer: Response) {
  const asked: Request[] = []
  const fetchReference = createFetchReference({
    baseUrl: 'https://lapwing.test/api',
    authorised: async (input, init) => {
      asked.push(new Request(input, init))
      return answer
    },
    decode: decodeReference,
  })
  return { asked, fetchReference }
}

test('a lap is asked for packed, by its id, and read', async () => {
  const { asked, fetchReference } = asking(new Response(encodeReference(track, facts)))
  const reference = await fetchReference(lapId)
  assert.equal(reference.track.timeMs, track.timeMs)
  assert.deepEqual(reference.facts, facts)
  assert.equal(asked[0]?.url, `https://lapwing.test/api/laps/${lapId}/reference`)
  assert.equal(asked[0]?.headers.get('accept'), 'application/x-protobuf')
})

test('an id cannot lead to another address', async () => {
  const { asked, fetchReference } = asking(new Response(null, { status: 404 }))
  await assert.rejects(fetchReference('../../v1/auth'))
  assert.equal(new URL(asked[0]!.url).pathname, '/api/laps/..%2F..%2Fv1%2Fauth/reference')
})

test('a refusal is thrown with its sentence', async () => {
  const problem = { status: 404, code: 'ingest.lap_not_found', detail: 'This lap cannot be had.' }
  const { fetchReference } = asking(
    new Response(JSON.stringify(problem), {
      status: 404,
      headers: { 'content-type': 'application/problem+json' },
    }),
  )
  await assert.rejects(
    fetchReference(lapId),
    error => error instanceof ApiError && error.message === problem.detail,
  )
})

test('bytes that are no lap, and another lap than the one asked for, are refused', async () => {
  const other = encodeReference(track, { ...facts, lapId: '00000000-0000-4000-8000-000000000000' })
  for (const bytes of [new Uint8Array(0), new Uint8Array([1, 2, 3]), other]) {
    await assert.rejects(asking(new Response(bytes)).fetchReference(lapId))
  }
})
