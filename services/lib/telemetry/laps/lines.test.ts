import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Columns } from '../columns.ts'
import { channel, HZ, syntheticLaps, without } from '../testing/synthetic-laps.ts'
import { findLaps } from './find-laps.ts'
import { stepPct } from './lines.ts'

const TIMES_S = [60, 58, 59]

/** Returns a session on a track whose finish line lies that share of the lap before its start line. */
function linesApart(share: number, scoreRows = 45): { readonly columns: Columns; readonly lengthM: number } {
  const session = syntheticLaps({ lapTimesS: TIMES_S })
  const pct = channel(session, 'LapDistPct')
  for (let row = 0; row < pct.length; row++) pct[row] = pct[row]! * (1 + share)
  const scores = channel(session, 'LapLastLapTime').fill(-1)
  TIMES_S.forEach((timeS, lap) => {
    const finish = session.lineRows[lap + 1]! - Math.floor((timeS - timeS / (1 + share)) * HZ)
    scores.fill(timeS / (1 + share), finish + scoreRows)
  })
  return { columns: session.columns, lengthM: 2000 / (1 + share) }
}

for (const share of [0.002, 0.015, 0.03, 0.045]) {
  for (const scoreRows of [5, 45, 114]) {
    test(`uses the scored time and line if the finish lies ${share} of a lap before the start, scored ${scoreRows} rows later (D-29)`, () => {
      const { columns, lengthM } = linesApart(share, scoreRows)
      for (const file of [columns, without(columns, 'Lat', 'Lon')]) {
        const laps = findLaps(file, { trackLengthM: lengthM })
        assert.deepEqual(
          laps.map(({ lap }) => lap),
          [1, 2, 3, 4, 5],
        )
        for (const [i, lap] of laps.slice(1, 4).entries()) {
          const reasons = file === columns ? [] : ['UNVERIFIABLE']
          assert.deepEqual([lap.is_completed, lap.time_source, lap.reasons], [true, 'official', reasons])
          assert.ok(Math.abs(lap.time_s! - TIMES_S[i]! / (1 + share)) < 1e-3, String(lap.time_s))
        }
      }
    })
  }
}

test('times a lap to a finish before the start by the recording if no score can have come', () => {
  const { columns, lengthM } = linesApart(0.015, 45)
  const [, , , last] = findLaps(columns, { trackLengthM: lengthM })
  const rows = last!.row_end + 5
  const cut = {
    rows,
    byName: new Map(
      [...columns.byName].map(([name, column]) => [
        name,
        { ...column, values: column.values.slice(0, rows) },
      ]),
    ),
  }
  cut.byName.get('LapLastLapTime')!.values.fill(TIMES_S[1]! / 1.015, last!.row_start + 200)
  const lap = findLaps(cut, { trackLengthM: lengthM })[3]!
  assert.deepEqual([lap.is_completed, lap.time_source], [true, 'interpolated'])
  assert.ok(Math.abs(lap.time_s! - TIMES_S[2]! / 1.015) < 2e-3, String(lap.time_s))
})

test('TIME_MISMATCH: a score of another lap, also with two lines apart', () => {
  const { columns, lengthM } = linesApart(0.015)
  const scores = columns.byName.get('LapLastLapTime')!.values
  for (let row = 0; row < scores.length; row++) if (scores[row]! > 0) scores[row] = scores[row]! - 0.05
  for (const lap of findLaps(columns, { trackLengthM: lengthM }).slice(1, 4)) {
    assert.deepEqual(lap.reasons, ['TIME_MISMATCH'])
  }
})

test('returns an incomplete lap if it runs beyond any distance from finish to start', () => {
  const { columns, lengthM } = linesApart(0.08)
  for (const lap of findLaps(columns, { trackLengthM: lengthM })) assert.equal(lap.is_completed, false)
})

test('returns the short way round for a step over the line, wherever LapDistPct wraps', () => {
  for (const [from, to, step] of [
    [0.5, 0.51, 0.01],
    [0.995, 0.005, 0.01],
    [1.03, 0.004, 0.004],
    [0.004, 1.03, -0.004],
    [0.004, 0.998, -0.006],
  ] as const) {
    assert.ok(Math.abs(stepPct(from, to) - step) < 1e-9, `${from} ${to}`)
  }
})

/** Returns a session on a track whose finish line lies that share of the lap after its start line. */
function finishLate(shares: readonly number[], scoreRows = 45) {
  const session = syntheticLaps({ lapTimesS: TIMES_S })
  const scores = channel(session, 'LapLastLapTime').fill(-1)
  const times = TIMES_S.map((timeS, lap) => timeS + shares[lap]! * (TIMES_S[lap + 1] ?? TIMES_S[lap]!))
  for (const [lap, timeS] of times.entries()) {
    const lateRows = Math.round((timeS - TIMES_S[lap]!) * HZ)
    scores.fill(timeS, session.lineRows[lap + 1]! + lateRows + scoreRows)
  }
  return { laps: findLaps(session.columns, session.facts).slice(1, 4), times }
}

for (const scoreRows of [5, 45, 110]) {
  test(`uses the scored time if the finish lies after the start and all laps show it, scored ${scoreRows} rows later (D-29)`, () => {
    for (const share of [0.004, 0.015, 0.03]) {
      const { laps, times } = finishLate([share, share, share], scoreRows)
      for (const [i, lap] of laps.entries()) {
        assert.deepEqual(
          [lap.is_completed, lap.time_source, lap.reasons],
          [true, 'official', []],
          String(share),
        )
        assert.ok(Math.abs(lap.time_s! - times[i]!) < 1e-3)
      }
    }
  })
}

test('TIME_MISMATCH: scores that do not agree on one late finish line', () => {
  for (const shares of [
    [0.015, 0, 0],
    [0.015, 0.02, 0.015],
    [0.07, 0.07, 0.07],
  ]) {
    const { laps } = finishLate(shares)
    assert.ok(
      laps.some(lap => !lap.is_completed),
      String(shares),
    )
    for (const [i, lap] of laps.entries()) {
      if (shares[i]! > 0) assert.equal(lap.is_completed, false, String(shares))
    }
  }
})
