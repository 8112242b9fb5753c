import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApiFetch, RequestTimeoutError } from './api-fetch.ts'

const never: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) =>
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
  )

test('sends the client headers and a new request id with each call, beside the call’s own headers', async () => {
  const seen: Headers[] = []
  let id = 0
  const apiFetch = createApiFetch({
    fetch: async input => {
      seen.push((input as Request).headers)
      return new Response()
    },
    newRequestId: () => `r-${++id}`,
  })
  await apiFetch('http://lapwing.test/api/v1/preview', { headers: { accept: 'application/x-protobuf' } })
  await apiFetch('http://lapwing.test/api/leaderboards')
  assert.equal(seen[0]?.get('x-requested-with'), 'XMLHttpRequest')
  assert.equal(seen[0]?.get('x-client-version'), '1.0.0')
  assert.equal(seen[0]?.get('accept'), 'application/x-protobuf')
  assert.deepEqual(
    seen.map(headers => headers.get('x-request-id')),
    ['r-1', 'r-2'],
  )
})

test('sends bodies as JSON, except forms and bodies with a content type of their own', async () => {
  const types: (string | null)[] = []
  const apiFetch = createApiFetch({
    fetch: async input => {
      types.push((input as Request).headers.get('content-type'))
      return new Response()
    },
    newRequestId: () => 'r',
  })
  const form = new FormData()
  form.set('file', new Blob(['x']))
  for (const init of [
    { method: 'POST', body: '{}' },
    { method: 'POST', body: form },
    { method: 'POST', body: '<x/>', headers: { 'content-type': 'application/xml' } },
    {},
  ]) {
    await apiFetch('http://lapwing.test/api', init)
  }
  assert.equal(types[0], 'application/json')
  assert.match(types[1] ?? '', /^multipart\/form-data; boundary=/)
  assert.deepEqual(types.slice(2), ['application/xml', null])
})

test('ends a slow call with a sentence that names the limit', async () => {
  const alive = setInterval(() => {}, 1000)
  const apiFetch = createApiFetch({ fetch: never, newRequestId: () => 'r', timeoutMs: 5 })
  await assert.rejects(apiFetch('http://lapwing.test/api'), error => {
    assert.ok(error instanceof RequestTimeoutError)
    assert.equal(error.message, 'Request timeout after 5 ms')
    return true
  })
  clearInterval(alive)
})

test('rejects with the caller’s reason if the caller aborts', async () => {
  const stop = new AbortController()
  const apiFetch = createApiFetch({ fetch: never, newRequestId: () => 'r' })
  const answer = apiFetch('http://lapwing.test/api', { signal: stop.signal })
  stop.abort(new Error('second drop'))
  await assert.rejects(answer, { message: 'second drop' })
})
