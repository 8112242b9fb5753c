import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createTaskState, createThreadPool, TASK_STATE } from './index.ts'

function createPool(t: TestContext) {
  const module = new URL('./test/worker.ts', import.meta.url)
  const pool = createThreadPool<object, unknown>({ module, threads: 1, heapMb: 128 })
  t.after(() => pool.close())
  return pool
}

test('returns buffers that were moved out of the thread', async t => {
  const pool = createPool(t)
  const { body } = (await pool.run({ size: 100_000 }, { name: 'moveBytes' })) as { body: Uint8Array }
  assert.deepEqual([body.length, body[99_999]], [100_000, 7])
})

test('lets a task see that it is cancelled, before or while it runs', async t => {
  const pool = createPool(t)
  const state = createTaskState()
  const abort = new AbortController()
  const running = pool.run({ state }, { name: 'waitForCancel', signal: abort.signal, state })
  while (Atomics.load(state, TASK_STATE.MARK) === 0) await delay(5)
  assert.equal(pool.underWay(), 1)
  abort.abort()
  assert.equal(await running, 'cancelled')
  assert.equal(pool.underWay(), 0)
  const late = createTaskState()
  const options = { name: 'waitForCancel', signal: AbortSignal.abort(), state: late }
  assert.equal(await pool.run({ state: late }, options), 'cancelled')
})

test('stops a thread that does not end, and continues with another', async t => {
  const pool = createPool(t)
  await assert.rejects(pool.run({}, { name: 'loop', timeout: AbortSignal.timeout(200) }))
  await pool.run({ size: 1 }, { name: 'moveBytes' })
  assert.ok(pool.isAlive())
})
