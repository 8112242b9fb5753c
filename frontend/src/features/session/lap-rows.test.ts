import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Lap } from '@lapwing/telemetry'
import { type LapLog, measuredLaps, sectorBests } from '@lapwing/telemetry/stints'
import { filterRows, filtersOf, type LapColumn, lapRows, pressed, sortRows } from './lap-rows.ts'

function aLap(lap: number, { sectors = [] as number[], reasons = [] as Lap['reasons'] } = {}): Lap {
  const is_completed = sectors.length > 0
  return {
    lap,
    is_completed,
    is_clean: is_completed && reasons.length === 0,
    reasons,
    time_s: is_completed ? sectors.reduce((sum, each) => sum + each, 0) : null,
    time_fmt: null,
    time_source: null,
    row_start: 100 * lap,
    row_end: 100 * lap + 99,
    incidents: [],
    session_num: 0,
    session_name: null,
    figures: {
      sectors_s: sectors,
      top_speed_mps: 50 + lap,
      fuel_used_l: null,
      tyre_temps_c: [],
      track_temp_c: null,
      incident_points: null,
    },
  }
}

const laps = [
  aLap(1, { reasons: ['NO_OPEN', 'OUT'] }),
  aLap(2, { sectors: [20.5, 40.25] }),
  aLap(3, { sectors: [20.25, 39.5], reasons: ['OFF_TRACK'] }),
  aLap(4, { sectors: [20.75, 40] }),
  aLap(5, { reasons: ['NO_CLOSE'] }),
]
const { laps: measured } = measuredLaps(laps)
const inTraffic = laps.map((_, i) => ({ trafficShare: i === 3 ? 0.5 : 0 }) as LapLog)
const rows = lapRows(laps, inTraffic, measured, sectorBests(measured))
const numbersBy = (by: LapColumn, isDescending = false) =>
  sortRows(rows, { by, isDescending }).map(({ lap }) => lap.lap)

test('marks the best lap and sectors of those that count, and shows others beside them', () => {
  assert.deepEqual(
    rows.map(({ gapS, isBest, sectors }) => [gapS, isBest, sectors.map(each => [each.gapS, each.isBest])]),
    [
      [null, false, []],
      [
        0,
        true,
        [
          [0, true],
          [0.25, false],
        ],
      ],
      // Faster, but off the track: no lap that counts.
      [
        -1,
        false,
        [
          [-0.25, false],
          [-0.5, false],
        ],
      ],
      [
        0,
        false,
        [
          [0.25, false],
          [0, true],
        ],
      ],
      [null, false, []],
    ],
  )
})

test('says in a driver’s words what each lap was', () => {
  assert.deepEqual(
    rows.map(({ words }) => words),
    ['out lap', 'clean', 'off track', 'traffic', 'unfinished'],
  )
})

test('offers the filters that leave some laps', () => {
  assert.deepEqual(
    filtersOf(rows).map(({ label }) => label),
    [
      'All laps (5)',
      'Complete laps (3)',
      'Clean laps (2)',
      'Out laps (1)',
      'In traffic (1)',
      'With an incident (1)',
    ],
  )
  assert.deepEqual(
    filterRows(rows, 'incident').map(({ lap }) => lap.lap),
    [3],
  )
})

test('sorts by any column, both ways, with laps that lack its value last', () => {
  assert.deepEqual(numbersBy('time'), [3, 2, 4, 1, 5])
  assert.deepEqual(numbersBy('time', true), [2, 4, 3, 1, 5])
  assert.deepEqual(numbersBy(1), [3, 4, 2, 1, 5])
  assert.deepEqual(numbersBy('speed', true), [5, 4, 3, 2, 1])
  assert.deepEqual(numbersBy('fuel'), [1, 2, 3, 4, 5])
  assert.deepEqual(numbersBy('kind'), [2, 3, 1, 4, 5])
  const byTime = pressed<LapColumn>({ by: 'lap', isDescending: false }, 'time')
  assert.deepEqual(byTime, { by: 'time', isDescending: false })
  assert.deepEqual(pressed(byTime, 'time'), { by: 'time', isDescending: true })
})
