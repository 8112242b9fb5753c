import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MAX_LAPS } from '../ibt/limits.ts'
import { channel, pickRows, syntheticLaps } from '../testing/synthetic-laps.ts'
import { findSegments } from './find-segments.ts'
import { LAP_RULES } from './judge-laps.ts'
import { lapData } from './lap-data.ts'
import { timeLaps } from './time-laps.ts'

test('cuts an even session at its lines, interpolated between rows', () => {
  const session = syntheticLaps({ lapTimesS: [20, 21] })
  const segments = findSegments(lapData(session.columns, session.facts)!)
  assert.deepEqual(
    segments.map(({ rowStart, start, end }) => [rowStart, start, end]),
    [
      [0, 'file', 'line'],
      [session.lineRows[0], 'line', 'line'],
      [session.lineRows[1], 'line', 'line'],
      [session.lineRows[2], 'line', 'file'],
    ],
  )
  const time = channel(session, 'SessionTime')
  for (const [before, after] of segments.slice(1).map((after, i) => [segments[i]!, after] as const)) {
    assert.equal(before.closeTimeS, after.openTimeS)
    assert.ok(after.openTimeS > time[before.rowEnd]! && after.openTimeS < time[after.rowStart]!)
    assert.equal(before.rowAfter, after.rowStart)
    assert.equal(after.rowBefore, before.rowEnd)
    assert.ok(before.isEven && after.isEven)
  }
})

test('throws ibt.too_many_laps for more than MAX_LAPS laps, and not for as many', () => {
  const blank = syntheticLaps({ lapTimesS: [1], rowsAfter: 0 })
  const crossingRows = (rows: number) => {
    const session = { ...blank, columns: pickRows(blank.columns, new Array(rows).fill(0)) }
    for (let row = 0; row < rows; row++) {
      channel(session, 'SessionTime')[row] = row / 60
      channel(session, 'Speed')[row] = 0
      channel(session, 'LapDistPct')[row] = row % 2 === 0 ? 0.95 : 0.05
    }
    return lapData(session.columns, session.facts)!
  }
  assert.equal(findSegments(crossingRows(2 * MAX_LAPS - 1)).length, MAX_LAPS)
  assert.throws(() => findSegments(crossingRows(2 * MAX_LAPS)), { code: 'ibt.too_many_laps' })
})

test('judges even laps at their edges as it would row by row', () => {
  const fault = fc.record({
    at: fc.nat(),
    rows: fc.integer({ min: 0, max: 12 }),
    name: fc.constantFrom('LapDistPct', 'SessionTime'),
    by: fc.constantFrom(-0.03, -0.011, -0.0001, 0, 0.0001, 0.008, 0.0105, 0.03, 0.12, Number.NaN),
    drop: fc.integer({ min: 0, max: 8 }),
  })
  fc.assert(
    fc.property(fc.array(fault, { maxLength: 3 }), faults => {
      const session = syntheticLaps({ lapTimesS: [9, 10], lengthM: 500 })
      const dropped = new Set<number>()
      for (const { at, rows, name, by, drop } of faults) {
        const values = channel(session, name)
        // Half of the faults are near a line.
        const line = session.lineRows[at % 3]!
        const from = at % 2 === 0 ? line - (rows >> 1) : at % session.columns.rows
        for (let row = from; row < from + rows; row++) values[row] = values[row]! + by
        for (let row = from; row < from + drop; row++) dropped.add(row)
      }
      const rows = Array.from({ length: session.columns.rows }, (_, i) => i).filter(row => !dropped.has(row))
      const data = lapData(pickRows(session.columns, rows), session.facts)!
      const segments = findSegments(data)
      const timings = timeLaps(data, segments)
      for (const [i, segment] of segments.entries()) {
        const lap = {
          data,
          segment,
          previous: segments[i - 1] ?? null,
          next: segments[i + 1] ?? null,
          timing: timings[i]!,
        }
        const rowByRow = { ...lap, segment: { ...segment, isEven: false } }
        assert.equal(LAP_RULES.JUMP(lap), LAP_RULES.JUMP(rowByRow))
        assert.equal(LAP_RULES.GAP(lap), LAP_RULES.GAP(rowByRow))
      }
    }),
    { numRuns: 300 },
  )
})
