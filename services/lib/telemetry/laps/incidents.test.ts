import assert from 'node:assert/strict'
import { test } from 'node:test'
import { channel, HZ, type SyntheticLaps, syntheticLaps } from '../testing/synthetic-laps.ts'
import { findLaps } from './find-laps.ts'
import { type LapIncident, MAX_LAP_INCIDENTS } from './lap.ts'

/** Row of a second of the second lap. */
const at = ({ lineRows }: SyntheticLaps, seconds: number): number => lineRows[1]! + Math.round(seconds * HZ)

/** Returns the incidents of the second lap, with seconds since its line instead of rows. */
function incidentsAfter(change: (session: SyntheticLaps) => void) {
  const session = syntheticLaps()
  change(session)
  const { incidents } = findLaps(session.columns, session.facts)[2]!
  return incidents.map(({ kind, row_start, row_end }: LapIncident) => [
    kind,
    (row_start - session.lineRows[1]!) / HZ,
    (row_end - session.lineRows[1]!) / HZ,
  ])
}

const off = (session: SyntheticLaps, from: number, to: number): void => {
  channel(session, 'PlayerTrackSurface').fill(0, at(session, from), at(session, to) + 1)
}

const count = (session: SyntheticLaps, from: number): void => {
  channel(session, 'PlayerCarMyIncidentCount').fill(13, at(session, from))
}

const pulse = (session: SyntheticLaps, seconds: number, flags: number): void => {
  channel(session, 'PlayerIncidents')[at(session, seconds)] = flags
}

test('a lap on the track without contact has none', () => {
  assert.deepEqual(
    incidentsAfter(() => undefined),
    [],
  )
})

test('a trip off the track is one incident with the rise of the count that it causes', () => {
  const found = incidentsAfter(session => {
    off(session, 10, 12)
    count(session, 10.6)
  })
  assert.deepEqual(found, [['off_track', 10, 12]])
})

test('trips off the track within a second are one, later ones are another', () => {
  const found = incidentsAfter(session => {
    off(session, 10, 11)
    off(session, 12, 13)
    off(session, 15, 16)
  })
  assert.deepEqual(found, [
    ['off_track', 10, 13],
    ['off_track', 15, 16],
  ])
})

for (const [flags, kind] of [
  [0x201, 'loss_of_control'],
  [0x102, 'off_track'],
  [0x004, 'contact'],
  [0x305, 'contact'],
  [0x007, 'contact'],
  [0x408, 'contact'],
  [0x100, 'unknown'],
] as const) {
  test(`a pulse of PlayerIncidents 0x${flags.toString(16)} is ${kind}, and its rise is no second one`, () => {
    const found = incidentsAfter(session => {
      pulse(session, 20, flags)
      count(session, 20.8)
    })
    assert.deepEqual(found, [[kind, 20, 20]])
  })
}

test('a rise alone is unknown, and just after the line it belongs to the lap before', () => {
  assert.deepEqual(
    incidentsAfter(session => count(session, 30)),
    [['unknown', 30, 30]],
  )
  const session = syntheticLaps()
  count(session, 0.5)
  const [, first, second] = findLaps(session.columns, session.facts)
  assert.deepEqual(first!.incidents, [
    { kind: 'unknown', row_start: first!.row_end, row_end: first!.row_end },
  ])
  assert.deepEqual(second!.incidents, [])
})

test('the first cause names an incident', () => {
  const found = incidentsAfter(session => {
    pulse(session, 20, 0x007)
    off(session, 20.5, 22)
  })
  assert.deepEqual(found, [['contact', 20, 22]])
})

test('a cause within a second of a rise of the count names the incident', () => {
  const found = incidentsAfter(session => {
    count(session, 20)
    off(session, 20.5, 22)
  })
  assert.deepEqual(found, [['off_track', 20, 22]])
})

test('a lap has a limited number', () => {
  const found = incidentsAfter(session => {
    const surface = channel(session, 'PlayerTrackSurface')
    const last = session.lineRows[2]!
    for (let row = session.lineRows[1]!; row < last; row++) surface[row] = row % 2 === 0 ? 0 : 3
  })
  assert.equal(found.length, 1)
  const many = syntheticLaps({ lapTimesS: [60, 600, 60] })
  for (let seconds = 2; seconds < 590; seconds += 3) off(many, seconds, seconds)
  assert.equal(findLaps(many.columns, many.facts)[2]!.incidents.length, MAX_LAP_INCIDENTS)
})
