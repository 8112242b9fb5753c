import assert from 'node:assert/strict'
import { test } from 'node:test'
import { syntheticTrack } from '../testing/synthetic-track.ts'
import { isEvenLap } from './is-even-lap.ts'

test('a lap at one speed is like every other one, and a lap that is driven is not', () => {
  const even = syntheticTrack({ points: 701 })
  const lapS = even.time.at(-1)!
  const later = (share: number) =>
    even.time.map((timeS, i) => timeS + share * lapS * Math.sin(Math.PI * even.pct[i]!))
  assert.equal(isEvenLap(even), true)
  assert.equal(isEvenLap({ ...even, time: later(0.0009) }), true)
  assert.equal(isEvenLap({ ...even, time: later(0.0011) }), false)
})
