import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sharedIbt, sharedIbtMissing } from '../../testing/shared-ibt.ts'
import { bytesSource } from '../byte-source.ts'
import type { Columns, ColumnValues } from '../columns.ts'
import type { Lap } from '../laps/lap.ts'
import { lapFigures } from './lap-figures.ts'
import { previewSession } from './preview-session.ts'

const ROWS = 121

/** Row 10 is the first of a lap of 100 rows, a second each, which crosses the line between rows 9 and 10. */
const lap: Lap = {
  lap: 1,
  is_completed: true,
  is_clean: true,
  reasons: [],
  time_s: 100.004,
  time_fmt: '1:40.004',
  time_source: 'official',
  row_start: 10,
  row_end: 109,
  incidents: [],
  session_num: 0,
  session_name: null,
}

function columns(channels: Readonly<Record<string, (row: number) => number>>): Columns {
  const all = { SessionTime: (row: number) => row, LapDistPct: (row: number) => ((row + 90.5) / 100) % 1 }
  const byName = new Map(
    Object.entries({ ...all, ...channels }).map(([name, at]) => {
      const values: ColumnValues = Float64Array.from({ length: ROWS }, (_, row) => at(row))
      return [name, { name, type: 'double' as const, count: 1, unit: '', values }]
    }),
  )
  return { rows: ROWS, byName }
}

test('returns nothing for a file without the channels', () => {
  assert.deepEqual(lapFigures(columns({}), lap, []), {
    sectors_s: [],
    top_speed_mps: null,
    fuel_used_l: null,
    tyre_temps_c: [],
    track_temp_c: null,
    track_wetness: null,
    incident_points: null,
  })
})

test('splits the lap at the sectors’ starts, between two rows, into times that add up to the lap', () => {
  assert.deepEqual(lapFigures(columns({}), lap, [0, 0.25, 0.503]).sectors_s, [25, 25.3, 49.704])
  // Two starts within one row.
  assert.deepEqual(lapFigures(columns({}), lap, [0, 0.501, 0.504]).sectors_s, [50.1, 0.3, 49.604])
})

test('has no sectors for a lap that is not complete, begins with the file or jumps over a start', () => {
  const starts = [0, 0.5]
  const jump = { LapDistPct: (row: number) => (row < 40 ? (row - 9.5) / 100 : (row + 30) / 200) }
  for (const [with_, of] of [
    [columns({}), { ...lap, is_completed: false }],
    [columns({}), { ...lap, time_s: null }],
    [columns({}), { ...lap, row_start: 0 }],
    [columns({ LapDistPct: row => (row < 59 ? jump.LapDistPct(row) : 0.9) }), lap],
  ] as const) {
    assert.deepEqual(lapFigures(with_, of, starts).sectors_s, [])
  }
  assert.deepEqual(lapFigures(columns({}), lap, [0]).sectors_s, [])
})

test('counts fuel of the lap alone, and none if the tank was filled', () => {
  const used = (level: (row: number) => number) =>
    lapFigures(columns({ FuelLevel: level }), lap, []).fuel_used_l
  assert.ok(Math.abs(used(row => 40 - row / 50)! - 1.98) < 1e-9)
  assert.equal(
    used(row => (row < 60 ? 40 - row / 50 : 60 - row / 50)),
    null,
  )
  assert.equal(
    used(() => 0),
    null,
  )
})

test('averages temperatures, prefers the newer track channel, and needs all four tyres', () => {
  const tyres = { LFtempM: () => 80, RFtempM: () => 81, LRtempM: () => 82, RRtempM: (row: number) => row }
  const all = lapFigures(columns({ ...tyres, TrackTemp: () => 20, TrackTempCrew: () => 30 }), lap, [])
  assert.deepEqual(all.tyre_temps_c, [80, 81, 82, 59.5])
  assert.equal(all.track_temp_c, 30)
  const three = lapFigures(columns({ LFtempM: tyres.LFtempM, TrackTemp: () => 20 }), lap, [])
  assert.deepEqual([three.tyre_temps_c, three.track_temp_c], [[], 20])
})

test('has the wettest state of the track, and none if the simulator does not know it', () => {
  const wetness = (at: (row: number) => number) =>
    lapFigures(columns({ TrackWetness: at }), lap, []).track_wetness
  assert.equal(
    wetness(row => (row === 40 ? 3 : 2)),
    3,
  )
  assert.equal(
    wetness(() => 0),
    null,
  )
})

test('counts the incident points of the lap, from the row before it', () => {
  const points = (count: (row: number) => number) =>
    lapFigures(columns({ PlayerCarMyIncidentCount: count }), lap, []).incident_points
  assert.equal(
    points(row => (row < 10 ? 3 : row < 50 ? 4 : 6)),
    3,
  )
  assert.equal(
    points(() => 2),
    0,
  )
  assert.equal(
    points(row => (row < 50 ? 4 : 0)),
    null,
  )
})

/**
 * Figures worked out by hand from rows of recorded files. Sectors: rows on both sides of the line and of the
 * half, and the official time.
 */
const BY_HAND = [
  {
    // Line: rows 1083 (4216.36667 s, 0.999787) and 1084 (0.001035); half: rows 1539 (0.499193) and 1540 (0.500336).
    file: 'real/langley-2-laps.ibt',
    lap: 174,
    sectors: [7.609, 7.578],
    // Row 1140.
    topMps: 45.1715,
    // Rows 1084 (43.05918 l) and 1994 (42.85098 l).
    fuelL: 0.2082,
    trackC: 24.444,
    points: null,
  },
  {
    // Line: rows 1815 (4100.50007 s, 0.999640) and 1816 (0.000723); half: rows 2394 (0.499551) and 2395 (0.500671).
    file: 'real/martinsville-practice-2-laps.ibt',
    lap: 32,
    sectors: [9.651, 9.65],
    // Row 2428.
    topMps: 54.8827,
    // Rows 1816 (58.65819 l) and 2973 (58.19860 l).
    fuelL: 0.4596,
    trackC: 35.917,
    points: null,
  },
  {
    // No sectors, fuel and temperatures in the file; the count is 0 in all rows. Top speed: row 11344.
    file: 'laps/winton-3-laps.ibt',
    lap: 4,
    sectors: [],
    topMps: 51.3313,
    fuelL: null,
    trackC: null,
    points: 0,
  },
] as const

for (const { file, lap, sectors, topMps, fuelL, trackC, points } of BY_HAND) {
  test(`agrees with the rows of lap ${lap} in ${file}`, { skip: sharedIbtMissing }, async () => {
    const preview = await previewSession(bytesSource(readFileSync(sharedIbt(file))))
    const figures = preview.laps.find(each => each.lap === lap)!.figures!
    assert.deepEqual(figures.sectors_s, sectors)
    const isNear = (value: number | null, expected: number | null, by: number) =>
      assert.ok(
        expected === null ? value === null : Math.abs(value! - expected) < by,
        `${value}, ${expected}`,
      )
    isNear(figures.top_speed_mps, topMps, 1e-4)
    isNear(figures.fuel_used_l, fuelL, 1e-4)
    isNear(figures.track_temp_c, trackC, 1e-3)
    assert.equal(figures.incident_points, points)
    assert.equal(figures.tyre_temps_c.length, fuelL === null ? 0 : 4)
  })
}
