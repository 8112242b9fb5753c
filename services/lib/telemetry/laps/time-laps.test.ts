import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ColumnValues } from '../columns.ts'
import {
  channel,
  pickRows,
  type SyntheticLaps,
  type SyntheticLapsOptions,
  syntheticLaps,
  without,
} from '../testing/synthetic-laps.ts'
import { findLaps } from './find-laps.ts'

/** Returns time and source of the three whole laps. */
function timesOf(options: SyntheticLapsOptions): (readonly [timeS: number | null, source: string | null])[] {
  const session = syntheticLaps(options)
  return findLaps(session.columns, session.facts)
    .slice(1, -1)
    .map(lap => [lap.time_s, lap.time_source])
}

test('uses the official time 5 to 120 rows after the line', () => {
  for (const scoreRows of [5, 45, 111, 120]) {
    const times = timesOf({ lapTimesS: [60.1234, 58.5, 59], scoreRows })
    assert.deepEqual(times[0], [60.1234, 'official'], `${scoreRows} rows`)
    assert.deepEqual(times[1], [58.5, 'official'])
  }
})

test('ignores a change later than 2 s', () => {
  for (const [, source] of timesOf({ scoreRows: 130 })) assert.equal(source, 'interpolated')
})

test('ignores the value at the line, which is that of the lap before', () => {
  const session = syntheticLaps({ lastLapTime: 15.348 })
  const laps = findLaps(session.columns, session.facts)
  assert.equal(laps[0]!.time_s, null)
  assert.equal(laps[1]!.time_s, 60)
})

test('counts an unchanged value if two times in a row are equal', () => {
  for (const [timeS, source] of timesOf({ lapTimesS: [58.5, 58.5, 58.5] })) {
    assert.equal(timeS, 58.5)
    assert.equal(source, 'official')
  }
})

test('ignores an unchanged value 20 ms from the interpolated time', () => {
  const second = timesOf({ lapTimesS: [58.5, 58.521, 60], scores: [58.5, 58.5, 60] })[1]!
  assert.equal(second[1], 'interpolated')
  assert.ok(Math.abs(second[0]! - 58.521) < 1e-3)
})

test('ignores an unchanged value if the file ends before a score can come', () => {
  const last = timesOf({ lapTimesS: [58.5, 58.5, 58.5], rowsAfter: 100 })[2]!
  assert.equal(last[1], 'interpolated')
})

test('completes a last lap without a score in the file by its interpolated time', () => {
  const session = syntheticLaps({ rowsAfter: 30 })
  const lap = findLaps(session.columns, session.facts)[3]!
  assert.equal(lap.time_source, 'interpolated')
  assert.ok(Math.abs(lap.time_s! - 59) < 1e-3)
  assert.equal(lap.is_completed, true)
})

test('ignores a change to 0, as at a new session', () => {
  const [, second] = timesOf({ scores: [60, 0, 59] })
  assert.equal(second![1], 'interpolated')
})

test('interpolates within a millisecond, wherever the rows are near the line', () => {
  for (const timeS of [30, 30.004, 30.0083, 30.0125, 29.99]) {
    const session = syntheticLaps({ lapTimesS: [timeS], scoreRows: 1000 })
    const lap = findLaps(session.columns, session.facts)[1]!
    assert.equal(lap.time_source, 'interpolated')
    assert.ok(Math.abs(lap.time_s! - timeS) < 1e-3)
  }
})

test('moves the crossing by at most two ticks for a row just before the line at -0.0001, or on it', () => {
  for (const pct of [-0.0001, 0, 1]) {
    const session = syntheticLaps({ lapTimesS: [30, 30], scoreRows: 1000 })
    const values = channel(session, 'LapDistPct')
    const row = pct === 1 ? session.lineRows[1]! - 1 : session.lineRows[1]!
    values[row] = pct
    const laps = findLaps(session.columns, session.facts)
    assert.equal(laps.length, 4)
    for (const lap of laps.slice(1, 3)) assert.ok(Math.abs(lap.time_s! - 30) < 2 / 60)
  }
})

test('times by the clock: missing ticks cost nothing', () => {
  const session = syntheticLaps({ lapTimesS: [30], scoreRows: 1000, lastLapTime: 0 })
  const rows = Array.from({ length: session.columns.rows }, (_, i) => i).filter(row => row % 97 !== 5)
  const lap = findLaps(pickRows(session.columns, rows), session.facts)[1]!
  assert.ok(Math.abs(lap.time_s! - 30) < 1e-3)
  assert.deepEqual(lap.reasons, ['NOT_SCORED'])
})

test('returns no time if the clock leaps beyond all numbers', () => {
  const session = syntheticLaps({ lapTimesS: [30], scoreRows: 1000, lastLapTime: 0 })
  const time = channel(session, 'SessionTime')
  time.fill(-1e308, 0, session.lineRows[0]! + 100)
  time.fill(1e308, session.lineRows[0]! + 100)
  const lap = findLaps(session.columns, session.facts)[1]!
  assert.deepEqual([lap.time_s, lap.time_fmt, lap.time_source, lap.is_completed], [null, null, null, false])
})

/** Returns reasons and source of all laps of a session with changed scores. */
function judged(
  change: (scores: ColumnValues, session: SyntheticLaps) => void,
  options: SyntheticLapsOptions = {},
): (readonly [reasons: string, source: string | null])[] {
  const session = syntheticLaps(options)
  change(channel(session, 'LapLastLapTime'), session)
  return findLaps(session.columns, session.facts)
    .slice(1, 1 + (options.lapTimesS?.length ?? 3))
    .map(lap => [lap.reasons.join(' '), lap.time_source])
}

const scored = ['', 'official'] as const
const unscored = ['NOT_SCORED', 'interpolated'] as const

test('NOT_SCORED: no score, although the recording continues for over 2 s', () => {
  const repeatLastScore = (scores: ColumnValues, { lineRows }: SyntheticLaps) =>
    void scores.fill(scores[lineRows[3]! - 1]!, lineRows[3]!)
  assert.deepEqual(judged(repeatLastScore), [scored, scored, unscored])
  assert.deepEqual(judged(repeatLastScore, { rowsAfter: 126 }), [scored, scored, unscored])
  assert.deepEqual(judged(repeatLastScore, { rowsAfter: 115 }), [scored, scored, ['', 'interpolated']])
})

test('NOT_SCORED: all scores of the session are 0, -1 or no numbers, the last lap included', () => {
  for (const value of [0, -1, Number.NaN]) {
    for (const rowsAfter of [400, 30]) {
      const laps = judged(scores => void scores.fill(value), { rowsAfter })
      assert.deepEqual(laps, [unscored, unscored, unscored], `${value} ${rowsAfter}`)
    }
  }
})

test('NOT_SCORED: a file without the channel of scores', () => {
  for (const rowsAfter of [400, 30]) {
    const session = syntheticLaps({ rowsAfter })
    const laps = findLaps(without(session.columns, 'LapLastLapTime'), session.facts)
    for (const lap of laps.slice(1, 4)) assert.ok(lap.reasons.includes('NOT_SCORED'))
    assert.deepEqual([laps[0]!.reasons[0], laps[4]!.reasons[0]], ['NO_OPEN', 'NO_CLOSE'])
  }
})

test('counts the first lap of a session by its interpolated time if the recording ends before its score', () => {
  for (const value of [0, -1]) {
    const laps = judged(scores => void scores.fill(value), { lapTimesS: [60], rowsAfter: 60 })
    assert.deepEqual(laps, [['', 'interpolated']])
  }
})

test('counts a lap by its interpolated time if its session ends before its score', () => {
  const session = syntheticLaps()
  channel(session, 'SessionNum').fill(1, session.lineRows[2]! + 30)
  const laps = findLaps(session.columns, session.facts)
  assert.deepEqual(
    laps.map(lap => [lap.session_num, lap.reasons.join(' '), lap.time_source]),
    [
      [0, 'NO_OPEN', null],
      [0, '', 'official'],
      [0, '', 'interpolated'],
      [0, 'NO_CLOSE', null],
      [1, 'NO_OPEN', 'official'],
      [1, 'NO_CLOSE', null],
    ],
  )
})

test('NO_CLOSE: crossing the line at a change of session ends no lap', () => {
  const session = syntheticLaps()
  channel(session, 'SessionNum').fill(1, session.lineRows[2]!)
  const laps = findLaps(session.columns, session.facts)
  assert.deepEqual(
    laps.map(lap => lap.reasons.join(' ')),
    ['NO_OPEN', '', 'NO_CLOSE', 'NO_OPEN', 'NO_CLOSE'],
  )
})

test('judges an unscored session without regard to a scored one', () => {
  const session = syntheticLaps({ lapTimesS: [30, 31, 32, 33] })
  const from = session.lineRows[2]! + 300
  channel(session, 'SessionNum').fill(4, from)
  channel(session, 'LapLastLapTime').fill(0, from)
  const laps = findLaps(session.columns, session.facts)
  assert.deepEqual(
    laps.map(lap => [lap.session_num, lap.reasons.join(' ')]),
    [
      [0, 'NO_OPEN'],
      [0, ''],
      [0, ''],
      [0, 'NO_CLOSE'],
      [4, 'NO_OPEN'],
      [4, 'NOT_SCORED'],
      [4, 'NO_CLOSE'],
    ],
  )
})
