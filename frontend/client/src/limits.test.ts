import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAttemptLimit } from './attempt-limit.ts'
import { backoffMs } from './refresh-schedule.ts'

test('allows ten attempts in any 60 s, and the next when the first is a minute old', () => {
  let now = 1000
  const mayTry = createAttemptLimit({ max: 10, windowMs: 60_000, nowMs: () => now })
  for (let attempt = 0; attempt < 10; attempt++) {
    assert.equal(mayTry(), true)
    now += 1000
  }
  assert.equal(mayTry(), false)
  now = 1000 + 59_999
  assert.equal(mayTry(), false)
  now = 1000 + 60_000
  assert.equal(mayTry(), true)
  assert.equal(mayTry(), false)
})

test('blocks no attempts after a clock is set back', () => {
  let now = 10_000_000
  const mayTry = createAttemptLimit({ max: 1, windowMs: 60_000, nowMs: () => now })
  assert.equal(mayTry(), true)
  now = 5000
  assert.equal(mayTry(), true)
})

test('increases the wait from 4 s to 256 s, plus or minus 175 ms', () => {
  const middle = () => 0.5
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6, 7, 8, 50].map(attempt => backoffMs(attempt, middle)),
    [4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 256_000, 256_000],
  )
  assert.equal(
    backoffMs(1, () => 0),
    3825,
  )
  assert.equal(
    backoffMs(1, () => 1),
    4175,
  )
})
