import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestTimeoutError } from '#shared/api/api-fetch.ts'
import { readApiError } from '#shared/api/problem.ts'
import { finalSentence, isWorthRepeating, SaveError, saveErrorOf } from './save-error.ts'

const problem = (status: number, code: string, detail: string) =>
  readApiError(
    new Response(JSON.stringify({ status, code, detail, title: 't' }), {
      status,
      headers: { 'content-type': 'application/problem+json' },
    }),
  )

test('carries the step, the status and the server’s text', async () => {
  const error = saveErrorOf('init', await problem(503, 'upload.busy', 'Try again soon.'))
  assert.match(error.message, /^Upload init failed: 503 .*"upload\.busy"/)
  assert.deepEqual([error.sentence, error.isRefused], ['Try again soon.', false])
  const page = await readApiError(new Response('<h1>oops</h1>', { status: 502, statusText: 'Bad Gateway' }))
  assert.equal(saveErrorOf('ingest', page).message, 'Ingest failed: 502 Bad Gateway <h1>oops</h1>')
})

test('retries only errors that name a time-out, the network or a fetch', async () => {
  const cases: [unknown, boolean][] = [
    [new RequestTimeoutError(30_000), true],
    [new TypeError('Failed to fetch'), true],
    [new TypeError('NetworkError when attempting to fetch resource.'), true],
    [new TypeError('Load failed'), true],
    [new DOMException('The operation was aborted due to timeout', 'TimeoutError'), true],
    [await problem(504, 'gateway.upstream_timeout', 'The answer took too long. Please try again.'), true],
    [await problem(503, 'upload.busy', 'Busy.'), false],
    [await problem(422, 'upload.not_telemetry', 'This is no telemetry file.'), false],
    [new Error('undefined is not a function'), false],
  ]
  for (const [cause, isWorth] of cases) {
    assert.equal(isWorthRepeating(saveErrorOf('post', cause)), isWorth, String(cause))
  }
})

test('blames the file only for refusals that lie in the file', async () => {
  const cases: [number, string, boolean][] = [
    [422, 'ingest.driven_elsewhere', true],
    [422, 'ingest.place_unknown', true],
    [422, 'ingest.unidentified', true],
    [422, 'ingest.unreadable', true],
    [409, 'upload.belongs_to_another_driver', true],
    [409, 'upload.duplicate_lap', true],
    [415, 'upload.wrong_type', true],
    [422, 'upload.empty', true],
    [413, 'upload.too_large', true],
    [422, 'upload.not_telemetry', true],
    [422, 'upload.size_differs', false],
    [409, 'ingest.file_replaced', false],
    [429, 'ingest.rate_limited', false],
    [503, 'ingest.busy', false],
  ]
  for (const [status, code, isOfTheFile] of cases) {
    assert.equal(saveErrorOf('ingest', await problem(status, code, 'No.')).isOfTheFile, isOfTheFile, code)
  }
})

test('keeps a failure that is a SaveError already', () => {
  const error = new SaveError('post', '403')
  assert.equal(saveErrorOf('ingest', error), error)
})

test('says at last that it timed out, what was refused, or to try again', async () => {
  const cases: [SaveError, { sentence: string; detail: string | null }][] = [
    [
      saveErrorOf('ingest', new RequestTimeoutError(60_000)),
      { sentence: 'Upload failed: Request timed out', detail: null },
    ],
    [
      saveErrorOf('ingest', await problem(422, 'upload.belongs_to_another_driver', 'Belongs to another.')),
      { sentence: 'Belongs to another.', detail: null },
    ],
    [
      saveErrorOf('init', await problem(503, 'upload.store_unavailable', 'The store is away.')),
      { sentence: 'Upload failed: Please try again.', detail: 'The store is away.' },
    ],
    [
      saveErrorOf('post', new TypeError('Failed to fetch')),
      { sentence: 'Upload failed: Please try again.', detail: null },
    ],
  ]
  for (const [error, notices] of cases) assert.deepEqual(finalSentence(error), notices)
})
