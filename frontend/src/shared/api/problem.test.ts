import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readApiError } from './problem.ts'

const problem = {
  type: 'about:blank',
  title: 'Too many requests',
  status: 429,
  detail: 'Too many files in a minute. Try again in 12 seconds.',
  code: 'preview.rate_limited',
  request_id: 'r-1',
}

test('reads the sentence, the code and the wait of a problem document', async () => {
  const error = await readApiError(
    new Response(JSON.stringify(problem), {
      status: 429,
      headers: { 'content-type': 'application/problem+json; charset=utf-8', 'retry-after': '12' },
    }),
  )
  assert.equal(error.message, problem.detail)
  assert.equal(error.code, 'preview.rate_limited')
  assert.equal(error.isSentence, true)
  assert.equal(error.retryAfterS, 12)
  assert.equal(error.statusLine, '429')
})

test('stores the body as it came, cut to a readable length', async () => {
  const short = await readApiError(new Response('<Error>RequestTimeout</Error>', { status: 400 }))
  assert.equal(short.text, '<Error>RequestTimeout</Error>')
  const long = await readApiError(new Response('x'.repeat(100_000), { status: 502 }))
  assert.equal(long.text, 'x'.repeat(2000))
})

test('reads status code and status text of any other answer, which do not count as a sentence', async () => {
  const answers = [
    new Response('<h1>Bad gateway</h1>', { status: 502, statusText: 'Bad Gateway' }),
    new Response('{', {
      status: 502,
      statusText: 'Bad Gateway',
      headers: { 'content-type': 'application/problem+json' },
    }),
    new Response('{"detail":""}', {
      status: 502,
      statusText: 'Bad Gateway',
      headers: { 'content-type': 'application/problem+json' },
    }),
  ]
  for (const answer of answers) {
    const error = await readApiError(answer)
    assert.equal(error.message, '502 Bad Gateway')
    assert.equal(error.statusLine, '502 Bad Gateway')
    assert.equal(error.isSentence, false)
    assert.equal(error.retryAfterS, null)
  }
})
