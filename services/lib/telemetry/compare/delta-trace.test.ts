import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sharedIbtFiles, sharedIbtMissing } from '../../testing/shared-ibt.ts'
import { recordedTracks } from '../testing/recorded-tracks.ts'
import { syntheticTrack } from '../testing/synthetic-track.ts'
import { deltaTrace } from './delta-trace.ts'

/** The loss of a lap up to each point, in waves that begin at 0. */
const losses = fc
  .array(fc.tuple(fc.double({ min: -0.4, max: 0.4, noNaN: true }), fc.integer({ min: 1, max: 9 })), {
    minLength: 1,
    maxLength: 4,
  })
  .map(waves => (pct: number) => waves.reduce((sum, [sizeS, n]) => sum + sizeS * Math.sin(n * 1.3 * pct), 0))

const points = fc.integer({ min: 500, max: 3000 })

test('finds a known loss at every point, whatever the steps of both laps', () => {
  fc.assert(
    fc.property(losses, points, points, (lossS, lapPoints, referencePoints) => {
      const pace = (pct: number): number => 60 * pct + 2 * Math.sin(2 * Math.PI * pct)
      const lap = syntheticTrack({ points: lapPoints, time: pct => pace(pct) + lossS(pct) })
      const reference = syntheticTrack({ points: referencePoints, time: pace })
      const { pct, delta, missedMs } = deltaTrace(lap, reference)
      assert.equal(pct, lap.pct)
      assert.equal(delta[0], 0)
      // Lap times are whole milliseconds.
      assert.ok(Math.abs(missedMs) <= 1 + 1e-9)
      for (let i = 0; i < delta.length; i++) {
        assert.ok(Math.abs(delta[i]! + (missedMs / 1000) * pct[i]! - lossS(pct[i]!)) < 2e-4)
      }
    }),
  )
})

test('returns no loss of a lap against itself, and the opposite loss if the laps are swapped', () => {
  fc.assert(
    fc.property(losses, points, (lossS, count) => {
      const lap = syntheticTrack({ points: count, time: pct => 60 * pct + lossS(pct) })
      const reference = syntheticTrack({ points: count })
      assert.ok(deltaTrace(lap, lap).delta.every(deltaS => deltaS === 0))
      const there = deltaTrace(lap, reference).delta
      const back = deltaTrace(reference, lap).delta
      for (let i = 0; i < count; i++) assert.ok(Math.abs(there[i]! + back[i]!) < 1e-12)
    }),
  )
})

test('ends at the gap of the scored times, and spreads what the recordings miss evenly', () => {
  const lap = syntheticTrack({ time: pct => 60.0012 * pct, timeMs: 60_000 })
  const reference = syntheticTrack({ time: pct => 59.4991 * pct, timeMs: 59_500 })
  const { delta, missedMs } = deltaTrace(lap, reference)
  assert.ok(Math.abs(missedMs - 2.1) < 1e-6)
  assert.equal(delta.at(-1), 0.5)
  assert.ok(Math.abs(delta[500]! - 0.25) < 1e-9)
})

test('ends at the official gap of every two recorded laps of a track, and misses it by at most 5 ms', {
  skip: sharedIbtMissing,
}, async t => {
  const laps = await recordedTracks(sharedIbtFiles())
  const files = new Set<string>()
  let worstMs = 0
  for (const a of laps) {
    for (const b of laps) {
      if (a === b || a.board !== b.board || a.track.timeMs < b.track.timeMs) continue
      const { delta, missedMs } = deltaTrace(a.track, b.track)
      const gapMs = a.track.timeMs - b.track.timeMs
      t.diagnostic(`${a.name} to ${b.name}: gap ${gapMs} ms, missed by ${missedMs.toFixed(3)} ms`)
      assert.equal(delta.at(-1), gapMs / 1000)
      assert.ok(Math.abs(missedMs) <= 5, `${a.name} to ${b.name}: ${missedMs} ms`)
      worstMs = Math.max(worstMs, Math.abs(missedMs))
      if (a.file !== b.file) files.add(`${a.file} ${b.file}`)
    }
  }
  assert.ok(files.size >= 3, 'compares laps of different files')
  assert.ok(worstMs > 0)
})
