import assert from 'node:assert/strict'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { selfSigned } from '@lapwing/testing/self-signed.ts'
import { createObjectStore, isStoreError, type ObjectStore, type StoreErrorCode } from './index.ts'
import { type TestBucket, testBucket } from './testing/test-bucket.ts'

let bucket: TestBucket

before(async () => {
  bucket = await testBucket()
})

after(() => bucket.drop())

/** More than all blocks hold, and no multiple of one. */
const bytes = Buffer.from(Uint8Array.from({ length: 3_300_007 }, (_, index) => (index * 31) % 251))
const size = bytes.byteLength
const binary = { contentType: 'application/octet-stream' }
const etag = '"e"'
const head = { etag, 'last-modified': new Date(0).toUTCString() }

/** What `take` received, and how the download ended. */
async function download(
  store: ObjectStore,
  wanted: { ifMatch?: string; size?: number; signal?: AbortSignal } = {},
  { key = 'a', pause = async () => {} }: { readonly key?: string; readonly pause?: () => Promise<void> } = {},
) {
  const parts: Buffer[] = []
  const ended = store.download(key, { ifMatch: etag, size, ...wanted }, async part => {
    await pause()
    parts.push(Buffer.from(part))
  })
  const [end] = await Promise.allSettled([ended])
  return {
    taken: Buffer.concat(parts),
    parts: parts.length,
    error: end.status === 'rejected' ? end.reason : null,
  }
}

function assertFailed(error: unknown, code: StoreErrorCode): void {
  assert.ok(isStoreError(error, code), String(error))
}

test('downloads an object whole and in order, in parts of a megabyte; several in parallel too', async () => {
  const { store } = bucket
  const { etag: ifMatch } = await store.put('whole', bytes, binary)
  const one = await download(store, { ifMatch }, { key: 'whole' })
  assert.equal(one.error, null)
  assert.ok(one.taken.equals(bytes))
  assert.equal(one.parts, 4)
  const others = [bytes, bytes.toReversed(), Buffer.from('short')].map(async (content, index) => {
    const key = `one of several ${index}`
    const { etag: ifMatch } = await store.put(key, content, binary)
    const { taken } = await download(store, { ifMatch, size: content.byteLength }, { key })
    assert.ok(taken.equals(content), key)
  })
  await Promise.all(others)
})

test('rejects an object that was replaced, has another size or is gone', async () => {
  const { store } = bucket
  const { etag: ifMatch } = await store.put('other', bytes, binary)
  for (const [key, wanted, code] of [
    ['other', { ifMatch: '"another"' }, 'changed'],
    ['other', { ifMatch, size: size - 1 }, 'changed'],
    ['nothing', { ifMatch }, 'not_found'],
  ] as const) {
    const { taken, error } = await download(store, wanted, { key })
    assertFailed(error, code)
    assert.equal(taken.byteLength, 0)
  }
})

test('leaves a part unchanged until it is processed, however slowly', async t => {
  const store = await against(
    t,
    (_request, response) => {
      response.writeHead(200, { ...head, 'content-length': size }).end(bytes)
    },
    patient,
  )
  // Longer than the store may stop sending.
  const { taken, error } = await download(store, {}, { pause: () => delay(patient.stallMs * 1.5) })
  assert.equal(error, null)
  assert.ok(taken.equals(bytes))
})

test('asks a store again that fails at first, and reads from the beginning', async t => {
  let calls = 0
  const store = await against(
    t,
    (_request, response) => {
      if (++calls === 1) response.writeHead(503).end()
      else response.writeHead(200, { ...head, 'content-length': size }).end(bytes)
    },
    patient,
  )
  const { taken, error } = await download(store)
  assert.equal(error, null)
  assert.ok(taken.equals(bytes))
})

for (const [what, listener] of [
  ['never answers', () => {}],
  ['does not send the length of the object', (_, response) => response.writeHead(200, head).end(bytes)],
  [
    'stops in the middle',
    (_, response) =>
      response.writeHead(200, { ...head, 'content-length': size }).write(bytes.subarray(0, 2_000_000)),
  ],
  [
    'closes the connection in the middle',
    (_, response) => {
      response.writeHead(200, { ...head, 'content-length': size })
      response.write(bytes.subarray(0, 2_000_000), () => response.destroy())
    },
  ],
  ['sends endless headers', ({ socket }) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`)],
] as const satisfies [string, RequestListener][]) {
  test(`fails in time for a store that ${what}`, async t => {
    const { error } = await download(await against(t, listener))
    assertFailed(error, 'unavailable')
  })
}

test('reports unavailable if nothing listens at the address', async () => {
  const store = createObjectStore({ ...bucket.address, endpoint: 'http://127.0.0.1:1', limits: quick })
  assertFailed((await download(store)).error, 'unavailable')
  store.close()
})

test('stops with the signal’s reason at any time, and frees the connection', async t => {
  const reason = new Error('enough')
  const silent = await against(t, () => {})
  assert.equal((await download(silent, { signal: AbortSignal.abort(reason) })).error, reason)
  const stop = new AbortController()
  const closed = Promise.withResolvers<void>()
  const slow = await against(t, (_request, response) => {
    response.once('close', closed.resolve)
    response.writeHead(200, { ...head, 'content-length': size }).write(bytes.subarray(0, 2_000_000))
  })
  const pause = async () => stop.abort(reason)
  assert.equal((await download(slow, { signal: stop.signal }, { pause })).error, reason)
  await closed.promise
})

test('stops with the error of the reader, and frees the connection', async t => {
  const reason = new Error('the disk is full')
  const closed = Promise.withResolvers<void>()
  const store = await against(t, (_request, response) => {
    response.once('close', closed.resolve)
    response.writeHead(200, { ...head, 'content-length': size }).write(bytes.subarray(0, 2_000_000))
  })
  const pause = () => Promise.reject(reason)
  assert.equal((await download(store, {}, { pause })).error, reason)
  await closed.promise
})

test('downloads over TLS, for a slow reader too, and not from an untrusted store', async t => {
  const { key, cert } = selfSigned('localhost')
  const server = createSecureServer({ key, cert }, (_request, response) => {
    response.writeHead(200, { ...head, 'content-length': size }).end(bytes)
  })
  const store = await listening(t, server, 'https://localhost', patient)
  assertFailed((await download(store)).error, 'unavailable')
  const trusted = getCACertificates()
  setDefaultCACertificates([...trusted, cert])
  t.after(() => setDefaultCACertificates(trusted))
  for (const pause of [async () => {}, () => delay(50)]) {
    const { taken, parts, error } = await download(store, {}, { pause })
    assert.equal(error, null)
    assert.ok(taken.equals(bytes))
    assert.equal(parts, 4)
  }
})

const quick = { connectWithinMs: 300, answerWithinMs: 300, callWithinMs: 1_000, stallMs: 300 }
/** Of a store that answers: longer than a busy machine lets a process wait. */
const patient = { connectWithinMs: 5_000, answerWithinMs: 5_000, callWithinMs: 15_000, stallMs: 1_000 }

/** Returns a client of a store that behaves like `listener`. */
function against(t: TestContext, listener: RequestListener, limits = quick): Promise<ObjectStore> {
  return listening(t, createServer(listener), 'http://127.0.0.1', limits)
}

async function listening(
  t: TestContext,
  server: Server,
  origin: string,
  limits: typeof quick,
): Promise<ObjectStore> {
  await new Promise<void>(resolve => server.listen(0, resolve))
  const { port } = server.address() as AddressInfo
  const store = createObjectStore({ ...bucket.address, endpoint: `${origin}:${port}`, limits })
  t.after(() => {
    store.close()
    server.closeAllConnections()
    server.close()
  })
  return store
}
