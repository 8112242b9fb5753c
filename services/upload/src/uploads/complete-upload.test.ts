import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { after, before, type TestContext, test } from 'node:test'
import { createObjectStore, type ObjectStore, StoreError } from '@lapwing/object-store'
import { bytesSource, openIbt } from '@lapwing/telemetry'
import { sharedIbt, sharedIbtMissing } from '@lapwing/testing/shared-ibt.ts'
import { sweep } from '../sweeping/sweep.ts'
import { type Announced, type Harness, harness, sampleFile } from '../test/harness.ts'
import { postForm } from '../test/post-form.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

/** Announces and posts a file, and does not complete it. */
async function posted(as: string, bytes = sampleFile): Promise<Announced> {
  const announced = await service.announce(as, bytes)
  assert.equal(await postForm(announced, bytes), 204)
  return announced
}

/** Returns another file of the same length with a telemetry header. */
function otherFile(): Uint8Array {
  const bytes = sampleFile.slice()
  bytes[bytes.length - 1]! ^= 1
  return bytes
}

test('completes a posted file, and sends its ETag to ingest', async () => {
  const announced = await posted('user-a')
  const { status, body } = await service.complete('user-a', announced)
  assert.equal(status, 200)
  const { sessionId, key } = announced
  assert.deepEqual(body, { ok: true, sessionId, key, size: sampleFile.length })
  assert.deepEqual(await service.readSession(sessionId), {
    user_id: 'user-a',
    key,
    size: sampleFile.length,
    etag: (await service.store.head(key)).etag,
    state: 'completed',
    completed_at: service.clock.now.toISOString(),
  })
})

test('answers 409 before the post, and succeeds after it', async () => {
  const announced = await service.announce('user-a', sampleFile)
  const early = await service.complete('user-a', announced)
  assert.equal(early.status, 409)
  assert.equal(early.body.code, 'upload.not_posted')
  assert.equal((await service.readSession(announced.sessionId))?.state, 'open')
  assert.equal(await postForm(announced, sampleFile), 204)
  assert.equal((await service.complete('user-a', announced)).status, 200)
})

test('answers a second call in the same way, without the store', async t => {
  const announced = await posted('user-a')
  const first = await service.complete('user-a', announced)
  const stored = await service.readSession(announced.sessionId)
  const store = createObjectStore({ ...service.address, endpoint: 'http://127.0.0.1:1' })
  t.after(() => store.close())
  const second = await service.variant({ store }).complete('user-a', announced)
  assert.deepEqual([second.status, second.body], [first.status, first.body])
  assert.deepEqual(await service.readSession(announced.sessionId), stored)
})

test('answers twenty simultaneous calls in the same way, and stores one ETag', async () => {
  const announced = await posted('user-a')
  const answers = await Promise.all(Array.from({ length: 20 }, () => service.complete('user-a', announced)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1)
})

test('completes the later file of a client that posts twice', async () => {
  const announced = await posted('user-a')
  const { etag: earlier } = await service.store.head(announced.key)
  assert.equal(await postForm(announced, otherFile()), 204)
  assert.equal((await service.complete('user-a', announced)).status, 200)
  const stored = await service.readSession(announced.sessionId)
  assert.equal(stored?.etag, (await service.store.head(announced.key)).etag)
  assert.notEqual(stored?.etag, earlier)
})

test('sends the ETag of the inspected object to ingest, even if the object is replaced later', async () => {
  const announced = await posted('user-a')
  await service.complete('user-a', announced)
  const stored = await service.readSession(announced.sessionId)
  // The form is still valid: the store accepts another file of the same size.
  assert.equal(await postForm(announced, otherFile()), 204)
  assert.equal((await service.complete('user-a', announced)).status, 200)
  assert.deepEqual(await service.readSession(announced.sessionId), stored)
  await assert.rejects(
    service.store.get(announced.key, { ifMatch: String(stored?.etag) }),
    error => error instanceof StoreError && error.code === 'changed',
  )
})

test('stores the ETag of the inspected object if another is posted during the call', async () => {
  const announced = await posted('user-a')
  let replaced = false
  const restless: ObjectStore = {
    ...service.store,
    async head(key) {
      const facts = await service.store.head(key)
      if (!replaced) await service.store.put(key, otherFile(), { contentType: 'application/octet-stream' })
      replaced = true
      return facts
    },
  }
  assert.equal((await service.variant({ store: restless }).complete('user-a', announced)).status, 200)
  assert.equal(
    (await service.readSession(announced.sessionId))?.etag,
    (await service.store.head(announced.key)).etag,
  )
})

test('answers 503 and stays open if the object is replaced during every attempt', async () => {
  const announced = await posted('user-a')
  const restless: ObjectStore = {
    ...service.store,
    get: async () => Promise.reject(new StoreError('changed')),
  }
  const answer = await service.variant({ store: restless }).complete('user-a', announced)
  assert.equal(answer.body.code, 'upload.busy')
  assert.equal((await service.complete('user-a', announced)).status, 200)
})

test('answers the same 404 for an unknown upload, another account’s, and another key', async () => {
  const mine = await posted('user-a')
  const other = await posted('user-b')
  const answers = [
    await service.complete('user-b', mine),
    await service.complete('user-a', { ...mine, key: other.key }),
    await service.complete('user-a', { ...mine, key: `${mine.key}/../${other.key}` }),
    await service.complete('user-a', { ...mine, key: mine.key.toUpperCase() }),
    await service.complete('user-a', { ...mine, sessionId: other.sessionId }),
    await service.complete('user-a', { ...mine, sessionId: '0190a0a0-0000-7000-8000-000000000000' }),
  ]
  const bodies = answers.map(({ body: { request_id: _id, ...body } }) => JSON.stringify(body))
  assert.equal(new Set(bodies).size, 1, bodies.join('\n'))
  assert.equal(answers[0]!.body.code, 'upload.not_found')
  for (const { sessionId } of [mine, other])
    assert.equal((await service.readSession(sessionId))?.state, 'open')
})

for (const [what, body] of [
  ['no session', { key: 'uploads/a' }],
  ['no key', { sessionId: '0190a0a0-0000-7000-8000-000000000000' }],
  ['a session id that is no UUID', { sessionId: '1 or 1=1', key: 'uploads/a' }],
  ['a key of 201 characters', { sessionId: '0190a0a0-0000-7000-8000-000000000000', key: 'a'.repeat(201) }],
  [
    'a field that is not of the contract',
    { sessionId: '0190a0a0-0000-7000-8000-000000000000', key: 'a', etag: 'b' },
  ],
] as const) {
  test(`answers 400 for ${what}`, async () => {
    const answer = await service.call('completeUpload', {
      url: '/api/v1/upload/complete',
      as: 'user-a',
      body,
    })
    assert.equal(answer.body.code, 'upload.bad_request')
  })
}

test('answers 401 without a principal', async () => {
  const { sessionId, key } = await posted('user-a')
  const answer = await service.call('completeUpload', {
    url: '/api/v1/upload/complete',
    body: { sessionId, key },
  })
  assert.equal(answer.body.code, 'upload.unauthorized')
})

test('accepts a file name and does not store it', async () => {
  const { sessionId, key } = await posted('user-a')
  const body = { sessionId, key, originalName: 'Jane Doe.ibt' }
  const answer = await service.call('completeUpload', { url: '/api/upload/complete', as: 'user-a', body })
  assert.equal(answer.status, 200)
  const rows = await service.db.selectFrom('upload_session').selectAll().execute()
  assert.doesNotMatch(JSON.stringify(rows), /Jane/)
})

test('answers 422 for an object of another size, and still accepts the right one', async () => {
  const announced = await service.announce('user-a', sampleFile)
  for (const bytes of [sampleFile.subarray(1), new Uint8Array(sampleFile.length + 1), new Uint8Array(0)]) {
    await service.store.put(announced.key, bytes, { contentType: 'application/octet-stream' })
    const answer = await service.complete('user-a', announced)
    assert.equal(answer.status, 422)
    assert.equal(answer.body.code, 'upload.size_differs')
  }
  assert.equal(await postForm(announced, sampleFile), 204)
  assert.equal((await service.complete('user-a', announced)).status, 200)
})

/** Files that are rejected by their first bytes. */
const noTelemetry: Record<string, Uint8Array> = {
  'one byte': new Uint8Array(1),
  text: new TextEncoder().encode('This is not telemetry. '.repeat(20)),
  zeros: new Uint8Array(10_000),
  'the first half of a header': sampleFile.slice(0, 100),
  'a header and nothing behind it': sampleFile.slice(0, 144),
  'a picture': Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...new Uint8Array(500)]),
  'a zip': Uint8Array.from([0x50, 0x4b, 3, 4, ...new Uint8Array(500)]),
  'a dump of the live memory': withInt32(sampleFile, 32, 3),
  'rows of no bytes': withInt32(sampleFile, 36, 0),
  'a million variables': withInt32(sampleFile, 24, 1_000_000),
}

for (const [what, bytes] of Object.entries(noTelemetry)) {
  test(`answers 422 with a sentence for the driver for ${what}`, async () => {
    await refusedAsNoTelemetry(bytes)
  })
}

for (const name of ['not-telemetry', 'twelve-byte-records', 'memory-dump', 'cut-in-variable-headers']) {
  test(`answers 422 for the recorded file broken/${name}`, { skip: sharedIbtMissing }, async () => {
    await refusedAsNoTelemetry(readFileSync(sharedIbt(`broken/${name}.ibt`)))
  })
}

test('accepts a file that is cut in its rows, for ingest to judge', {
  skip: sharedIbtMissing,
}, async () => {
  const announced = await posted('user-broken', readFileSync(sharedIbt('broken/cut-in-records.ibt')))
  assert.equal((await service.complete('user-broken', announced)).status, 200)
})

test('accepts every recorded file', {
  skip: sharedIbtMissing || !existsSync(sharedIbt('real')),
}, async () => {
  for (const name of ['real/langley-2-laps', 'real/sebring-lmdh-reset', 'laps/summit-jefferson-4-laps']) {
    const announced = await posted('user-real', readFileSync(sharedIbt(`${name}.ibt`)))
    assert.equal((await service.complete('user-real', announced)).status, 200, name)
  }
})

async function refusedAsNoTelemetry(bytes: Uint8Array): Promise<void> {
  const announced = await posted('user-broken', bytes)
  const answer = await service.complete('user-broken', announced)
  assert.equal(answer.status, 422)
  assert.equal(answer.body.code, 'upload.not_telemetry')
  const why = await openIbt(bytesSource(bytes)).then(
    () => assert.fail('it can be opened'),
    (error: Error) => error.message,
  )
  assert.equal(answer.body.detail, why)
  assert.equal((await service.readSession(announced.sessionId))?.state, 'open')
  // Frees one of the account's open uploads.
  await service.db.deleteFrom('upload_session').where('id', '=', announced.sessionId).execute()
}

test('after ten minutes completes a file that arrived in time, and answers 410 for others', async t => {
  const arrived = await posted('user-a')
  const missing = await service.announce('user-a', sampleFile)
  later(t, 10 * 60)
  assert.equal((await service.complete('user-a', arrived)).status, 200)
  const answer = await service.complete('user-a', missing)
  assert.equal(answer.status, 410)
  assert.equal(answer.body.code, 'upload.expired')
})

test('answers 410 after the sweeper removed the file, completed or not', async t => {
  const left = await posted('user-a')
  const kept = await posted('user-a')
  await service.complete('user-a', kept)
  const options = { ...service, now: () => service.clock.now, keepDays: 30 }
  later(t, 31 * 24 * 60 * 60)
  await sweep(options)
  for (const announced of [left, kept]) {
    assert.equal((await service.complete('user-a', announced)).body.code, 'upload.expired')
    assert.equal((await service.readSession(announced.sessionId))?.state, 'removed')
  }
})

test('answers 410 if the sweeper removes the file during the call', async t => {
  const announced = await posted('user-a')
  later(t, 41 * 60)
  const slow: ObjectStore = {
    ...service.store,
    async get(key, options) {
      const content = await service.store.get(key, options)
      await sweep({ ...service, now: () => service.clock.now, keepDays: 30 })
      return content
    },
  }
  const answer = await service.variant({ store: slow }).complete('user-a', announced)
  assert.equal(answer.body.code, 'upload.expired')
  assert.equal((await service.readSession(announced.sessionId))?.state, 'removed')
})

function later(t: TestContext, seconds: number): void {
  const before = service.clock.now
  service.clock.now = new Date(before.getTime() + seconds * 1000)
  t.after(() => {
    service.clock.now = before
  })
}

function withInt32(file: Uint8Array, at: number, value: number): Uint8Array {
  const bytes = file.slice()
  new DataView(bytes.buffer).setInt32(at, value, true)
  return bytes
}
