import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, type TestContext, test } from 'node:test'
import { metricsText } from '@lapwing/metrics'
import {
  createObjectStore,
  isStoreError,
  prepareBucket,
  type StoreErrorCode,
  type StoreLimits,
} from './index.ts'
import { type TestBucket, testBucket } from './testing/test-bucket.ts'

const origin = 'http://localhost:8080'
let bucket: TestBucket

before(async () => {
  bucket = await testBucket({ origins: [origin] })
})

after(() => bucket.drop())

const binary = { contentType: 'application/octet-stream' }

test('returns a stored object, whole, in part and by its facts', async () => {
  const { store } = bucket
  const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251)
  const { etag } = await store.put('whole/a', bytes, binary)
  const { modifiedAt, ...facts } = await store.head('whole/a')
  assert.deepEqual(facts, { key: 'whole/a', size: 300_000, etag })
  assert.ok(modifiedAt instanceof Date)
  const whole = await store.get('whole/a')
  assert.equal(whole.size, 300_000)
  assert.equal(whole.etag, etag)
  assert.deepEqual(new Uint8Array(await buffer(whole.body)), bytes)
  const part = await store.get('whole/a', { range: [100, 199] })
  assert.equal(part.size, 100)
  assert.deepEqual(new Uint8Array(await buffer(part.body)), bytes.subarray(100, 200))
})

test('rejects a read of a replaced object by its old ETag', async () => {
  const { store } = bucket
  const { etag } = await store.put('pinned', Buffer.from('one'), binary)
  assert.equal(String(await buffer((await store.get('pinned', { ifMatch: etag })).body)), 'one')
  await store.put('pinned', Buffer.from('two'), binary)
  await rejectsWith('changed', store.get('pinned', { ifMatch: etag }))
})

test('rejects a range beyond the end of the object as changed', async () => {
  await bucket.store.put('short', Buffer.from('ten bytes!'), binary)
  await rejectsWith('changed', bucket.store.get('short', { range: [10, 20] }))
})

test('reports a missing object as not found, and as deleted', async () => {
  const { store } = bucket
  await rejectsWith('not_found', store.head('nothing'))
  await rejectsWith('not_found', store.get('nothing'))
  await store.put('something', Buffer.from('x'), binary)
  await store.delete(['nothing', 'something', 'nothing'])
  await rejectsWith('not_found', store.head('something'))
  await store.delete([])
})

test('counts each call by its outcome, and only an absent store as unavailable', async t => {
  const count = async (operation: string, outcome: string) => {
    const name = `lapwing_object_store_seconds_count{operation="${operation}",outcome="${outcome}"`
    const line = (await metricsText()).split('\n').find(line => line.startsWith(name))
    return Number(line?.split(' ').at(-1) ?? 0)
  }
  const before = await count('head', 'not_found')
  await rejectsWith('not_found', bucket.store.head('nothing'))
  assert.equal(await count('head', 'not_found'), before + 1)
  const away = createObjectStore({
    ...bucket.address,
    endpoint: 'http://127.0.0.1:1',
    limits: { attempts: 1 },
  })
  t.after(() => away.close())
  await rejectsWith('unavailable', away.put('a', Buffer.from('x'), binary))
  assert.equal(await count('put', 'unavailable'), 1)
  const etag = '"e"'
  const stopped = bucket.store.download(
    'a',
    { ifMatch: etag, size: 1, signal: AbortSignal.abort() },
    async () => {},
  )
  await assert.rejects(stopped, { name: 'AbortError' })
  assert.equal(await count('download', 'stopped'), 1)
})

test('lists every object of the prefix once, page by page, and no other', async () => {
  const { store } = bucket
  const names = Array.from({ length: 25 }, (_, index) => `listed/${String(index).padStart(2, '0')}`)
  for (const key of [...names, 'listed-not/a']) await store.put(key, Buffer.from('x'), binary)
  const seen: string[] = []
  let after: string | null = ''
  while (after !== null) {
    const page = await store.list('listed/', { after: after || undefined, limit: 10 })
    assert.ok(page.objects.length <= 10)
    seen.push(...page.objects.map(({ key }) => key))
    after = page.next
  }
  assert.deepEqual(seen, names)
  assert.deepEqual(await store.list('unlisted/'), { objects: [], next: null })
})

test('deletes more objects than fit into one call', async () => {
  const { store } = bucket
  await store.put('many/0', Buffer.from('x'), binary)
  await store.delete(Array.from({ length: 1500 }, (_, index) => `many/${1499 - index}`))
  assert.deepEqual((await store.list('many/')).objects, [])
})

test('accepts exactly its own object by a form, and a page of ours may send it', async () => {
  const { store } = bucket
  const form = await store.presignPost({
    key: 'posted/a',
    size: 5,
    contentType: 'text/plain',
    expiresInS: 60,
  })
  const body = new FormData()
  for (const [name, value] of Object.entries(form.fields)) body.append(name, value)
  body.append('file', new Blob(['12345']), 'a.txt')
  const answer = await fetch(form.url, { method: 'POST', body, headers: { origin } })
  assert.equal(answer.status, 204)
  assert.equal(answer.headers.get('access-control-allow-origin'), origin)
  assert.match(answer.headers.get('access-control-expose-headers') ?? '', /etag/i)
  assert.equal((await store.head('posted/a')).etag, answer.headers.get('etag'))
})

test('refuses a preflight of another page', async () => {
  const ask = (from: string) =>
    fetch(`${bucket.address.endpoint}/${bucket.address.bucket}`, {
      method: 'OPTIONS',
      headers: { origin: from, 'access-control-request-method': 'POST' },
    })
  assert.equal((await ask(origin)).headers.get('access-control-allow-origin'), origin)
  assert.equal((await ask('http://evil.example')).headers.get('access-control-allow-origin'), null)
})

test('signs a form for the public URL', async () => {
  const store = createObjectStore({ ...bucket.address, publicEndpoint: 'https://files.lapwing.example' })
  const form = await store.presignPost({ key: 'a', size: 1, contentType: 'text/plain', expiresInS: 60 })
  assert.equal(form.url, `https://files.lapwing.example/${bucket.address.bucket}`)
  store.close()
})

test('prepares a bucket again safely, also two at the same time', async () => {
  await bucket.store.put('kept', Buffer.from('x'), binary)
  await Promise.all([1, 2].map(() => prepareBucket(bucket.address, { origins: [origin] })))
  assert.equal((await bucket.store.head('kept')).size, 1)
  await bucket.store.check()
})

for (const [what, change] of [
  ['a missing bucket', { bucket: 'not-there-at-all' }],
  ['a wrong key', { secretAccessKey: 'wrong' }],
  ['no server at the address', { endpoint: 'http://127.0.0.1:1' }],
] as const) {
  test(`reports unavailable for ${what}`, async () => {
    const store = createObjectStore({ ...bucket.address, ...change, limits: quick })
    await rejectsWith('unavailable', store.check())
    await rejectsWith('unavailable', store.put('a', Buffer.from('x'), binary))
    await rejectsWith('unavailable', store.list(''))
    await rejectsWith('unavailable', store.delete(['a']))
    await rejectsWith('unavailable', store.get('a'))
    store.close()
  })
}

test('fails in time for a store that never answers, at every call', async t => {
  const store = await against(t, () => {})
  await rejectsWith('unavailable', store.head('a'))
  await rejectsWith('unavailable', store.get('a'))
  await rejectsWith('unavailable', store.put('a', Buffer.from('x'), binary))
  await rejectsWith('unavailable', store.list(''))
  await rejectsWith('unavailable', store.delete(['a']))
  await rejectsWith('unavailable', store.check())
})

test('fails in time for a list whose answer ends early', async t => {
  const store = await against(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/xml' })
    response.write('<?xml version="1.0"?><ListBucketResult>')
  })
  await rejectsWith('unavailable', store.list(''))
})

const someFacts = { etag: '"e"', 'last-modified': new Date(0).toUTCString() }

test('fails for a body that stops coming, and for one that ends early', async t => {
  for (const breaks of [false, true]) {
    const store = await against(t, (_request, response) => {
      response.writeHead(200, { ...someFacts, 'content-length': 1000 })
      response.write('some of it')
      if (breaks) setImmediate(() => response.destroy())
    })
    const { body } = await store.get('a')
    await rejectsWith('unavailable', buffer(body))
  }
})

test('returns the whole body to a slow reader', async t => {
  const size = 4 * 1024 * 1024
  const answer: RequestListener = (_request, response) => {
    response.writeHead(200, { ...someFacts, 'content-length': size })
    response.end(Buffer.alloc(size, 7))
  }
  const store = await against(t, answer, patient)
  const { body } = await store.get('a')
  let read = 0
  let waits = 0
  for await (const chunk of body) {
    read += (chunk as Buffer).length
    // Longer than the store may stop sending, with more unread bytes than buffers hold.
    if (waits++ === 0) await new Promise(resolve => setTimeout(resolve, patient.stallMs * 1.5))
  }
  assert.equal(read, size)
})

test('repeats a call that failed on the way, three attempts in total', async t => {
  let calls = 0
  const answer: RequestListener = (_request, response) => {
    calls++
    if (calls % 3 !== 0) response.writeHead(500).end()
    else response.writeHead(200, { ...someFacts, 'content-length': 3 }).end()
  }
  const store = await against(t, answer, patient)
  assert.equal((await store.head('a')).size, 3)
  assert.equal(calls, 3)
})

test('rejects an answer without an ETag', async t => {
  const store = await against(t, (_request, response) => {
    response.writeHead(200, { 'content-length': 3, 'last-modified': someFacts['last-modified'] }).end()
  })
  await rejectsWith('unavailable', store.head('a'))
})

test('stops call and body with the signal’s reason', async t => {
  const reason = new Error('enough')
  const silent = await against(t, () => {})
  const during = new AbortController()
  const asked = silent.get('a', { signal: during.signal })
  during.abort(reason)
  await assert.rejects(asked, reason)
  await assert.rejects(silent.get('a', { signal: AbortSignal.abort(reason) }), reason)

  const slow = await against(t, (_request, response) => {
    response.writeHead(200, { ...someFacts, 'content-length': 1000 })
    response.write('some of it')
  })
  const reading = new AbortController()
  const { body } = await slow.get('a', { signal: reading.signal })
  const ended = drained(body)
  reading.abort(reason)
  await assert.rejects(ended, reason)
})

test('frees the connection of a body that is destroyed', async t => {
  const closed = Promise.withResolvers<void>()
  const store = await against(t, (_request, response) => {
    response.once('close', () => closed.resolve())
    response.writeHead(200, { ...someFacts, 'content-length': 1000 })
    response.write('some of it')
  })
  const { body } = await store.get('a')
  body.destroy()
  await closed.promise
})

const quick = {
  connectWithinMs: 300,
  answerWithinMs: 300,
  callWithinMs: 1_000,
  stallMs: 300,
} satisfies StoreLimits

/** Of a store that answers: longer than a busy machine lets a process wait. */
const patient = {
  connectWithinMs: 5_000,
  answerWithinMs: 5_000,
  callWithinMs: 15_000,
  stallMs: 1_000,
} satisfies StoreLimits

/** Returns a client of a store that behaves like `listener`. */
async function against(t: TestContext, listener: RequestListener, limits: StoreLimits = quick) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const store = createObjectStore({ ...bucket.address, endpoint: `http://127.0.0.1:${port}`, limits })
  t.after(() => {
    store.close()
    server.closeAllConnections()
    server.close()
  })
  return store
}

async function drained(body: Readable): Promise<void> {
  for await (const _chunk of body);
}

async function rejectsWith(code: StoreErrorCode, work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, error => isStoreError(error, code) || assert.fail(String(error)))
}

test('stores a stream with its type, and refuses other bytes than announced or a stream that fails', async () => {
  const { store } = bucket
  const bytes = Buffer.alloc(300_000, 7)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const type = { contentType: 'application/x-protobuf', contentEncoding: 'gzip' }
  const { etag } = await store.putStream('streamed', Readable.from([bytes]), {
    ...type,
    size: 300_000,
    sha256,
  })
  const found = await store.get('streamed')
  assert.deepEqual({ etag: found.etag, type: found.type }, { etag, type })
  assert.deepEqual(Buffer.concat(await found.body.toArray()), bytes)

  const others = Readable.from([Buffer.alloc(300_000, 8)])
  const unavailable = { name: 'StoreError', code: 'unavailable' }
  await assert.rejects(store.putStream('others', others, { ...type, size: 300_000, sha256 }), unavailable)
  const failing = Readable.from(
    (async function* () {
      yield bytes.subarray(0, 1_000)
      throw new Error('the disk is gone')
    })(),
  )
  await assert.rejects(store.putStream('failing', failing, { ...type, size: 300_000, sha256 }), unavailable)
  for (const key of ['others', 'failing']) await assert.rejects(store.head(key), { code: 'not_found' })
})
