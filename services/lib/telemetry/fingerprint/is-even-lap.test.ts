import assert from 'node:assert/strict'
import { test } from 'node:test'
import { syntheticTrack } from '../testing/synthetic-track.ts'
import { isEvenLap } from './is-even-lap.ts'

test('returns true for a lap at one speed, and false for a driven lap', () => {
  const even = syntheticTrack({ points: 701 })
  const lapS = even.time.at(-1)!
  const later = (share: number) =>
    even.time.map((timeS, i) => timeS + share * lapS * Math.sin(Math.PI * even.pct[i]!))
  assert.equal(isEvenLap(even), true)
  assert.equal(isEvenLap({ ...even, time: later(0.0009) }), true)
  assert.equal(isEvenLap({ ...even, time: later(0.0011) }), false)
})
