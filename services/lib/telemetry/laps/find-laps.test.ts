import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { sharedIbt, sharedIbtMissing } from '../../testing/shared-ibt.ts'
import { bytesSource } from '../byte-source.ts'
import type { Columns } from '../columns.ts'
import { openIbt } from '../ibt/open-ibt.ts'
import { readColumns } from '../ibt/read-columns.ts'
import {
  channel,
  HZ,
  pickRows,
  type SyntheticLaps,
  syntheticLaps,
  without,
} from '../testing/synthetic-laps.ts'
import { findLaps } from './find-laps.ts'
import type { Lap } from './lap.ts'
import { LAP_CHANNELS } from './lap-channels.ts'
import { lapTimeMs } from './lap-time-ms.ts'

/** Complete laps with their official times in ms, and all laps in order, as listed beside the files. */
const RECORDED: readonly {
  readonly file: string
  readonly complete: Readonly<Record<number, number>>
  readonly laps: readonly number[]
}[] = [
  { file: 'real/langley-2-laps.ibt', complete: { 174: 15_187, 175: 15_099 }, laps: [173, 174, 175, 176] },
  { file: 'real/langley-1-lap.ibt', complete: { 177: 15_071 }, laps: [176, 177, 178] },
  { file: 'real/langley-practice-out-lap.ibt', complete: { 6: 15_240 }, laps: [5, 6, 7] },
  {
    file: 'real/martinsville-practice-2-laps.ibt',
    complete: { 32: 19_301, 33: 19_546 },
    laps: [31, 32, 33, 34],
  },
  { file: 'real/sebring-lmdh-reset.ibt', complete: {}, laps: [8, 8] },
  { file: 'real/spielberg-gt4-no-complete-lap.ibt', complete: {}, laps: [0] },
  { file: 'real/spielberg-w13-6-seconds.ibt', complete: {}, laps: [9] },
  {
    file: 'laps/summit-jefferson-4-laps.ibt',
    complete: { 2: 51_438, 3: 51_403, 4: 51_290, 5: 51_088 },
    laps: [1, 2, 3, 4, 5, 6],
  },
  {
    file: 'laps/summit-jefferson-second-driver.ibt',
    complete: { 2: 51_255, 3: 51_198, 4: 51_148 },
    laps: [1, 2, 3, 4, 5],
  },
  { file: 'laps/lime-rock-2-laps.ibt', complete: { 2: 57_444, 3: 55_697 }, laps: [1, 2, 3, 4] },
  { file: 'laps/winton-3-laps.ibt', complete: { 2: 86_439, 3: 86_417, 4: 84_296 }, laps: [1, 2, 3, 4, 5] },
  { file: 'laps/rudskogen-1-lap.ibt', complete: { 2: 90_290 }, laps: [1, 2, 3] },
  { file: 'broken/cut-in-records.ibt', complete: {}, laps: [176] },
]

async function lapsOf(name: string): Promise<Lap[]> {
  const file = await openIbt(bytesSource(readFileSync(sharedIbt(name))))
  const columns = await readColumns(
    file,
    LAP_CHANNELS.map(channel => channel.name),
  )
  return findLaps(columns, file.session)
}

for (const { file, complete, laps: numbers } of RECORDED) {
  test(`finds the simulator's laps and times to the millisecond: ${file}`, {
    skip: sharedIbtMissing,
  }, async () => {
    const laps = await lapsOf(file)
    assert.deepEqual(
      laps.map(({ lap }) => lap),
      numbers,
    )
    const found = laps.filter(lap => lap.is_completed)
    assert.deepEqual(Object.fromEntries(found.map(({ lap, time_s }) => [lap, lapTimeMs(time_s!)])), complete)
    for (const lap of found) assert.equal(lap.time_source, 'official')
    for (const lap of laps) assert.ok(lap.is_completed || lap.reasons.length > 0)
  })
}

test('splits a lap with a reset into two laps of one number, both with a jump', {
  skip: sharedIbtMissing,
}, async () => {
  const laps = await lapsOf('real/sebring-lmdh-reset.ibt')
  assert.equal(laps.length, 2)
  for (const lap of laps) {
    assert.equal(lap.lap, 8)
    assert.ok(lap.reasons.includes('JUMP'))
  }
  assert.deepEqual([laps[0]!.row_start, laps[0]!.row_end], [1, 2108])
  assert.deepEqual([laps[1]!.row_start, laps[1]!.row_end], [2110, 2307])
})

test('marks a refused lap from the pits as out lap and not scored', {
  skip: sharedIbtMissing,
}, async () => {
  const [first] = await lapsOf('real/langley-practice-out-lap.ibt')
  assert.deepEqual(first!.reasons, ['NO_OPEN', 'NOT_SCORED', 'OUT', 'UNVERIFIABLE'])
  assert.equal(first!.time_s, null)
})

test('returns laps of 2015 as complete but unverifiable', { skip: sharedIbtMissing }, async () => {
  const laps = await lapsOf('real/martinsville-practice-2-laps.ibt')
  for (const lap of laps.filter(lap => lap.is_completed)) {
    assert.deepEqual(lap.reasons, ['UNVERIFIABLE'])
    assert.equal(lap.is_clean, false)
  }
})

test('finds a part before the first line, the laps, and a part after the last line', () => {
  const session = syntheticLaps({ lapTimesS: [60, 58.25] })
  const laps = findLaps(session.columns, session.facts)
  const [a, b, c] = session.lineRows
  const tail = {
    time_s: null,
    time_fmt: null,
    time_source: null,
    incidents: [],
    session_num: 0,
    session_name: null,
  }
  assert.deepEqual(laps, [
    {
      lap: 1,
      is_completed: false,
      is_clean: false,
      reasons: ['NO_OPEN'],
      ...tail,
      row_start: 0,
      row_end: a! - 1,
    },
    {
      lap: 2,
      is_completed: true,
      is_clean: true,
      reasons: [],
      time_s: 60,
      time_fmt: '1:00.000',
      time_source: 'official',
      row_start: a,
      row_end: b! - 1,
      incidents: [],
      session_num: 0,
      session_name: null,
    },
    {
      lap: 3,
      is_completed: true,
      is_clean: true,
      reasons: [],
      time_s: 58.25,
      time_fmt: '0:58.250',
      time_source: 'official',
      row_start: b,
      row_end: c! - 1,
      incidents: [],
      session_num: 0,
      session_name: null,
    },
    {
      lap: 4,
      is_completed: false,
      is_clean: false,
      reasons: ['NO_CLOSE'],
      ...tail,
      row_start: c,
      row_end: session.columns.rows - 1,
    },
  ])
})

test('numbers and cuts laps correctly if the counter leads or lags the line by rows', () => {
  for (const by of [-2, 3]) {
    const session = syntheticLaps()
    const counter = channel(session, 'Lap')
    const moved = counter.map((_, row) => counter[Math.min(counter.length - 1, Math.max(0, row - by))]!)
    counter.set(moved as Int32Array & Uint8Array)
    const laps = findLaps(session.columns, session.facts)
    assert.deepEqual(
      laps.map(lap => [lap.lap, lap.row_start]),
      [0, ...session.lineRows].map((row, i) => [i + 1, row]),
    )
  }
})

test('ends laps at a change of session, and names the session of each', () => {
  const session = syntheticLaps()
  const middle = session.lineRows[1]! + 1000
  channel(session, 'SessionNum').fill(1, middle)
  const laps = findLaps(session.columns, session.facts)
  assert.deepEqual(
    laps.map(lap => lap.session_num),
    [0, 0, 0, 1, 1, 1],
  )
  assert.equal(laps[2]!.row_end, middle - 1)
  assert.deepEqual(laps[2]!.reasons, ['NO_CLOSE'])
  assert.equal(laps[3]!.row_start, middle)
  assert.deepEqual(laps[3]!.reasons, ['NO_OPEN'])
})

test('separates sessions without numbers by a clock that restarts', () => {
  const session = syntheticLaps()
  const middle = session.lineRows[1]! + 1000
  const time = channel(session, 'SessionTime')
  for (let row = middle; row < time.length; row++) time[row] = (row - middle) / HZ
  const laps = findLaps(without(session.columns, 'SessionNum'), session.facts)
  assert.deepEqual(
    laps.map(lap => lap.row_start),
    [0, session.lineRows[0], session.lineRows[1], middle, session.lineRows[2], session.lineRows[3]],
  )
})

test('numbers laps with integers whatever the type of the counters, and never splits at a NaN counter', () => {
  const { columns, facts } = syntheticLaps()
  const whole = findLaps(columns, facts)
  for (const value of [Number.NaN, 1e300, 1.5, 4_294_967_295]) {
    for (const name of ['Lap', 'SessionNum']) {
      const odd = { ...columns.byName.get(name)!, type: 'double' as const }
      const values = new Float64Array(columns.rows).fill(value)
      const laps = findLaps(
        { ...columns, byName: new Map([...columns.byName, [name, { ...odd, values }]]) },
        facts,
      )
      assert.deepEqual(
        laps.map(lap => lap.row_start),
        whole.map(lap => lap.row_start),
      )
      for (const lap of laps) {
        for (const number of [lap.lap, lap.session_num]) assert.equal(number, number | 0, `${name} ${value}`)
      }
    }
  }
})

test('finds no laps without rows, or without a channel for time or distance', () => {
  const { columns, facts } = syntheticLaps()
  assert.deepEqual(findLaps(without(columns, 'SessionTime'), facts), [])
  assert.deepEqual(findLaps(without(columns, 'LapDistPct'), facts), [])
  assert.deepEqual(findLaps(pickRows(columns, []), facts), [])
  assert.deepEqual(findLaps({ rows: 0, byName: new Map() }, facts), [])
})

test('finds and times laps with only time and distance', () => {
  const session = syntheticLaps()
  const names = [...session.columns.byName.keys()].filter(
    name => !['SessionTime', 'LapDistPct'].includes(name),
  )
  const laps = findLaps(without(session.columns, ...names), { trackLengthM: null })
  assert.equal(laps.length, 5)
  for (const lap of laps.slice(1, 4)) {
    assert.equal(lap.time_source, 'interpolated')
    assert.deepEqual(lap.reasons, ['NOT_SCORED', 'UNVERIFIABLE'])
  }
})

/** A session of short laps with random faults at random points. */
const spoilt = fc.record({
  lapTimesMs: fc.array(fc.integer({ min: 9000, max: 14_000 }), { minLength: 3, maxLength: 5 }),
  faults: fc.array(
    fc.record({
      name: fc.constantFrom(
        'LapDistPct',
        'SessionTime',
        'Speed',
        'PlayerTrackSurface',
        'PlayerCarMyIncidentCount',
        'PlayerIncidents',
        'OnPitRoad',
        'PaceMode',
        'LapLastLapTime',
        'Lap',
      ),
      at: fc.double({ min: 0, max: 0.999, noNaN: true }),
      rows: fc.integer({ min: 1, max: 40 }),
      value: fc.constantFrom(0, 1, 2, 0.3, 13, Number.NaN),
    }),
    { maxLength: 4 },
  ),
})

type SpoiltSession = typeof spoilt extends fc.Arbitrary<infer T> ? T : never

function spoil({ lapTimesMs, faults }: SpoiltSession): SyntheticLaps {
  const session = syntheticLaps({ lapTimesS: lapTimesMs.map(timeMs => timeMs / 1000), lengthM: 500 })
  for (const { name, at, rows, value } of faults) {
    const row = Math.floor(at * session.columns.rows)
    channel(session, name).fill(value, row, row + rows)
  }
  return session
}

const verdict = ({ lap, reasons, time_s, time_source }: Lap) => ({ lap, reasons, time_s, time_source })

test('returns the same verdict whatever lies before and after a lap', () => {
  fc.assert(
    fc.property(spoilt, fc.nat(300), fc.nat(300), (description, before, after) => {
      const { columns, facts, lineRows } = spoil(description)
      // Only the last row of the lap before counts, and the time up to the score of the lap after.
      const last = columns.rows - 1
      const from = Math.max(0, lineRows[1]! - 1 - before)
      const to = Math.min(last, lineRows[2]! + 130 + after)
      const rows = Array.from({ length: to - from + 1 }, (_, i) => from + i)
      const alone = findLaps(pickRows(columns, rows), facts).find(lap => lap.row_start + from === lineRows[1])
      const amidst = findLaps(columns, facts).find(lap => lap.row_start === lineRows[1])
      fc.pre(amidst !== undefined && amidst.row_end < lineRows[2]!)
      assert.deepEqual(verdict(alone!), verdict(amidst!))
    }),
    { numRuns: 150 },
  )
})

test('returns the same verdicts with blank rows in between', () => {
  fc.assert(
    fc.property(spoilt, fc.array(fc.nat(), { maxLength: 12 }), (description, at) => {
      const { columns, facts } = spoil(description)
      const rows: (number | null)[] = Array.from({ length: columns.rows }, (_, i) => i)
      for (const index of at) rows.splice(index % (rows.length + 1), 0, null)
      const strewn = findLaps(pickRows(columns, rows), facts)
      assert.deepEqual(strewn.map(verdict), findLaps(columns, facts).map(verdict))
      for (const { row_start, row_end } of strewn) {
        assert.notEqual(rows[row_start], null)
        assert.notEqual(rows[row_end], null)
      }
    }),
    { numRuns: 150 },
  )
})

const oddNumber = fc.oneof(
  fc.double(),
  fc.constantFrom(0, 1, -1, 0.05, 0.95, 0.999, 0.001, Number.NaN, Number.POSITIVE_INFINITY, 1e300),
)

/** Columns without any meaningful value. */
const nonsense: fc.Arbitrary<Columns> = fc
  .array(
    fc.record({
      SessionTime: oddNumber,
      LapDistPct: oddNumber,
      SessionNum: fc.integer({ min: 0, max: 1 }),
      Lap: fc.integer({ min: -1, max: 2 }),
      LapLastLapTime: oddNumber,
      Speed: oddNumber,
      Lat: oddNumber,
      Lon: oddNumber,
      PlayerTrackSurface: fc.integer({ min: -1, max: 3 }),
      PlayerCarMyIncidentCount: fc.integer(),
      SessionFlags: fc.nat(),
      LapDist: oddNumber,
    }),
    { maxLength: 60 },
  )
  .map(rows => {
    const blank = syntheticLaps({ lapTimesS: [1], rowsAfter: 0 }).columns
    const columns = pickRows(
      blank,
      rows.map(() => 0),
    )
    for (const [row, values] of rows.entries()) {
      for (const [name, value] of Object.entries(values)) columns.byName.get(name)!.values[row] = value
    }
    return columns
  })

test('judges meaningless columns without error: no negative time, every good row in exactly one lap', () => {
  fc.assert(
    fc.property(nonsense, fc.constantFrom(null, 0, 500, Number.NaN), (columns, trackLengthM) => {
      const laps = findLaps(columns, { trackLengthM })
      let last = -1
      const covered = new Set<number>()
      for (const lap of laps) {
        assert.ok(lap.row_start > last && lap.row_end >= lap.row_start && lap.row_end < columns.rows)
        last = lap.row_end
        for (let row = lap.row_start; row <= lap.row_end; row++) covered.add(row)
        assert.ok(lap.time_s === null || (lap.time_s > 0 && Number.isFinite(lap.time_s)))
        assert.equal(lap.time_s === null, lap.time_fmt === null)
        assert.equal(lap.time_s === null, lap.time_source === null)
        assert.equal(lap.is_clean, lap.reasons.length === 0)
        assert.equal(new Set(lap.reasons).size, lap.reasons.length)
        assert.ok(!lap.is_clean || lap.is_completed)
        assert.ok(!lap.is_completed || lap.time_s !== null)
      }
      const value = (name: string, row: number) => columns.byName.get(name)!.values[row]!
      for (let row = 0; row < columns.rows; row++) {
        const isGood =
          value('PlayerTrackSurface', row) !== -1 &&
          ['SessionTime', 'LapDistPct', 'Lat', 'Lon'].every(name => Number.isFinite(value(name, row))) &&
          value('LapDistPct', row) !== 0
        if (isGood) assert.ok(covered.has(row))
      }
    }),
    { numRuns: 1000 },
  )
})
