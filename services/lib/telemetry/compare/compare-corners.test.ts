import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sharedIbtFiles, sharedIbtMissing } from '../../testing/shared-ibt.ts'
import { type Corner, numberCorners } from '../corners/corner.ts'
import { findTrackCorners } from '../corners/find-track-corners.ts'
import { nameCorners } from '../corners/name-corners.ts'
import { INCIDENT_KINDS } from '../laps/lap.ts'
import { recordedTracks } from '../testing/recorded-tracks.ts'
import { syntheticTrack } from '../testing/synthetic-track.ts'
import { compareCorners } from './compare-corners.ts'
import { deltaTrace } from './delta-trace.ts'
import type { LapTrack } from './lap-track.ts'

const corner = (index: number, startPct: number, apexPct: number, endPct: number): Corner => ({
  number: String(index),
  name: `Turn ${index}`,
  knownAs: null,
  kind: 'turn',
  startPct,
  apexPct,
  endPct,
  direction: 'left',
})

const TWO = [corner(1, 0.2, 0.25, 0.3), corner(2, 0.6, 0.7, 0.8)]

const cornersOf = (track: LapTrack): readonly Corner[] =>
  nameCorners(numberCorners(findTrackCorners([track])), { sim: 'none', track_slug: 'none', layout: 'none' })

/** Rises from 0 to 1 between two shares of the lap. */
const ramp = (pct: number, from: number, to: number): number =>
  Math.min(1, Math.max(0, (pct - from) / (to - from)))

test('divides a lap into corners and the straights before, between and after them', () => {
  const stretches = compareCorners(TWO, syntheticTrack(), syntheticTrack())
  assert.deepEqual(
    stretches.map(({ kind, name, startPct, endPct }) => [kind, name, startPct, endPct]),
    [
      ['straight', 'Line to Turn 1', 0, 0.2],
      ['corner', 'Turn 1', 0.2, 0.3],
      ['straight', 'Turn 1 to Turn 2', 0.3, 0.6],
      ['corner', 'Turn 2', 0.6, 0.8],
      ['straight', 'Turn 2 to line', 0.8, 1],
    ],
  )
  for (const { kind, corner, lap, reference } of stretches) {
    for (const part of [corner, lap, reference]) assert.equal(part === null, kind === 'straight')
  }
})

test('has no straight if two corners, or a corner and the line, touch', () => {
  const meeting = [corner(1, 0, 0.1, 0.3), corner(2, 0.3, 0.7, 1)]
  const names = compareCorners(meeting, syntheticTrack(), syntheticTrack()).map(({ name }) => name)
  assert.deepEqual(names, ['Turn 1', 'Turn 2'])
})

test('returns one straight for a lap without corners', () => {
  const [only, ...more] = compareCorners([], syntheticTrack({ time: pct => 61 * pct }), syntheticTrack())
  assert.deepEqual(more, [])
  assert.equal(only!.name, 'Line to line')
  assert.equal(only!.lossMs, 1000)
})

test('assigns the loss of a corner to that corner only', () => {
  const lap = syntheticTrack({ time: pct => 60 * pct + 0.3 * ramp(pct, 0.62, 0.78) })
  const losses = compareCorners(TWO, lap, syntheticTrack()).map(({ name, lossMs }) => [name, lossMs])
  assert.deepEqual(losses, [
    ['Line to Turn 1', 0],
    ['Turn 1', 0],
    ['Turn 1 to Turn 2', 0],
    ['Turn 2', 300],
    ['Turn 2 to line', 0],
  ])
})

test('divides the loss of a corner at its apex, without what an incident cost', () => {
  const apex = TWO[1]!.apexPct
  const lap = syntheticTrack({
    time: pct => 60 * pct + 0.3 * ramp(pct, 0.62, apex) - 0.1 * ramp(pct, apex, 0.78),
  })
  const parts = compareCorners(TWO, lap, syntheticTrack()).map(({ lossMs, toApexMs }) => [lossMs, toApexMs])
  assert.deepEqual(parts, [
    [0, null],
    [0, 0],
    [0, null],
    [200, 300],
    [0, null],
  ])
  const [, , , beside, off] = compareCorners(TWO, gone(), there)
  assert.deepEqual([beside!.toApexMs, off!.toApexMs], [0, null])
})

/** Any corners, in order and without overlap. */
const anyCorners = fc.uniqueArray(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 24 }).map(places =>
  places
    .toSorted((a, b) => a - b)
    .flatMap((startPct, i, sorted) => {
      const endPct = sorted[i + 1]
      return i % 2 === 0 && endPct !== undefined
        ? [corner(i / 2 + 1, startPct, (startPct + endPct) / 2, endPct)]
        : []
    }),
)

test('returns losses that add up to the gap, wherever the corners lie', () => {
  const waves = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(anyCorners, waves, fc.integer({ min: 500, max: 1500 }), (corners, sizes, points) => {
      const lossS = (pct: number): number =>
        sizes.reduce((sum, size, n) => sum + (size / (n + 2)) * Math.sin((n + 1) * pct), 0)
      const reference = syntheticTrack()
      const lap = syntheticTrack({ points, time: pct => 60 * pct + lossS(pct) })
      const stretches = compareCorners(corners, lap, reference)
      const gapS = deltaTrace(lap, reference).delta.at(-1)!
      assert.ok(Math.abs(stretches.reduce((sum, { lossS }) => sum + lossS, 0) - gapS) < 1e-12)
      assert.equal(
        stretches.reduce((sum, { lossMs }) => sum + lossMs, 0),
        lap.timeMs - reference.timeMs,
      )
      let at = 0
      for (const { startPct, endPct } of stretches) {
        assert.equal(startPct, at)
        at = endPct
      }
      assert.equal(at, 1)
    }),
  )
})

const anyIncidents = fc.array(
  fc
    .tuple(
      fc.constantFrom(...INCIDENT_KINDS),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 0.1, noNaN: true }),
    )
    .map(([kind, fromPct, length]) => ({ kind, fromPct, toPct: Math.min(1, fromPct + length) })),
  { maxLength: 6 },
)

test('returns losses that add up to the gap, and no two names or incidents in one place', () => {
  fc.assert(
    fc.property(anyCorners, anyIncidents, anyIncidents, (corners, ofLap, ofReference) => {
      const series = { speed: (pct: number) => 30 + 10 * Math.sin(40 * pct) }
      const lap = { ...syntheticTrack({ time: pct => 61 * pct, series }), incidents: ofLap }
      const reference = { ...syntheticTrack(), speed: lap.speed!.map(v => 1.02 * v), incidents: ofReference }
      const stretches = compareCorners(corners, lap, reference)
      assert.equal(
        stretches.reduce((sum, { lossMs }) => sum + lossMs, 0),
        1000,
      )
      assert.equal(new Set(stretches.map(({ name }) => name)).size, stretches.length)
      const incidents = stretches.filter(({ kind }) => kind === 'incident')
      let at = 0
      for (const { startPct, endPct } of incidents) {
        assert.ok(startPct >= at && endPct > startPct && endPct <= 1)
        at = endPct
      }
      assert.equal(incidents.length > 0, ofLap.length + ofReference.length > 0)
    }),
  )
})

/** A lap that is slower than 30 m/s from 640 m to 780 m, off the track from 660 m to 700 m. */
const gone = (): LapTrack => ({
  ...syntheticTrack({
    time: pct => 60 * pct + ramp(pct, 0.64, 0.78),
    series: { speed: pct => (pct >= 0.64 && pct <= 0.78 ? 20 : 30) },
  }),
  incidents: [{ kind: 'off_track', fromPct: 0.66, toPct: 0.7 }],
})
const there = syntheticTrack({ series: { speed: () => 30 } })

test('gives an off its own row, from the loss of speed until the car has it again', () => {
  const [, , , corner, off] = compareCorners(TWO, gone(), there)
  assert.deepEqual([corner!.name, corner!.lossMs], ['Turn 2', 0])
  assert.deepEqual([off!.kind, off!.name, off!.lossMs], ['incident', 'Off in Turn 2', 1000])
  assert.deepEqual([off!.startPct, off!.endPct].map(rounded), [0.64, 0.78])
  assert.deepEqual([off!.incident!.fromPct, off!.incident!.toPct], [0.66, 0.7])
  assert.equal(off!.incident!.of, 'lap')
})

test('gives an incident of the reference its own row too, in which the lap gains', () => {
  const off = compareCorners(TWO, there, gone())[4]!
  assert.deepEqual([off.name, off.lossMs, off.incident!.of], ['Reference off in Turn 2', -1000, 'reference'])
})

test('takes no figure of a corner from an incident', () => {
  const lap = driven({ slowestM: 640, brakeM: 560 })
  const speed = lap.speed!.map((v, i) => (i >= 690 && i <= 760 ? 10 : v))
  const incidents = [{ kind: 'contact' as const, fromPct: 0.7, toPct: 0.7 }]
  const { figures } = figuresOf({ ...lap, speed, incidents }, driven({ slowestM: 640 }))
  assert.deepEqual([figures.apexM, figures.minSpeedMps].map(rounded), [640, 30])
})

test('leaves a straight out that an incident covers', () => {
  const lap: LapTrack = { ...there, incidents: [{ kind: 'unknown', fromPct: 0.25, toPct: 0.65 }] }
  const names = compareCorners(TWO, lap, there).map(({ name }) => name)
  assert.deepEqual(names, ['Line to Turn 1', 'Turn 1', 'Incident in Turn 1', 'Turn 2', 'Turn 2 to line'])
})

test('returns losses that add up to the official gap for every two recorded laps of a track', {
  skip: sharedIbtMissing,
}, async () => {
  const laps = await recordedTracks(sharedIbtFiles())
  for (const a of laps) {
    for (const b of laps) {
      if (a.board !== b.board) continue
      const stretches = compareCorners(cornersOf(b.track), a.track, b.track)
      const lossMs = stretches.reduce((sum, stretch) => sum + stretch.lossMs, 0)
      assert.equal(lossMs, a.track.timeMs - b.track.timeMs, `${a.name} to ${b.name}`)
    }
  }
})

test('ends at −0.050 s and +0.060 s, the gaps of the lap list, where the recordings miss 2 ms and 0.5 ms', {
  skip: sharedIbtMissing,
}, async () => {
  const laps = await recordedTracks(sharedIbtFiles())
  const lapOf = (name: string) => laps.find(lap => lap.name.endsWith(name))!.track
  const fourth = lapOf('summit-jefferson-second-driver.ibt, lap 4')
  const gaps = [
    lapOf('summit-jefferson-second-driver.ibt, lap 3'),
    lapOf('summit-jefferson-4-laps.ibt, lap 5'),
  ].map(reference => {
    const { delta, missedMs } = deltaTrace(fourth, reference)
    const stretches = compareCorners(cornersOf(reference), fourth, reference)
    const lossMs = stretches.reduce((sum, stretch) => sum + stretch.lossMs, 0)
    return [delta.at(-1)!, lossMs, Math.round(10 * missedMs) / 10]
  })
  assert.deepEqual(gaps, [
    [-0.05, -50, 1.7],
    [0.06, 60, 0.5],
  ])
})

/** A lap of 1 km with the given braking, lowest speed and throttle in the second corner. */
function driven({
  brakeM = 560,
  slowestM = 700,
  throttleM = 720,
}: {
  readonly brakeM?: number
  readonly slowestM?: number
  readonly throttleM?: number
} = {}): LapTrack {
  return syntheticTrack({
    series: {
      speed: pct => 30 + 0.1 * Math.abs(1000 * pct - slowestM),
      brake: pct => (1000 * pct > brakeM - 0.5 && 1000 * pct < slowestM - 20.5 ? 0.8 : 0),
      throttle: pct => (1000 * pct < brakeM - 10.5 || 1000 * pct > throttleM - 0.5 ? 1 : 0.1),
    },
  })
}

const figuresOf = (lap: LapTrack, reference = driven()) => {
  const { lap: figures, reference: others } = compareCorners(TWO, lap, reference)[3]!
  return { figures: figures!, others: others! }
}

const rounded = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 100) / 100

/** Returns the first point, a metre apart, at which a pedal of a made-up lap has moved. */
const point = (value: number | null): number | null => (value === null ? null : Math.ceil(value))

test('returns each lap’s own braking, slowest point and throttle in metres of the lap', () => {
  const { figures, others } = figuresOf(driven({ brakeM: 545, slowestM: 710, throttleM: 730 }))
  assert.deepEqual([figures.brakeM, figures.throttleM].map(point), [545, 730])
  assert.deepEqual([others.brakeM, others.throttleM].map(point), [560, 720])
  assert.deepEqual([figures.minSpeedMps, others.minSpeedMps].map(rounded), [30, 30])
  assert.deepEqual([figures.exitSpeedMps, others.exitSpeedMps].map(rounded), [39, 40])
  assert.deepEqual([figures.entrySpeedMps, others.entrySpeedMps].map(rounded), [41, 40])
})

test('returns the speed of the reference where the lap is slowest', () => {
  const at = (lap: LapTrack, reference: LapTrack) =>
    rounded(compareCorners(TWO, lap, reference)[3]!.referenceAtApexMps)
  assert.equal(at(driven({ slowestM: 680 }), driven({ slowestM: 700 })), 32)
  assert.equal(at(driven(), driven()), 30)
  const { speed: _, ...blind } = driven()
  assert.equal(at(driven(), blind), null)
  assert.equal(compareCorners(TWO, driven(), driven())[0]!.referenceAtApexMps, null)
})

test('has one distance for a point of the road, also if the reference states another length', () => {
  const { figures, others } = figuresOf(driven({ slowestM: 700 }), {
    ...driven({ slowestM: 710 }),
    lengthM: 800,
  })
  assert.deepEqual([figures.apexM, others.apexM].map(rounded), [700, 710])
})

test('finds a braking point before the corner of the reference begins', () => {
  assert.equal(point(figuresOf(driven({ brakeM: 480 })).figures.brakeM), 480)
})

test('ignores a tap on the brake before and after the braking', () => {
  const lap = driven()
  const brake = lap.brake!.map((value, i) => ((i >= 530 && i < 538) || (i >= 690 && i < 698) ? 0.5 : value))
  assert.equal(point(figuresOf({ ...lap, brake }).figures.brakeM), 560)
})

test('ignores a foot that rests on the brake', () => {
  const lap = driven()
  assert.equal(figuresOf({ ...lap, brake: lap.brake!.map(() => 0.04) }).figures.brakeM, null)
  assert.equal(figuresOf({ ...lap, brake: lap.brake!.map(value => value / 10) }).figures.brakeM, null)
})

test('ignores throttle during braking and a blip for a downshift', () => {
  const lap = driven()
  const throttle = lap.throttle!.map((value, i) => (i > 600 && i < 610 ? 0.35 : Math.max(0.27, value)))
  assert.equal(rounded(figuresOf({ ...lap, throttle }).figures.throttleM), 720)
})

test('counts a third of the throttle that is held after the braking', () => {
  const lap = driven()
  const throttle = lap.throttle!.map((value, i) => (i >= 690 && i < 720 ? 0.33 : value))
  assert.equal(rounded(figuresOf({ ...lap, throttle }).figures.throttleM), 690)
})

test('joins dabs that are closer than half a second, and begins with the first after the lift', () => {
  const lap = driven()
  // 16.7 m/s: 8 m are half a second.
  const dabs = (...at: readonly [from: number, to: number][]) =>
    lap.brake!.map((_, i) => (at.some(([from, to]) => i >= from && i < to) ? 0.3 : 0))
  const of = (brake: Float32Array<ArrayBuffer>) => {
    const { brakeM, releaseM } = figuresOf({ ...lap, brake }).figures
    return [brakeM, releaseM].map(point)
  }
  assert.deepEqual(of(dabs([570, 574], [580, 640])), [570, 640])
  // Begins before the lift at 550 m, and goes on after it.
  assert.deepEqual(of(dabs([545, 549], [555, 640])), [545, 640])
  // Ended before the lift.
  assert.deepEqual(of(dabs([530, 534], [555, 640])), [555, 640])
  // Two brakings: the brake point is the first, the release the last.
  assert.deepEqual(of(dabs([560, 580], [620, 640])), [560, 640])
})

test('finds where the driver lifted in a corner without braking', () => {
  const lap = driven()
  const { figures } = figuresOf({ ...lap, brake: lap.brake!.map(() => 0) })
  assert.deepEqual([figures.brakeM, figures.releaseM], [null, null])
  assert.equal(rounded(figures.liftM), 549)
})

test('finds where a driver eased off without leaving the throttle, and not at a shift', () => {
  const lap = driven()
  const brake = lap.brake!.map(() => 0)
  const of = (throttle: (metre: number) => number) => {
    const { liftM, isFlat, throttleM } = figuresOf({
      ...lap,
      brake,
      throttle: lap.throttle!.map((_, i) => throttle(i)),
    }).figures
    return [rounded(liftM), isFlat, throttleM]
  }
  assert.deepEqual(
    of(metre => (metre > 620 && metre < 680 ? 0.6 : 1)),
    [620, false, null],
  )
  // 16.7 m/s: 3 m are 0.18 s.
  assert.deepEqual(
    of(metre => (metre > 620 && metre < 624 ? 0 : 1)),
    [null, true, null],
  )
  assert.deepEqual(
    of(metre => (metre < 620 ? 0.9 : 1)),
    [null, true, null],
  )
  // Comes to the corner without throttle.
  assert.equal(of(metre => (metre < 720 ? 0 : 1))[1], false)
})

test('takes the lowest speed in the corner, not that of a car that comes from another', () => {
  const lap = driven()
  // Slower where the corner begins than anywhere in it.
  const speed = lap.speed!.map((v, i) => (i < 610 ? 20 : v))
  const { figures } = figuresOf({ ...lap, speed })
  assert.deepEqual([figures.apexM, figures.minSpeedMps].map(rounded), [700, 30])
})

test('returns null, not the line, without braking or lift', () => {
  const lap = driven()
  const { figures } = figuresOf({
    ...lap,
    brake: lap.brake!.map(() => 0),
    throttle: lap.throttle!.map(() => 1),
  })
  assert.deepEqual([figures.brakeM, figures.throttleM, figures.isFlat], [null, null, true])
  assert.equal(figuresOf(driven()).figures.isFlat, false)
})

test('returns no throttle point for a corner without a lift of its own', () => {
  const lap = syntheticTrack()
  // Back on at 28 %, before the first corner ends, and flat through the second.
  const throttle = lap.pct.map(pct => (pct > 0.2 && pct < 0.2795 ? 0.1 : 1))
  const corners = compareCorners(TWO, { ...lap, throttle: Float32Array.from(throttle) }, lap)
    .filter(({ kind }) => kind === 'corner')
    .map(({ name, lap }) => [name, rounded(lap!.throttleM)])
  assert.deepEqual(corners, [
    ['Turn 1', 280],
    ['Turn 2', null],
  ])
})

test('returns null for braking that began before the line', () => {
  const lap = syntheticTrack({ series: { brake: pct => (pct < 0.1 ? 1 : 0) } })
  const [first] = compareCorners([corner(1, 0, 0.15, 0.2)], lap, lap)
  assert.equal(first!.lap!.brakeM, null)
})

test('returns null for figures without a channel, and for metres without a length', () => {
  const none = {
    entrySpeedMps: null,
    liftM: null,
    isFlat: false,
    brakeM: null,
    releaseM: null,
    apexM: null,
    minSpeedMps: null,
    throttleM: null,
    exitSpeedMps: null,
  }
  assert.deepEqual(figuresOf(syntheticTrack()).figures, none)
  const { figures } = figuresOf({ ...driven(), lengthM: null }, { ...driven(), lengthM: null })
  assert.deepEqual([figures.brakeM, figures.throttleM], [null, null])
  assert.equal(rounded(figures.minSpeedMps), 30)
})

test('skips speeds that are no numbers', () => {
  const lap = driven()
  const speed = lap.speed!.map((value, i) => (i > 650 && i < 750 ? Number.NaN : value))
  assert.equal(rounded(figuresOf({ ...lap, speed }).figures.minSpeedMps), 35)
  const { figures } = figuresOf({ ...lap, speed: lap.speed!.map(() => Number.NaN) })
  assert.deepEqual([figures.minSpeedMps, figures.exitSpeedMps], [null, null])
})

test('returns where the brake passes 5 % between two points', () => {
  const lap = driven()
  // A quarter of the way from the point before, and three quarters of the way to the point after.
  const brake = lap.brake!.map((_, i) =>
    i < 561 || i > 640 ? 0.02 : i === 561 ? 0.14 : i === 640 ? 0.06 : 0.5,
  )
  const { brakeM, releaseM } = figuresOf({ ...lap, brake }).figures
  assert.deepEqual([brakeM, releaseM].map(rounded), [560.25, 640.25])
})
