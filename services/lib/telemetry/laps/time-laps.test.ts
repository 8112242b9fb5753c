import assert from 'node:assert/strict'
import { test } from 'node:test'
import { channel, pickRows, type SyntheticLapsOptions, syntheticLaps } from '../testing/synthetic-laps.ts'
import { findLaps } from './find-laps.ts'

/** Time and source of the three whole laps. */
function timesOf(options: SyntheticLapsOptions): (readonly [timeS: number | null, source: string | null])[] {
  const session = syntheticLaps(options)
  return findLaps(session.columns, session.facts)
    .slice(1, -1)
    .map(lap => [lap.time_s, lap.time_source])
}

test('the official time is taken however late it comes, 5 to 120 rows', () => {
  for (const answerRows of [5, 45, 111, 120]) {
    const times = timesOf({ lapTimesS: [60.1234, 58.5, 59], answerRows })
    assert.deepEqual(times[0], [60.1234, 'official'], `${answerRows} rows`)
    assert.deepEqual(times[1], [58.5, 'official'])
  }
})

test('a change that comes later than 2 s is of no lap', () => {
  for (const [, source] of timesOf({ answerRows: 130 })) assert.equal(source, 'interpolated')
})

test("the value at the line, the lap before's, is not taken", () => {
  const session = syntheticLaps({ lastLapTime: 15.348 })
  const laps = findLaps(session.columns, session.facts)
  assert.equal(laps[0]!.time_s, null)
  assert.equal(laps[1]!.time_s, 60)
})

test('two equal times in a row make no change, and the unchanged one counts', () => {
  for (const [timeS, source] of timesOf({ lapTimesS: [58.5, 58.5, 58.5] })) {
    assert.equal(timeS, 58.5)
    assert.equal(source, 'official')
  }
})

test('an unchanged value 20 ms off the interpolated time is not of this lap', () => {
  const second = timesOf({ lapTimesS: [58.5, 58.521, 60], answers: [58.5, 58.5, 60] })[1]!
  assert.equal(second[1], 'interpolated')
  assert.ok(Math.abs(second[0]! - 58.521) < 1e-3)
})

test('an unchanged value does not count where the file ends before the answer can have come', () => {
  const last = timesOf({ lapTimesS: [58.5, 58.5, 58.5], rowsAfter: 100 })[2]!
  assert.equal(last[1], 'interpolated')
})

test('a last lap whose answer the file does not hold is complete with its interpolated time', () => {
  const session = syntheticLaps({ rowsAfter: 30 })
  const lap = findLaps(session.columns, session.facts)[3]!
  assert.equal(lap.time_source, 'interpolated')
  assert.ok(Math.abs(lap.time_s! - 59) < 1e-3)
  assert.equal(lap.is_completed, true)
})

test('a change to 0, as a new session makes, is no time', () => {
  const [, second] = timesOf({ answers: [60, 0, 59] })
  assert.equal(second![1], 'interpolated')
})

test('the interpolated time is within a millisecond, wherever the rows lie about the line', () => {
  for (const timeS of [30, 30.004, 30.0083, 30.0125, 29.99]) {
    const session = syntheticLaps({ lapTimesS: [timeS], answerRows: 1000 })
    const lap = findLaps(session.columns, session.facts)[1]!
    assert.equal(lap.time_source, 'interpolated')
    assert.ok(Math.abs(lap.time_s! - timeS) < 1e-3)
  }
})

test('a row that lies a hair before the line at -0.0001, or exactly on it, moves it by no more than two ticks', () => {
  for (const pct of [-0.0001, 0, 1]) {
    const session = syntheticLaps({ lapTimesS: [30, 30], answerRows: 1000 })
    const values = channel(session, 'LapDistPct')
    const row = pct === 1 ? session.lineRows[1]! - 1 : session.lineRows[1]!
    values[row] = pct
    const laps = findLaps(session.columns, session.facts)
    assert.equal(laps.length, 4)
    for (const lap of laps.slice(1, 3)) assert.ok(Math.abs(lap.time_s! - 30) < 2 / 60)
  }
})

test('time is told by the clock: missing ticks cost nothing', () => {
  const session = syntheticLaps({ lapTimesS: [30], answerRows: 1000, lastLapTime: 0 })
  const rows = Array.from({ length: session.columns.rows }, (_, i) => i).filter(row => row % 97 !== 5)
  const lap = findLaps(pickRows(session.columns, rows), session.facts)[1]!
  assert.ok(Math.abs(lap.time_s! - 30) < 1e-3)
  assert.deepEqual(lap.reasons, ['NOT_SCORED'])
})

test('a clock that leaps beyond all numbers tells no time', () => {
  const session = syntheticLaps({ lapTimesS: [30], answerRows: 1000, lastLapTime: 0 })
  const time = channel(session, 'SessionTime')
  time.fill(-1e308, 0, session.lineRows[0]! + 100)
  time.fill(1e308, session.lineRows[0]! + 100)
  const lap = findLaps(session.columns, session.facts)[1]!
  assert.deepEqual([lap.time_s, lap.time_fmt, lap.time_source, lap.is_completed], [null, null, null, false])
})
