import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createManualClock } from '#testing/manual-clock.ts'
import { createRotation } from './rotation.ts'

test('shows the next card every 4 s, in a circle, and stops while held', async () => {
  const clock = createManualClock()
  const rotation = createRotation(3, clock.after)
  await clock.advance(20_000)
  assert.equal(rotation.get(), 0, 'it does not run until it is told to')
  rotation.run(true)
  await clock.advance(3999)
  assert.equal(rotation.get(), 0)
  await clock.advance(1)
  assert.equal(rotation.get(), 1)
  await clock.advance(8000)
  assert.equal(rotation.get(), 0)
  rotation.run(false)
  await clock.advance(60_000)
  assert.equal(rotation.get(), 0)
  assert.deepEqual(clock.waiting(), [])
})

test('keeps a picked card for the full time', async () => {
  const clock = createManualClock()
  const rotation = createRotation(3, clock.after)
  let notices = 0
  rotation.subscribe(() => notices++)
  rotation.run(true)
  await clock.advance(3000)
  rotation.pick(2)
  assert.equal(rotation.get(), 2)
  await clock.advance(3999)
  assert.equal(rotation.get(), 2)
  await clock.advance(1)
  assert.equal(rotation.get(), 0)
  assert.equal(notices, 2)
})
