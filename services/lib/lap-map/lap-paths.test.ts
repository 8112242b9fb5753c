import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { METRES_PER_DEGREE } from './bounds.ts'
import { squareToSegment } from './decimate.ts'
import { lapMap } from './lap-map.ts'
import type { LapPath } from './lap-map-input.ts'
import { lapLines, lapPaths } from './lap-paths.ts'
import { type PedalState, pedalState } from './pedal-segments.ts'
import { knownPositions } from './positions.ts'
import { aLap } from './testing/a-lap.ts'

const COLORS: Readonly<Record<PedalState, string>> = {
  brake: '#ef4444',
  throttle: '#10b981',
  coast: '#ffffff',
}

/** Laps of up to 80 samples, some without a position, at most a metre and a half apart. */
const laps = fc
  .array(
    fc.record({
      north: fc.double({ min: -1, max: 1, noNaN: true }),
      east: fc.double({ min: -1, max: 1, noNaN: true }),
      isMissing: fc.integer({ min: 0, max: 19 }).map(n => n === 0),
      throttle: fc.constantFrom(0, 0.02, 0.03, 1, Number.NaN),
      brake: fc.constantFrom(0, 0, 0, 0.02, 0.5),
    }),
    { minLength: 1, maxLength: 80 },
  )
  .chain(steps => fc.record({ steps: fc.constant(steps), startLon: fc.constantFrom(-1.25, 179.99999, -180) }))
  .map(({ steps, startLon }) => {
    let [lat, lon] = [51.5, startLon]
    const places = steps.map(({ north, east, isMissing }) => {
      lat += north / METRES_PER_DEGREE
      lon += east / METRES_PER_DEGREE
      if (lon >= 180) lon -= 360
      return isMissing ? { lat: Number.NaN, lon } : { lat, lon }
    })
    return aLap({
      lat: places.map(place => place.lat),
      lon: places.map(place => place.lon),
      alt: steps.map(() => Number.NaN),
      throttle: steps.map(({ throttle }) => throttle),
      brake: steps.map(({ brake }) => brake),
      laps: [{ lap: 1, row_start: 0, row_end: steps.length - 1 }],
    })
  })

test('ends each run at samples, with at least two points in ascending order', () => {
  fc.assert(
    fc.property(laps, lap => {
      const { paths, positions } = lapMap(lap)
      for (const { lat, lon, alt, indices } of paths) {
        assert.ok(indices.length >= 2)
        for (const [k, i] of indices.entries()) {
          assert.ok(k === 0 || i > indices[k - 1]!)
          assert.deepEqual([lat[k], lon[k], alt[k]], [positions.lat[i], positions.lon[i], 0])
        }
      }
    }),
  )
})

test('gives each sample of a run its colour, and leaves out only single samples', () => {
  fc.assert(
    fc.property(laps, lap => {
      const covered = new Map<number, LapPath>()
      for (const path of lapMap(lap).paths) {
        assert.equal(path.color, COLORS[path.state])
        for (let i = path.indices[0]!; i <= path.indices.at(-1)!; i++) {
          const state = pedalState(lap.throttle[i], lap.brake[i])
          // The last point is where the next colour begins.
          if (state !== path.state) assert.equal(i, path.indices.at(-1))
          else {
            assert.ok(!covered.has(i))
            covered.set(i, path)
          }
        }
      }
      const stateAt = (i: number) =>
        Number.isFinite(lap.lat[i]) ? pedalState(lap.throttle[i], lap.brake[i]) : null
      for (let i = 0; i < lap.lat.length; i++) {
        if (covered.has(i) || stateAt(i) === null) continue
        assert.notEqual(stateAt(i - 1), stateAt(i))
        assert.notEqual(stateAt(i + 1), stateAt(i))
      }
    }),
  )
})

test('draws no sample further from the line than the tolerance', () => {
  fc.assert(
    fc.property(laps, fc.double({ min: 0, max: 3, noNaN: true }), (lap, decimateToleranceMeters) => {
      const { paths, positions } = lapMap({ ...lap, decimateToleranceMeters })
      for (const { indices } of paths) {
        for (let k = 1; k < indices.length; k++) {
          const [a, b] = [indices[k - 1]!, indices[k]!]
          for (let i = a; i <= b; i++) {
            const square = squareToSegment(
              positions.lon[i]!,
              positions.lat[i]!,
              positions.lon[a]!,
              positions.lat[a]!,
              positions.lon[b]!,
              positions.lat[b]!,
            )
            assert.ok(Math.sqrt(square) * METRES_PER_DEGREE <= decimateToleranceMeters * (1 + 1e-9) + 1e-9)
          }
        }
      }
    }),
  )
})

test('divides the tolerance in metres by 111,000, and compares it in degrees', () => {
  const bend = (metres: number) => ({
    lat: [51, 51 + metres / 111_000, 51],
    lon: [1, 1.0001, 1.0002],
    throttle: [0, 0, 0],
    brake: [0, 0, 0],
    laps: [{ lap: 1, row_start: 0, row_end: 2 }],
    decimateToleranceMeters: 2,
  })
  const pointsOf = (metres: number) => lapMap(aLap(bend(metres))).paths.map(({ indices }) => [...indices])
  assert.deepEqual(pointsOf(1.99), [[0, 2]])
  assert.deepEqual(pointsOf(2.01), [[0, 1, 2]])
})

test('draws a lap around a pole and across the 180th meridian without gaps, and nothing that is not finite', () => {
  const around = Array.from({ length: 200 }, (_, i) => (2 * Math.PI * i) / 200)
  for (const lat of [90, 89.9999, 84, -89.9999, -90]) {
    const lap = aLap({
      lat: around.map(angle => Math.max(-90, Math.min(90, lat + 0.0003 * Math.sin(angle)))),
      lon: around
        .map(angle => 179.9999 + 0.0003 * Math.cos(angle))
        .map(lon => (lon >= 180 ? lon - 360 : lon)),
      laps: [{ lap: 1, row_start: 0, row_end: 199 }],
    })
    const { paths, bounds } = lapMap(lap)
    const drawn = paths.flatMap(path => [...path.lat, ...path.lon, ...path.alt])
    assert.ok(drawn.length > 0 && drawn.every(Number.isFinite), `${lat}`)
    for (const [k, { indices }] of paths.slice(1).entries()) {
      assert.ok(indices[0]! - paths[k]!.indices.at(-1)! <= 1, `${lat}`)
    }
    assert.ok(Object.values(bounds!).every(Number.isFinite), `${lat}`)
  }
})

test('draws the selected laps only', () => {
  const rows = [
    { lap: 1, row_start: 0, row_end: 99 },
    { lap: 2, row_start: 100, row_end: 199 },
  ]
  const { paths } = lapMap(aLap({ laps: rows, selection: new Set([2]) }))
  assert.ok(paths.length > 0)
  for (const { indices } of paths) assert.ok(indices[0]! >= 100 && indices.at(-1)! <= 199)
  assert.deepEqual(lapMap(aLap({ laps: rows, selection: new Set() })).paths, [])
})

test('draws a sample without a pedal in the given neutral colour, and pedals in given colours', () => {
  const colors = { throttle: '#3b82f6', brake: '#f97316' }
  const drawn = lapMap(aLap({ neutralColor: '#cccccc', colors })).paths.map(({ color }) => color)
  assert.deepEqual(new Set(drawn), new Set(['#cccccc', '#3b82f6', '#f97316']))
})

test('draws no line across a jump', () => {
  const { lat, lon } = aLap()
  const moved = Float64Array.from(lat, (value, i) => (i < 150 ? value : value + 0.02))
  for (const { indices } of lapMap(aLap({ lat: moved })).paths) {
    assert.ok(indices.at(-1)! < 150 || indices[0]! >= 150)
  }
  const lines = lapLines(knownPositions({ lat: moved, lon }), aLap().laps, 0.5)
  assert.deepEqual(
    lines.map(({ indices }) => [indices[0], indices.at(-1)]),
    [
      [0, 149],
      [150, 299],
    ],
  )
})

for (const [name, lap] of Object.entries({
  'one sample': { lat: [51.5], lon: [-1.25] },
  'two samples in one place': { lat: [51.5, 51.5], lon: [-1.25, -1.25] },
  'no position': { lat: [Number.NaN, Number.NaN, 91], lon: [1, 2, 3] },
  'no sample': { lat: [], lon: [] },
})) {
  test(`accepts a lap of ${name}`, () => {
    const { paths, bounds, positions } = lapMap(
      aLap({ ...lap, laps: [{ lap: 1, row_start: 0, row_end: 40 }] }),
    )
    assert.equal(paths.length, lap.lat.length === 2 ? 1 : 0)
    assert.equal(bounds === null, positions.known === 0)
  })
}

test('draws 300,000 samples', () => {
  const samples = 300_000
  const angle = (i: number) => (2 * Math.PI * i) / 10_000
  const lap = aLap({
    lat: Float64Array.from({ length: samples }, (_, i) => 51.5 + 0.02 * Math.sin(angle(i))),
    lon: Float64Array.from({ length: samples }, (_, i) => -1.25 + 0.03 * Math.cos(angle(i))),
    throttle: Float64Array.from({ length: samples }, (_, i) => (i % 200 < 100 ? 1 : 0)),
    brake: new Float64Array(samples),
    laps: [{ lap: 1, row_start: 0, row_end: samples - 1 }],
  })
  const paths = lapPaths(lap, knownPositions(lap))
  assert.equal(paths.length, 3000)
})
