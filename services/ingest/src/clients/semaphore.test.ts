import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSemaphore, SemaphoreTimeout } from './semaphore.ts'

test('so many at once and no more, in the order they came, whether the others succeed or not', async () => {
  const limit = createSemaphore({ atOnce: 3, maxWaitMs: 60_000 })
  const begun: number[] = []
  let running = 0
  let most = 0
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      limit(async () => {
        begun.push(index)
        most = Math.max(most, ++running)
        await new Promise(resolve => setImmediate(resolve))
        running--
        if (index % 4 === 0) throw new Error('failed')
        return index
      }),
    ),
  )
  assert.equal(most, 3)
  assert.deepEqual(
    begun,
    Array.from({ length: 20 }, (_, index) => index),
  )
  assert.equal(results.filter(({ status }) => status === 'rejected').length, 5)
})

test('whoever waits too long is told so and never begins; those after them still have their turn', async () => {
  const limit = createSemaphore({ atOnce: 1, maxWaitMs: 20 })
  const hold = Promise.withResolvers<void>()
  const first = limit(() => hold.promise)
  let hasBegun = false
  await assert.rejects(
    limit(async () => {
      hasBegun = true
    }),
    SemaphoreTimeout,
  )
  hold.resolve()
  await first
  assert.equal(await limit(async () => 'done'), 'done')
  assert.equal(hasBegun, false)
})
