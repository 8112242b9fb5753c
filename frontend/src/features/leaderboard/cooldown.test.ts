import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createManualClock } from '#testing/manual-clock.ts'
import { createCooldown } from './cooldown.ts'

test('blocks for 30 s, counts down each second, and can then start again', async () => {
  const clock = createManualClock()
  const cooldown = createCooldown(clock)
  const seen: number[] = []
  cooldown.subscribe(() => seen.push(cooldown.get()))
  assert.equal(cooldown.get(), 0)
  assert.equal(cooldown.start(), true)
  assert.equal(cooldown.get(), 30)
  await clock.advance(12_500)
  assert.equal(cooldown.start(), false)
  assert.equal(cooldown.get(), 18)
  await clock.advance(17_499)
  assert.equal(cooldown.get(), 1)
  await clock.advance(1)
  assert.equal(cooldown.get(), 0)
  assert.deepEqual(
    seen,
    Array.from({ length: 31 }, (_, index) => 30 - index),
  )
  assert.deepEqual(clock.waiting(), [])
  assert.equal(cooldown.start(), true)
})

test('counts by the clock in a tab that was asleep', async () => {
  const clock = createManualClock()
  let nowMs = 0
  const cooldown = createCooldown({ after: clock.after, nowMs: () => nowMs })
  cooldown.start()
  nowMs = 25_200
  await clock.advance(1000)
  assert.equal(cooldown.get(), 5)
})
