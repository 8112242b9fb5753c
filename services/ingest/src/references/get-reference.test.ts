import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import contract from '@lapwing/contracts/ingest.json' with { type: 'json' }
import { matchesTag } from '@lapwing/http'
import { StoreError } from '@lapwing/object-store'
import { decodeReference, referenceToJson } from '@lapwing/telemetry/compare'
import { checkAnswer } from '@lapwing/testing/check-answer.ts'
import { aFile } from '../test/a-file.ts'
import { type Answer, type Harness, harness } from '../test/harness.ts'

let service: Harness
let lapId: string
/** The id of a lap without stored series. */
let partial: string

before(async () => {
  service = await harness()
  await service.startWorker()
  const { body } = await service.uploadAndIngest('owner', aFile({ driverId: 1 }))
  lapId = String(body.lap_id)
  const row = await service.db
    .selectFrom('lap')
    .select('id')
    .where('series_key', 'is', null)
    .executeTakeFirstOrThrow()
  partial = row.id
})

after(() => service.close())

const get = (as: string, id: string, headers: Record<string, string> = {}, from = service) =>
  from.call('getReference', { method: 'GET', url: `/api/laps/${id}/reference`, as, headers })

const packed = { accept: 'application/x-protobuf' }
const gzip = { 'accept-encoding': 'gzip' }

function plain(answer: Answer): Buffer {
  return answer.headers['content-encoding'] === 'gzip' ? gunzipSync(answer.bytes) : answer.bytes
}

test('sends a lap after its raw file is gone, for as long as the lap is stored', async () => {
  const { body } = await service.uploadAndIngest('long-time', aFile({ driverId: 9, trackName: 'Long Ring' }))
  const raw = (await service.bucket.store.list('')).objects.filter(({ key }) => !key.startsWith('laps/'))
  assert.ok(raw.length > 0)
  await service.bucket.store.delete(raw.map(({ key }) => key))
  assert.equal((await get('long-time', String(body.lap_id), packed)).status, 200)
})

test('sends a lap to any signed-in driver as JSON or columns, compressed or not, with the same content', async () => {
  const columns = await get('anybody', lapId, { ...packed, ...gzip })
  assert.equal(columns.headers['content-type'], 'application/x-protobuf')
  assert.equal(columns.headers['content-encoding'], 'gzip')
  const reference = decodeReference(plain(columns))
  assert.equal(reference.facts.lapId, lapId)
  assert.equal(reference.facts.userId, 'owner')
  assert.equal(reference.track.timeMs, 19_500)

  assert.deepEqual(plain(await get('anybody', lapId, packed)), plain(columns))
  const json = await get('anybody', lapId)
  assert.equal(json.headers['content-type'], 'application/json; charset=utf-8')
  assert.deepEqual(json.body, JSON.parse(JSON.stringify(referenceToJson(reference))))
  const zipped = await get('owner', lapId, gzip)
  assert.deepEqual(plain(zipped), json.bytes)
  checkAnswer(contract, 'getReference', {
    statusCode: 200,
    headers: zipped.headers,
    body: String(plain(zipped)),
  })
})

test('gives each format a stable strong tag, and answers 304 to it', async () => {
  const tags = new Set<unknown>()
  for (const headers of [{}, gzip, packed, { ...packed, ...gzip }]) {
    const [one, two] = [await get('anybody', lapId, headers), await get('owner', lapId, headers)]
    const { etag } = one.headers
    assert.match(String(etag), /^"[A-Za-z0-9_.-]+"$/)
    assert.equal(two.headers.etag, etag)
    assert.deepEqual(two.bytes, one.bytes)
    assert.equal(one.headers.vary, 'Accept, Accept-Encoding')
    assert.equal(one.headers['cache-control'], 'private, no-cache')
    tags.add(etag)
    const known = await get('anybody', lapId, { ...headers, 'if-none-match': String(etag) })
    assert.equal(known.status, 304)
    assert.equal(known.headers.etag, etag)
    assert.equal(known.bytes.byteLength, 0)
    const other = await get('anybody', lapId, { ...headers, 'if-none-match': '"other"' })
    assert.equal(other.status, 200)
  }
  assert.equal(tags.size, 4)
  const sent = await get('anybody', lapId, { ...packed, ...gzip })
  const hash = createHash('sha256').update(sent.bytes).digest('base64url')
  assert.equal(sent.headers.etag, `"${hash}"`)
})

for (const [header, isMatch] of [
  ['"a"', true],
  ['*', true],
  ['"b", "a"', true],
  ['W/"a"', true],
  ['"b"', false],
  ['a', false],
  ['', false],
  ['"a', false],
] as const) {
  test(`If-None-Match ${header} ${isMatch ? 'names' : 'does not name'} "a"`, () => {
    assert.equal(matchesTag(header, '"a"'), isMatch)
  })
}

test('answers others the same 404 for a hidden lap as for none, and its driver as before', async () => {
  const allow = (isAllowed: boolean) =>
    service.call('updateLap', {
      method: 'PATCH',
      url: `/api/laps/${lapId}`,
      as: 'owner',
      body: { reference_allowed: isAllowed },
    })
  const { headers } = await get('anybody', lapId)
  await allow(false)
  const hidden = await get('anybody', lapId, { 'if-none-match': String(headers.etag) })
  const unknown = await get('anybody', randomUUID())
  assert.equal(hidden.status, 404)
  assert.equal(hidden.body.code, 'ingest.lap_not_found')
  assert.deepEqual({ ...hidden.body, request_id: '' }, { ...unknown.body, request_id: '' })
  assert.equal(hidden.headers.etag, undefined)
  assert.equal(hidden.headers['cache-control'], 'no-store')
  assert.equal((await get('owner', lapId)).status, 200)
  await allow(true)
  assert.equal((await get('anybody', lapId)).status, 200)
})

test('answers others the same 404 for a lap that a moderator hides, and its driver as before', async () => {
  const { headers } = await get('anybody', lapId)
  service.leaderboard.hidden.add(lapId)
  const hidden = await get('anybody', lapId, { 'if-none-match': String(headers.etag) })
  const unknown = await get('anybody', randomUUID())
  assert.equal(hidden.status, 404)
  assert.deepEqual({ ...hidden.body, request_id: '' }, { ...unknown.body, request_id: '' })
  assert.equal((await get('owner', lapId)).status, 200)
  service.leaderboard.hidden.delete(lapId)
  assert.equal((await get('anybody', lapId)).status, 200)
})

test('sends a lap only to its driver while leaderboard is down', async () => {
  service.leaderboard.mood = 'failing'
  const { status, body, headers } = await get('anybody', lapId)
  assert.deepEqual([status, body.code, headers['retry-after']], [503, 'ingest.busy', '5'])
  assert.equal((await get('owner', lapId)).status, 200)
  service.leaderboard.mood = 'well'
  assert.equal((await get('anybody', lapId)).status, 200)
})

test('answers 404 with a reason for a lap without stored series', async () => {
  const { status, body } = await get('anybody', partial)
  assert.equal(status, 404)
  assert.equal(body.code, 'ingest.lap_not_found')
  assert.match(String(body.detail), /cannot be used as a reference/)
})

test('answers 404 immediately after a lap is deleted', async () => {
  const { body } = await service.uploadAndIngest('leaver', aFile({ driverId: 2 }))
  const id = String(body.lap_id)
  assert.equal((await get('anybody', id)).status, 200)
  await service.call('deleteLap', { method: 'DELETE', url: `/api/laps/${id}`, as: 'leaver' })
  assert.equal((await get('anybody', id)).status, 404)
  assert.equal((await get('leaver', id)).status, 404)
})

test('answers 401 without a session, and 400 for an invalid id', async () => {
  const nobody = await service.call('getReference', { method: 'GET', url: `/api/laps/${lapId}/reference` })
  assert.equal(nobody.status, 401)
  assert.equal((await get('anybody', 'none')).status, 400)
})

test('answers 503 while the store is down, without the cause', async () => {
  const cause = new Error('canary of a host')
  const away = await harness({
    store: {
      get: async () => Promise.reject(new StoreError('unavailable', cause)),
      check: async () => Promise.reject(new StoreError('unavailable', cause)),
    },
  })
  try {
    await away.startWorker()
    const { body } = await away.uploadAndIngest('owner', aFile({ driverId: 1 }))
    for (const headers of [{}, packed]) {
      const answer = await get('anybody', String(body.lap_id), headers, away)
      assert.equal(answer.status, 503)
      assert.equal(answer.body.code, 'ingest.store_unavailable')
      assert.ok(answer.headers['retry-after'])
      assert.doesNotMatch(JSON.stringify(answer.body), /canary/)
    }
  } finally {
    await away.close()
  }
})

test('answers 503 to JSON requests beyond the limit of the threads', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => get('anybody', lapId)))
  const statuses = new Set(answers.map(({ status }) => status))
  assert.ok(statuses.has(200))
  for (const { status, body } of answers) if (status !== 200) assert.equal(body.code, 'ingest.busy')
  assert.equal((await get('anybody', lapId)).status, 200)
})
