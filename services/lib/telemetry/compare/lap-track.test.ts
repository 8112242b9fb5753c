import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeSampleSession } from '@lapwing/simulator/sample'
import fc from 'fast-check'
import { sharedIbtFiles, sharedIbtMissing } from '../../testing/shared-ibt.ts'
import { bytesSource } from '../byte-source.ts'
import type { Column, Columns, ColumnValues } from '../columns.ts'
import { openIbt } from '../ibt/open-ibt.ts'
import { readColumns } from '../ibt/read-columns.ts'
import { findLaps } from '../laps/find-laps.ts'
import { findSegments } from '../laps/find-segments.ts'
import type { Lap } from '../laps/lap.ts'
import { lapData } from '../laps/lap-data.ts'
import { timeLaps } from '../laps/time-laps.ts'
import { PREVIEW_COLUMNS, previewOf } from '../preview/preview-session.ts'
import {
  channel,
  HZ,
  pickRows,
  type SyntheticLapsOptions,
  syntheticLaps,
  without,
} from '../testing/synthetic-laps.ts'
import { type LapTrack, lapTrack } from './lap-track.ts'
import { TRACK_SERIES, TRACK_SERIES_NAMES } from './series.ts'

/** Returns the session's first whole lap, 60 s at one speed, after a change to the session. */
function trackOf(
  change: (columns: Columns, lineRow: number) => Columns | undefined = () => undefined,
  options: SyntheticLapsOptions = {},
): LapTrack {
  const session = syntheticLaps(options)
  const [lap] = wholeLaps(session.columns, session.facts)
  const columns = change(session.columns, session.lineRows[0]!) ?? session.columns
  const track = lapTrack(columns, { ...lap!, ...wholeLaps(columns, session.facts)[0] }, session.facts)
  assert.ok(track !== null)
  return track
}

const wholeLaps = (columns: Columns, facts: { trackLengthM: number | null }): Lap[] =>
  findLaps(columns, facts).filter(({ is_completed }) => is_completed)

const valuesOf = (columns: Columns, name: string): ColumnValues => columns.byName.get(name)!.values

/** Returns the session with one more channel, of one value a row. */
function withChannel(
  columns: Columns,
  name: string,
  type: Column['type'],
  value: (row: number) => number,
): Columns {
  const arrays = { float: Float32Array, double: Float64Array, int: Int32Array, bool: Uint8Array } as const
  const values = new arrays[type as keyof typeof arrays](columns.rows).map((_, row) => value(row))
  const byName = new Map(columns.byName)
  byName.set(name, { name, type, count: 1, unit: '', values })
  return { rows: columns.rows, byName }
}

/** Returns all series as one text, so that equal bits are equal text. */
const bitsOf = (track: LapTrack): string[] =>
  TRACK_SERIES_NAMES.flatMap(name => {
    const series = track[name]
    return series === undefined ? [] : [`${name} ${Buffer.from(series.buffer).toString('base64')}`]
  })

test('returns a lap in even steps of about a metre, both ends included', () => {
  for (const [lengthM, points] of [
    [2000, 2001],
    [3171.4, 3172],
    [120, 500],
    [19_999, 20_000],
    [25_000, 20_001],
  ] as const) {
    const { pct, time } = trackOf(undefined, { lengthM, lapTimesS: [600, 600, 600] })
    assert.equal(pct.length, points)
    assert.equal(time.length, points)
    for (let i = 0; i < points; i++) assert.equal(pct[i], i / (points - 1))
  }
})

test('returns times from 0 at the line to the interpolated lap time, whatever the score', () => {
  const { time, timeMs } = trackOf(undefined, { scores: [60.015, 58, 59] })
  assert.equal(time[0], 0)
  assert.ok(Math.abs(time.at(-1)! - 60) < 1e-3)
  assert.equal(timeMs, 60_015)
})

test('returns evenly rising times for a lap at one speed', () => {
  const { pct, time } = trackOf()
  for (let i = 0; i < pct.length; i++) assert.ok(Math.abs(time[i]! - 60 * pct[i]!) < 1e-3)
})

test('interpolates channels between the rows around a point, across the line too', () => {
  const clock = trackOf(columns => withChannel(columns, 'RPM', 'float', row => row / HZ))
  // A channel that holds the time shows the time of each point.
  const offset = clock.rpm![0]!
  for (let i = 0; i < clock.time.length; i++) {
    assert.ok(Math.abs(clock.rpm![i]! - offset - clock.time[i]!) < 1e-4)
  }
})

test('returns the gear of the nearest row, never one in between', () => {
  const { gear, time } = trackOf((columns, line) =>
    withChannel(columns, 'Gear', 'int', row => (row < line + 600 ? 2 : 5)),
  )
  assert.deepEqual(new Set(gear), new Set([2, 5]))
  const change = gear!.indexOf(5)
  // The first point after the middle of two rows, of which the second is the first with the gear.
  const [least, pointS] = [599.5 / HZ, 60 / 2000]
  assert.ok(time[change]! >= least && time[change]! <= least + 1 / HZ + pointS)
})

test('clamps pedals to 0 and 1', () => {
  const { throttle, brake } = trackOf(columns =>
    withChannel(
      withChannel(columns, 'Throttle', 'float', row => (row % 2 === 0 ? 1.02 : 0.98)),
      'Brake',
      'float',
      () => -0.01,
    ),
  )
  assert.ok(throttle!.every(value => value >= 0.98 - 1e-6 && value <= 1))
  assert.ok(brake!.every(value => value === 0))
})

test('omits a series without a channel', () => {
  const track = trackOf(columns => without(columns, 'Speed', 'Lat', 'Lon'))
  assert.deepEqual(Object.keys(track).toSorted(), ['lengthM', 'pct', 'time', 'timeMs'])
})

test('reads the length from LapDist if the text has none, and null without both', () => {
  const session = syntheticLaps()
  const unknown = { trackLengthM: null }
  const [lap] = wholeLaps(session.columns, unknown)
  assert.equal(Math.round(lapTrack(session.columns, lap!, unknown)!.lengthM!), 2000)
  const { lengthM, pct } = lapTrack(without(session.columns, 'LapDist'), lap!, unknown)!
  assert.equal(lengthM, null)
  assert.equal(pct.length, 4001)
})

test('returns null for a lap that is not complete', () => {
  const { columns, facts } = syntheticLaps({ scores: [60, -1, 59] })
  const tracks = findLaps(columns, facts).map(lap => lapTrack(columns, lap, facts) !== null)
  assert.deepEqual(tracks, [false, true, false, true, false])
})

test('ignores a row that is in the file twice', () => {
  const twice = trackOf((columns, line) =>
    pickRows(
      columns,
      Array.from({ length: columns.rows }, (_, row) => row).flatMap(row =>
        row === line + 77 ? [row, row] : [row],
      ),
    ),
  )
  assert.deepEqual(bitsOf(twice), bitsOf(trackOf()))
})

test('ignores blank rows, within the lap and at the line', () => {
  for (const at of [-1, 0, 1, 500]) {
    const blanked = trackOf((columns, line) => {
      const rows: (number | null)[] = Array.from({ length: columns.rows }, (_, row) => row)
      rows.splice(line + at, 0, null)
      return pickRows(columns, rows)
    })
    assert.deepEqual(bitsOf(blanked), bitsOf(trackOf()), `${at} rows from the line`)
  }
})

test('moves no other point if one distance is wrong by up to a fiftieth of the lap', () => {
  const even = trackOf()
  for (const error of [0.015, -0.015, 0.0001]) {
    const { time, pct } = trackOf((columns, line) => {
      const pct = valuesOf(columns, 'LapDistPct')
      pct[line + 1800] = pct[line + 1800]! + error
      return undefined
    })
    for (let i = 0; i < pct.length; i++) {
      assert.ok(Math.abs(time[i]! - even.time[i]!) < 0.02, `${error}: ${time[i]} at ${pct[i]}`)
    }
  }
})

test('shows the loss of a car that stops where it stopped', () => {
  // Stops for five seconds at the middle of a lap, then goes on as before.
  const standing = (columns: Columns, line: number) => {
    const pct = valuesOf(columns, 'LapDistPct')
    const from = line + 1800
    const at = pct[from]!
    for (let row = from; row < from + 300; row++) pct[row] = at + 1e-6 * Math.sin(row)
    for (let row = from + 300; row < from + 900; row++) {
      pct[row] = at + ((row - from - 299) / 600) * (pct[from + 900]! - at)
    }
    return undefined
  }
  const { pct, time } = trackOf(standing)
  const before = pct.findIndex(share => share > 0.4995)
  const after = pct.findIndex(share => share > 0.5015)
  assert.ok(time[after]! - time[before]! > 4.9)
})

test('returns times that never fall and end at the lap time, whatever the noise of LapDistPct', () => {
  const noise = fc.record({
    seed: fc.nat(1000),
    sizeM: fc.double({ min: 0, max: 15, noNaN: true }),
    // Under a fiftieth of the lap from row to row in total, or the lap would not be complete.
    glitches: fc.uniqueArray(
      fc.tuple(fc.integer({ min: 30, max: 3570 }), fc.double({ min: -0.005, max: 0.005, noNaN: true })),
      { maxLength: 6, selector: ([row]) => row },
    ),
  })
  fc.assert(
    fc.property(noise, ({ seed, sizeM, glitches }) => {
      const track = trackOf((columns, line) => {
        const pct = valuesOf(columns, 'LapDistPct')
        for (let row = line + 30; row < line + 3570; row++) {
          pct[row] = pct[row]! + ((sizeM / 2000) * Math.sin(row * 7.3 + seed)) / 2
        }
        for (const [row, error] of glitches) pct[line + row] = pct[line + row]! + error
        return undefined
      })
      const { time } = track
      for (let i = 1; i < time.length; i++) assert.ok(time[i]! >= time[i - 1]!)
      assert.equal(time[0], 0)
      assert.ok(Math.abs(time.at(-1)! - 60) < 1e-3)
      for (const name of TRACK_SERIES_NAMES) {
        const series = track[name]
        if (series === undefined) continue
        assert.ok(series instanceof TRACK_SERIES[name])
        assert.ok(series.every(value => Number.isFinite(value)))
      }
    }),
    { numRuns: 100 },
  )
})

test('leaves values that are no numbers, and changes no others', () => {
  const { speed, rpm } = trackOf((columns, line) =>
    withChannel(columns, 'RPM', 'float', row => (row === line + 100 ? Number.NaN : 6000)),
  )
  const unknown = rpm!.filter(Number.isNaN).length
  assert.ok(unknown >= 1 && unknown <= 3, String(unknown))
  assert.ok(speed!.every(Number.isFinite))
})

test('returns a sound track or null, and no error, for meaningless rows', () => {
  const odd = fc.oneof(
    fc.double(),
    fc.double({ min: -0.1, max: 1.1, noNaN: true }),
    fc.constantFrom(0, 1, 0.95, 0.05, Number.NaN, Infinity, -Infinity, 1e300),
  )
  // A lap of 50 rows with the line before row 5 and before row 55, in which any value may be odd.
  const even: Readonly<Record<string, (row: number) => number>> = {
    SessionTime: row => row / HZ,
    LapDistPct: row => (0.91 + 0.02 * row) % 1,
    Speed: () => 40,
    Lat: row => 50 + row / 1e5,
    Lon: row => 8 + row / 1e5,
    Gear: () => 3,
  }
  const names = Object.keys(even)
  const changes = fc.array(fc.tuple(fc.constantFrom(...names), fc.nat(59), odd), { maxLength: 60 })
  const lap = fc.tuple(
    fc.oneof(fc.constant(5), fc.nat(59)),
    fc.oneof(fc.constant(54), fc.nat(59)),
    fc.double({ min: 1, max: 1e6, noNaN: true }),
  )
  let sound = 0
  fc.assert(
    fc.property(changes, lap, odd, (changed, [a, b, timeS], lengthM) => {
      let columns: Columns = { rows: 60, byName: new Map() }
      for (const name of names) columns = withChannel(columns, name, 'double', even[name]!)
      for (const [name, row, value] of changed) valuesOf(columns, name)[row] = value
      const [row_start, row_end] = a < b ? [a, b] : [b, a]
      const judged = { ...MADE_UP, time_s: timeS, row_start, row_end }
      const track = lapTrack(columns, judged, { trackLengthM: lengthM })
      if (track === null) return
      sound++
      const { pct, time } = track
      assert.ok(pct.length >= 500 && pct.length <= 20_001)
      assert.ok(time[0] === 0 && Number.isFinite(time.at(-1)))
      for (let i = 1; i < time.length; i++) assert.ok(time[i]! >= time[i - 1]!)
    }),
    { numRuns: 2000 },
  )
  assert.ok(sound > 100 && sound < 1900, `${sound} tracks`)
})

const MADE_UP: Lap = {
  lap: 1,
  is_completed: true,
  is_clean: true,
  reasons: [],
  time_s: 60,
  time_fmt: '1:00.000',
  time_source: 'official',
  row_start: 0,
  row_end: 0,
  incidents: [],
  session_num: 0,
  session_name: null,
}

test('changes nothing of the session', () => {
  const { columns, facts } = syntheticLaps()
  const untouched = syntheticLaps().columns
  for (const lap of findLaps(columns, facts)) lapTrack(columns, lap, facts)
  for (const [name, { values }] of untouched.byName)
    assert.deepEqual(channel({ columns } as never, name), values)
})

/** Returns the preview of a file and its columns. */
async function bothOf(bytes: Uint8Array) {
  const file = await openIbt(bytesSource(bytes))
  const read = () => readColumns(file, PREVIEW_COLUMNS)
  return { columns: await read(), facts: file.session, preview: previewOf(file, await read()) }
}

async function assertAlike(bytes: Uint8Array): Promise<void> {
  const { columns, facts, preview } = await bothOf(bytes)
  const data = lapData(columns, facts)!
  const timings = timeLaps(data, findSegments(data))
  for (const [i, lap] of preview.laps.entries()) {
    const track = lapTrack(preview, lap)
    assert.equal(track !== null, lap.is_completed)
    if (track === null) continue
    assert.deepEqual(bitsOf(lapTrack(columns, lap, facts)!), bitsOf(track))
    assert.equal(track.time.at(-1), timings[i]!.interpolatedS)
    // Its series, its length, its time and, if it has any, its incidents.
    const others = lap.incidents.length > 0 ? 3 : 2
    assert.equal(Object.keys(track).length, TRACK_SERIES_NAMES.length + others)
    assert.deepEqual(lapTrack(columns, lap, facts)!.incidents, track.incidents)
  }
}

const alike = 'the same from the preview as from its columns, and closed by the lap’s own crossings'

test(`the sample session is ${alike}`, () => assertAlike(makeSampleSession()))

test(`recorded sessions are ${alike}`, { skip: sharedIbtMissing }, async () => {
  for (const { bytes } of sharedIbtFiles()) await assertAlike(bytes)
})

test('marks which series of a preview have no channel', async () => {
  const { preview } = await bothOf(makeSampleSession())
  const lap = preview.laps.find(({ is_completed }) => is_completed)!
  const debug = { ...preview.debug, missing: ['brake', 'lat', 'gear'] as const }
  const names = Object.keys(lapTrack({ ...preview, debug }, lap)!)
  for (const name of ['brake', 'lat', 'gear']) assert.ok(!names.includes(name), name)
  for (const name of ['throttle', 'lon', 'rpm']) assert.ok(names.includes(name), name)
})
