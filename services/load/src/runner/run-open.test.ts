import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Clock, runOpen } from './run-open.ts'

/** A clock whose time passes only while everyone waits for it. */
function virtualClock(): Clock & { readonly sleep: (ms: number) => Promise<void> } {
  let nowMs = 1_000
  const waiting: { readonly atMs: number; readonly wake: () => void }[] = []
  const until = (atMs: number) => {
    if (atMs <= nowMs) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push({ atMs, wake: resolve })
    setImmediate(advance)
    return promise
  }
  function advance() {
    waiting.sort((a, b) => a.atMs - b.atMs)
    const next = waiting.shift()
    if (next === undefined) return
    nowMs = Math.max(nowMs, next.atMs)
    next.wake()
    if (waiting.length > 0) setImmediate(advance)
  }
  return { now: () => nowMs, until, sleep: ms => until(nowMs + ms) }
}

const everyTenth = Array.from({ length: 10 }, (_, index) => 100 * index)

test('starts iterations on time, however slow the earlier ones are', async () => {
  const clock = virtualClock()
  const starts: number[] = []
  const result = await runOpen({
    arrivals: everyTenth,
    maxInFlight: 100,
    clock,
    async iterate(number, scheduledAtMs) {
      starts[number] = clock.now()
      assert.equal(scheduledAtMs, 1_000 + everyTenth[number]!)
      await clock.sleep(5_000)
    },
  })
  assert.deepEqual(
    starts,
    everyTenth.map(ms => 1_000 + ms),
  )
  assert.deepEqual(result, { started: 10, dropped: 0, latestStartMs: 0, tookMs: 5_900 })
})

test('drops an arrival while too many are in progress, and numbers the others without a gap', async () => {
  const clock = virtualClock()
  const numbers: number[] = []
  const result = await runOpen({
    arrivals: everyTenth,
    maxInFlight: 2,
    clock,
    async iterate(number) {
      numbers.push(number)
      await clock.sleep(450)
    },
  })
  assert.deepEqual(numbers, [0, 1, 2, 3])
  assert.deepEqual([result.started, result.dropped], [4, 6])
})

test('counts a stall of the runner in the time of the arrivals that it delayed', async () => {
  const clock = virtualClock()
  const latenesses: number[] = []
  let isStalled = false
  const stalling: Clock = {
    now: clock.now,
    async until(timeMs) {
      await clock.until(timeMs)
      if (timeMs === 1_300 && !isStalled) {
        isStalled = true
        await clock.sleep(250)
      }
    },
  }
  const result = await runOpen({
    arrivals: everyTenth,
    maxInFlight: 100,
    clock: stalling,
    async iterate(_number, scheduledAtMs) {
      latenesses.push(clock.now() - scheduledAtMs)
    },
  })
  assert.deepEqual(latenesses, [0, 0, 0, 250, 150, 50, 0, 0, 0, 0])
  assert.equal(result.latestStartMs, 250)
})

test('stops starting when it is aborted, and waits for what is in progress', async () => {
  const clock = virtualClock()
  const stopped = new AbortController()
  let ended = 0
  const result = await runOpen({
    arrivals: everyTenth,
    maxInFlight: 100,
    clock,
    signal: stopped.signal,
    async iterate(number) {
      if (number === 3) stopped.abort()
      await clock.sleep(1_000)
      ended++
    },
  })
  assert.deepEqual([result.started, ended], [4, 4])
})
