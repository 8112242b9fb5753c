import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSemaphore, SemaphoreTimeout } from './semaphore.ts'

test('runs up to the limit at the same time, in the order of the calls, even if some fail', async () => {
  const limit = createSemaphore({ atOnce: 3, maxWaitMs: 60_000 })
  const started: number[] = []
  let running = 0
  let most = 0
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      limit(async () => {
        started.push(index)
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
    started,
    Array.from({ length: 20 }, (_, index) => index),
  )
  assert.equal(results.filter(({ status }) => status === 'rejected').length, 5)
})

test('rejects work that waits too long without starting it, and runs later work', async () => {
  const limit = createSemaphore({ atOnce: 1, maxWaitMs: 20 })
  const hold = Promise.withResolvers<void>()
  const first = limit(() => hold.promise)
  let hasStarted = false
  await assert.rejects(
    limit(async () => {
      hasStarted = true
    }),
    SemaphoreTimeout,
  )
  hold.resolve()
  await first
  assert.equal(await limit(async () => 'done'), 'done')
  assert.equal(hasStarted, false)
})
