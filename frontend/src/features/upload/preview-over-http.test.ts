import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ReadError } from '#shared/files/read-error.ts'
import { aPreview } from '#testing/a-preview.ts'
import { previewOverHttp } from './preview-over-http.ts'

const file = new Blob([new Uint8Array([1, 2, 3])])
const preview = aPreview({ completeLaps: 1, sampleRateHz: 4 })
const deps = { newRequestId: () => 'r-1', decode: () => preview }

function problem(status: number, detail: string, code: string): Response {
  return new Response(
    JSON.stringify({ type: 'about:blank', title: 't', status, detail, code, request_id: 'r' }),
    {
      status,
      headers: { 'content-type': 'application/problem+json' },
    },
  )
}

test('posts the file once, as the field "file" under its own name, and asks for packed columns', async () => {
  const requests: Request[] = []
  const answer = await previewOverHttp(file, 'lap.ibt', {
    ...deps,
    fetch: async input => {
      requests.push(input as Request)
      return new Response(new Uint8Array([7]))
    },
    decode: bytes => {
      assert.deepEqual(bytes, new Uint8Array([7]))
      return preview
    },
  })
  assert.equal(answer, preview)
  assert.equal(requests.length, 1)
  const request = requests[0]!
  assert.equal(request.method, 'POST')
  assert.equal(new URL(request.url).pathname, '/api/v1/preview')
  assert.equal(request.headers.get('accept'), 'application/x-protobuf')
  const sent = (await request.formData()).get('file') as File
  assert.equal(sent.name, 'lap.ibt')
  assert.deepEqual(new Uint8Array(await sent.arrayBuffer()), new Uint8Array([1, 2, 3]))
})

test('shows the service’s sentence unchanged', async () => {
  const fetch = async () => problem(422, 'This file is empty.', 'preview.unreadable')
  await assert.rejects(previewOverHttp(file, 'lap.ibt', { ...deps, fetch }), error => {
    assert.ok(error instanceof ReadError)
    assert.equal(error.message, 'This file is empty.')
    assert.equal(error.code, 'preview.unreadable')
    return true
  })
})

test('shows "Preview failed" if nothing better is known', async () => {
  const failures: [string, Partial<typeof deps> & { fetch: typeof fetch }][] = [
    ['an answer without a problem document', { fetch: async () => new Response('<html>', { status: 502 }) }],
    ['no network', { fetch: () => Promise.reject(new TypeError('Failed to fetch')) }],
    [
      'an answer that cannot be decoded',
      {
        fetch: async () => new Response('x'),
        decode: () => {
          throw new RangeError('offset is out of bounds')
        },
      },
    ],
  ]
  for (const [name, failure] of failures) {
    await assert.rejects(
      previewOverHttp(file, 'lap.ibt', { ...deps, ...failure }),
      { message: 'Preview failed' },
      name,
    )
  }
})

const silent: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) =>
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
  )

test('reports a server that does not answer in time', async () => {
  const alive = setInterval(() => {}, 1000)
  await assert.rejects(previewOverHttp(file, 'lap.ibt', { ...deps, fetch: silent, timeoutMs: 5 }), {
    message: 'Request timeout after 5 ms',
  })
  clearInterval(alive)
})

test('rejects with the signal’s reason if the file is cancelled', async () => {
  const stop = new AbortController()
  const answer = previewOverHttp(file, 'lap.ibt', { ...deps, fetch: silent, signal: stop.signal })
  stop.abort(new Error('another file'))
  await assert.rejects(answer, { message: 'another file' })
})
