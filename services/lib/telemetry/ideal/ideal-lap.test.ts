import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GREYWATER_PARK } from '@lapwing/simulator'
import { type JoinableStint, joinableStint } from '@lapwing/simulator/testing/joined-stint'
import type { LapTrack } from '../compare/lap-track.ts'
import { type IdealLap, idealLap } from './ideal-lap.ts'
import { apartM, isJoinable, isNear, type JoinableTrack, MAX_SEAM_M, MAX_SEAM_MPS } from './seams.ts'

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8]
const LAPS = 12

interface Driven extends JoinableStint {
  readonly ideal: IdealLap
}

const driven = SEEDS.map((seed): Driven => {
  const stint = joinableStint(GREYWATER_PARK, LAPS, 1000 * seed)
  return { ...stint, ideal: idealLap(stint.laps)! }
})

const lapOf = (track: LapTrack): JoinableTrack => {
  assert.ok(isJoinable(track))
  return track
}

test('covers the lap with parts, without a hole, and is not slower than the fastest lap', () => {
  for (const { laps, ideal } of driven) {
    const { parts, track } = ideal
    assert.equal(parts[0]!.fromPct, 0)
    assert.equal(parts.at(-1)!.toPct, 1)
    for (let i = 1; i < parts.length; i++) {
      assert.equal(parts[i]!.fromPct, parts[i - 1]!.toPct)
      assert.notEqual(parts[i]!.lap, parts[i - 1]!.lap)
    }
    assert.ok(parts.length > 1, 'Nothing was joined.')
    assert.ok(track.timeMs < Math.min(...laps.map(({ timeMs }) => timeMs)))
    assert.ok(track.time.every((seconds, i) => i === 0 || seconds > track.time[i - 1]!))
    assert.equal(Math.round(1000 * track.time.at(-1)!), track.timeMs)
  }
})

test('joins only where speeds differ by at most 2 km/h and lines by at most 3 m, and has no step itself', () => {
  for (const { laps, ideal } of driven) {
    const { parts, track } = ideal
    const last = track.pct.length - 1
    for (let i = 1; i < parts.length; i++) {
      const at = Math.round(parts[i]!.fromPct * last)
      const [before, after] = [lapOf(laps[parts[i - 1]!.lap]!), lapOf(laps[parts[i]!.lap]!)]
      assert.ok(Math.abs(before.speed[at]! - after.speed[at]!) <= MAX_SEAM_MPS)
      assert.ok(apartM(before, after, at) <= MAX_SEAM_M)
    }
    const { speed } = lapOf(track)
    const stepOf = (values: Float32Array): number =>
      values.reduce((most, mps, i) => (i === 0 ? 0 : Math.max(most, Math.abs(mps - values[i - 1]!))), 0)
    const most = Math.max(...laps.map(lap => stepOf(lap.speed!)))
    assert.ok(stepOf(speed) <= most + 1e-3, `${stepOf(speed)} m/s in a step, a lap has ${most}`)
    // A point lies a metre further; near a seam it may lie a little aside, too.
    for (let i = 1; i <= last; i++) {
      const a = { ...lapOf(track), lat: track.lat!.subarray(i - 1), lon: track.lon!.subarray(i - 1) }
      const b = { ...a, lat: track.lat!.subarray(i), lon: track.lon!.subarray(i) }
      assert.ok(apartM(a as JoinableTrack, b as JoinableTrack, 0) < 1.2)
    }
  }
})

/** Milliseconds by which the plan's samples of two metres and the feet of a tick miss a time. */
const WITHIN_MS = 15

test('is never faster than the simulated car on the same line with the same grip', t => {
  for (const { ideal, driveParts, driveBest } of driven) {
    const again = driveParts(ideal.parts)
    const best = driveBest(ideal.parts)
    t.diagnostic(`ideal ${ideal.track.timeMs}, driven again ${again.timeMs}, with most grip ${best.timeMs}`)
    assert.ok(ideal.track.timeMs >= again.timeMs - WITHIN_MS, `${ideal.track.timeMs} < ${again.timeMs}`)
    assert.ok(ideal.track.timeMs > best.timeMs)
  }
})

test('is the same for the same laps', () => {
  const { laps, ideal } = driven[0]!
  assert.deepEqual(idealLap(laps), ideal)
})

test('is the fastest lap if nothing joins', () => {
  const { laps } = driven[0]!
  const fastest = laps.reduce((best, lap) => (lap.timeMs < best.timeMs ? lap : best))
  const aside = laps.map((lap, i) => ({ ...lap, lat: lap.lat!.map(lat => lat + (i * 3.5) / 111_320) }))
  const ideal = idealLap(aside)!
  assert.equal(ideal.track.timeMs, fastest.timeMs)
  assert.deepEqual(ideal.parts, [{ lap: laps.indexOf(fastest), fromPct: 0, toPct: 1 }])
})

test('takes no part of a lap without places, and returns null without any lap', () => {
  const { laps } = driven[0]!
  const bare = laps.map(({ lat: _lat, lon: _lon, ...rest }) => rest)
  assert.equal(idealLap(bare), null)
  assert.equal(idealLap([]), null)
  assert.deepEqual(idealLap([bare[0]!, laps[1]!])!.parts, [{ lap: 1, fromPct: 0, toPct: 1 }])
})

test('joins nothing at an unknown place', () => {
  const [a, b] = driven[0]!.laps.map(lapOf)
  const lost = { ...b!, lat: b!.lat.map(() => Number.NaN) }
  assert.equal(isNear(a!, a!, 100), true)
  assert.equal(isNear(a!, lost, 100), false)
})
