import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readApiError } from '#shared/api/problem.ts'
import { ShapeError } from '#shared/api/shapes.ts'
import { BoardError } from './board-error.ts'
import { withRetries } from './with-retries.ts'

const answer = async (status: number, retryAfter?: string) =>
  new BoardError(
    await readApiError(
      new Response(null, { status, headers: retryAfter ? { 'retry-after': retryAfter } : {} }),
    ),
  )

/** Returns how often a call that always fails is made, and the wait before each retry in milliseconds. */
async function triesOf(error: Error) {
  let calls = 0
  const waits: number[] = []
  await assert.rejects(
    withRetries(
      async () => {
        calls++
        throw error
      },
      async ms => void waits.push(ms),
    ),
    error,
  )
  return { calls, waits }
}

test('retries 429 up to 3 times, 401 never, anything else up to 2 times', async () => {
  assert.deepEqual(await triesOf(await answer(429)), { calls: 4, waits: [1000, 2000, 4000] })
  assert.deepEqual(await triesOf(await answer(401)), { calls: 1, waits: [] })
  for (const status of [400, 403, 404, 500, 502, 503]) {
    assert.deepEqual(await triesOf(await answer(status)), { calls: 3, waits: [1000, 2000] }, `${status}`)
  }
  for (const error of [new TypeError('Failed to fetch'), new ShapeError('the page')]) {
    assert.deepEqual(await triesOf(error), { calls: 3, waits: [1000, 2000] })
  }
})

test('waits longer if the server asks, up to a limit that a person accepts', async () => {
  assert.deepEqual((await triesOf(await answer(429, '12'))).waits, [12_000, 12_000, 12_000])
  assert.deepEqual((await triesOf(await answer(503, '1'))).waits, [1000, 2000])
  assert.deepEqual((await triesOf(await answer(429, '3600'))).waits, [30_000, 30_000, 30_000])
})

test('returns the answer of a retry that succeeds', async () => {
  const busy = await answer(503)
  let calls = 0
  const result = await withRetries(
    async () => {
      if (++calls < 3) throw busy
      return 'page'
    },
    async () => {},
  )
  assert.deepEqual([result, calls], ['page', 3])
})
