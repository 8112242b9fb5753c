import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findLaps } from '../laps/find-laps.ts'
import {
  type CoachedCorner,
  type CoachedLap,
  type CoachedSession,
  coachedSession,
  cornersOf,
  speedOf,
} from '../testing/coached-laps.ts'
import { compareCorners } from './compare-corners.ts'
import { lapTrack } from './lap-track.ts'

const LENGTH_M = 2000
/** Each corner has this much of the lap, its straight included. */
const CORNER_M = 500

const whole = (min: number, max: number) => fc.integer({ min, max })

/** A corner at the begin of its part of the lap; the driver brakes in three of four. */
const corner = fc
  .record({
    liftM: whole(80, 140),
    toBrakeM: whole(2, 20),
    brakingM: whole(40, 90),
    coastM: whole(8, 30),
    throttleM: whole(-6, 12),
    exitM: whole(90, 140),
    minKmh: whole(70, 130),
    brakes: fc.integer({ min: 0, max: 3 }).map(n => n > 0),
  })
  .map(({ liftM, toBrakeM, brakingM, coastM, throttleM, exitM, minKmh, brakes }): CoachedCorner => {
    const brakeM = liftM + toBrakeM
    const releaseM = brakeM + brakingM
    const apexM = releaseM + coastM
    return {
      liftM,
      brakeM: brakes ? brakeM : null,
      releaseM: brakes ? releaseM : null,
      apexM,
      throttleM: apexM + throttleM,
      minSpeedMps: minKmh / 3.6,
      endM: apexM + exitM,
    }
  })

const shifted = (corner: CoachedCorner, byM: number): CoachedCorner => ({
  ...corner,
  liftM: corner.liftM + byM,
  brakeM: corner.brakeM === null ? null : corner.brakeM + byM,
  releaseM: corner.releaseM === null ? null : corner.releaseM + byM,
  apexM: corner.apexM + byM,
  throttleM: corner.throttleM + byM,
  endM: corner.endM + byM,
})

const lap: fc.Arbitrary<CoachedLap> = fc
  .tuple(fc.array(corner, { minLength: 4, maxLength: 4 }), whole(150, 220))
  .map(([corners, topKmh]) => ({
    corners: corners.map((each, i) => shifted(each, CORNER_M * i)),
    topMps: topKmh / 3.6,
  }))

const habits = fc.record({
  rest: fc.double({ min: 0, max: 0.25, noNaN: true }),
  hasBlips: fc.boolean(),
  dabs: fc.boolean(),
  hasShifts: fc.boolean(),
})

const session = fc.record({
  lengthM: fc.constant(LENGTH_M),
  laps: fc.tuple(lap, lap),
  habits,
  phaseS: fc.double({ min: 0, max: 1 / 60, noNaN: true, maxExcluded: true }),
  missing: fc
    .array(whole(0, 5000), { maxLength: 20 })
    // Never two in a row, which leave more than 2 m without a row.
    .map(rows => new Set(rows.map(row => 3 * row))),
})

function tracksOf(session: CoachedSession) {
  const columns = coachedSession(session)
  const facts = { trackLengthM: session.lengthM }
  return findLaps(columns, facts)
    .slice(1, 3)
    .map(lap => lapTrack(columns, lap, facts) ?? assert.fail(`not complete: ${lap.reasons.join()}`))
}

const near = (what: string, found: number | null, expected: number | null, within: number): void => {
  if (expected === null) assert.equal(found, null, what)
  else assert.ok(found !== null && Math.abs(found - expected) <= within, `${what}: ${found}, not ${expected}`)
}

/** The promise: 2 m and 0.2 km/h. */
const WITHIN_M = 2
const WITHIN_MPS = 0.2 / 3.6

test('finds the true lift, brake, release, apex, throttle and lowest speed of simulated laps', () => {
  fc.assert(
    fc.property(session, session => {
      const [a, b] = tracksOf(session)
      const corners = cornersOf(session.laps[0]!, session.lengthM)
      for (const [of, track, driven] of [
        ['lap', a, session.laps[0]!],
        ['reference', b, session.laps[1]!],
      ] as const) {
        // The second lap has other corners than the first, as a driver of another track would.
        const own = of === 'lap' ? corners : cornersOf(driven, session.lengthM)
        const rows = compareCorners(own, track!, track!).filter(({ kind }) => kind === 'corner')
        for (const [i, { lap }] of rows.entries()) {
          const { liftM, brakeM, releaseM, apexM, throttleM, minSpeedMps } = driven.corners[i]!
          near(`lift ${i}`, lap!.liftM, liftM, WITHIN_M)
          near(`brake ${i}`, lap!.brakeM, brakeM, WITHIN_M)
          near(`release ${i}`, lap!.releaseM, releaseM, WITHIN_M)
          near(`apex ${i}`, lap!.apexM, apexM, WITHIN_M)
          near(`throttle ${i}`, lap!.throttleM, throttleM, WITHIN_M)
          near(`speed ${i}`, lap!.minSpeedMps, minSpeedMps, WITHIN_MPS)
        }
      }
    }),
  )
})

/** A trip off the track between two corners, long before the next braking. */
const off = fc.record({
  after: whole(0, 3),
  fromM: whole(340, 360),
  lengthM: whole(20, 40),
})

test('books an off of a simulated lap to its own row, with its place and its loss', () => {
  fc.assert(
    fc.property(session, off, fc.boolean(), (session, { after, fromM, lengthM }, isOfReference) => {
      const clean = session.laps[0]!
      const from = CORNER_M * after + fromM
      const dirty = { ...clean, off: { fromM: from, toM: from + lengthM } }
      const laps = isOfReference ? [clean, dirty] : [dirty, clean]
      const [a, b] = tracksOf({ ...session, laps })
      const corners = cornersOf(clean, session.lengthM)
      const stretches = compareCorners(corners, a!, b!)
      assert.equal(
        stretches.reduce((sum, { lossMs }) => sum + lossMs, 0),
        a!.timeMs - b!.timeMs,
      )
      const incidents = stretches.filter(({ kind }) => kind === 'incident')
      assert.equal(incidents.length, 1)
      const { incident, name, lossS, startPct, endPct } = incidents[0]!
      assert.equal(incident!.of, isOfReference ? 'reference' : 'lap')
      assert.match(name, isOfReference ? /^Reference off (in|after) Turn/ : /^Off (in|after) Turn/)
      near('from', incident!.fromPct * session.lengthM, from, WITHIN_M)
      near('to', incident!.toPct * session.lengthM, from + lengthM, WITHIN_M)
      assert.ok(startPct <= incident!.fromPct && endPct >= incident!.toPct)

      // The loss is what the car lost while it was slower than 97 % of the other.
      const [speed, other] = [speedOf(dirty), speedOf(clean)]
      let lostS = 0
      for (let metre = 0.25; metre < session.lengthM; metre += 0.5) {
        if (speed(metre) < 0.97 * other(metre)) lostS += 0.5 / speed(metre) - 0.5 / other(metre)
      }
      near('loss', lossS, isOfReference ? -lostS : lostS, 0.02)

      // The corners are those of the lap without the off.
      for (const { kind, lap, reference, lossMs } of stretches) {
        if (kind !== 'corner') continue
        assert.ok(Math.abs(lossMs) <= 20, `${lossMs} ms in a corner`)
        near('speed', lap!.minSpeedMps, reference!.minSpeedMps, WITHIN_MPS)
        near('brake', lap!.brakeM, reference!.brakeM, WITHIN_M)
      }
    }),
  )
})
