import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedIbtFiles, sharedIbtMissing } from '../../testing/shared-ibt.ts'
import { bytesSource } from '../byte-source.ts'
import type { Columns, ColumnValues } from '../columns.ts'
import { openIbt } from '../ibt/open-ibt.ts'
import { readColumns } from '../ibt/read-columns.ts'
import { HZ, pickRows, syntheticLaps, without } from '../testing/synthetic-laps.ts'
import { findLaps } from './find-laps.ts'
import type { Lap } from './lap.ts'
import { LAP_CHANNELS } from './lap-channels.ts'
import type { LapFacts } from './lap-data.ts'

/** A session whose whole laps are clean as far as the file shows, to be made faster. */
interface Session {
  readonly name: string
  readonly columns: Columns
  readonly facts: LapFacts
}

const CHANNELS = LAP_CHANNELS.map(({ name }) => name)

async function recordedSessions(): Promise<Session[]> {
  const sessions = await Promise.all(
    sharedIbtFiles().map(async ({ name, bytes }) => {
      const file = await openIbt(bytesSource(bytes))
      return { name, columns: await readColumns(file, CHANNELS), facts: file.session }
    }),
  )
  return sessions.filter(({ columns, facts }) => completeLaps(columns, facts).length > 0)
}

/** Runs a test once with synthetic laps, and once with recorded ones. */
function testSessions(promise: string, check: (session: Session) => void): void {
  test(promise, () => check({ name: 'synthetic laps', ...syntheticLaps() }))
  test(`${promise}: recorded laps`, { skip: sharedIbtMissing }, async () => {
    const sessions = await recordedSessions()
    assert.ok(sessions.length > 0)
    for (const session of sessions) check(session)
  })
}

const completeLaps = (columns: Columns, facts: LapFacts): Lap[] =>
  findLaps(columns, facts).filter(lap => lap.is_completed)

const valuesOf = (columns: Columns, name: string): ColumnValues => columns.byName.get(name)!.values

/** Returns a copy of every column, for changes in place. */
const copyOf = (columns: Columns): Columns =>
  pickRows(
    columns,
    Array.from({ length: columns.rows }, (_, row) => row),
  )

/** Changes the time from one row on, every time of a lap included, to another clock. */
function retime(columns: Columns, laps: readonly Lap[], clock: (row: number) => number): void {
  const time = valuesOf(columns, 'SessionTime')
  const newTimeS = Float64Array.from(time, (_, row) => clock(row))
  const scores = columns.byName.get('LapLastLapTime')?.values
  const lapClock = columns.byName.get('LapCurrentLapTime')?.values
  for (const { row_start, row_end } of laps) {
    const wasS = time[row_end]! - time[row_start]!
    const saysS = newTimeS[row_end]! - newTimeS[row_start]!
    // The score of the lap, up to two seconds after it.
    if (scores !== undefined) {
      let row = row_end + 1
      while (row < columns.rows && scores[row] === scores[row_end]) row++
      for (const score = scores[row]; row < columns.rows && scores[row] === score; row++) {
        scores[row] = scores[row]! + saysS - wasS
      }
    }
    if (lapClock !== undefined) {
      for (let row = row_start; row <= row_end; row++) {
        lapClock[row] =
          lapClock[row]! + newTimeS[row]! - newTimeS[row_start]! - (time[row]! - time[row_start]!)
      }
    }
  }
  time.set(newTimeS)
}

/** Checks that every complete lap gets this reason after tampering. */
function testCaught(
  how: string,
  reason: 'TIME_MISMATCH' | 'IMPLAUSIBLE' | 'UNVERIFIABLE',
  tamper: (columns: Columns, laps: readonly Lap[]) => Columns,
): void {
  testSessions(`${reason}: ${how}`, ({ name, columns, facts }) => {
    const laps = completeLaps(columns, facts)
    const tampered = findLaps(tamper(copyOf(columns), laps), facts)
    for (const { lap } of laps) assertReason(tampered, lap, reason, name)
  })
}

function assertReason(
  laps: readonly Lap[],
  number: number,
  reason: Lap['reasons'][number],
  name: string,
): void {
  const lap = laps.find(other => other.lap === number && !other.reasons.includes('NO_OPEN'))
  assert.ok(lap?.reasons.includes(reason), `${name}, lap ${number}: ${lap?.time_fmt} ${lap?.reasons}`)
}

testSessions(
  'returns the same verdicts for an honest file, whatever rows are lost',
  ({ name, columns, facts }) => {
    const kept = Array.from({ length: columns.rows }, (_, row) => row).filter(row => row % 50 !== 7)
    const verdicts = (of: Columns) => completeLaps(of, facts).map(({ lap, reasons }) => ({ lap, reasons }))
    assert.deepEqual(verdicts(pickRows(columns, kept)), verdicts(columns), name)
  },
)

for (const scale of [0.9, 0.99, 0.995, 0.999, 1.005, 1.01]) {
  testCaught(`finds clocks of a file that are all scaled by ${scale}`, 'TIME_MISMATCH', (columns, laps) => {
    const time = valuesOf(columns, 'SessionTime').slice()
    retime(columns, laps, row => time[0]! + (time[row]! - time[0]!) * scale)
    return columns
  })
}

testCaught('finds 0.1 s removed from the steps of one second', 'TIME_MISMATCH', (columns, laps) => {
  const time = valuesOf(columns, 'SessionTime').slice()
  const gainS = new Float64Array(columns.rows)
  for (const { row_start, row_end } of laps) {
    const from = (row_start + row_end) >> 1
    gainS.fill(0.1 / HZ, from, from + HZ)
  }
  let gainedS = 0
  retime(columns, laps, row => {
    gainedS += gainS[row]!
    return time[row]! - gainedS
  })
  return columns
})

/** Returns the session without one row in `oneIn`; time and tick are closed over the hole. */
function closedUp(columns: Columns, oneIn: number): Columns {
  const kept = Array.from({ length: columns.rows }, (_, row) => row).filter(row => row % oneIn !== 7)
  const fewer = pickRows(columns, kept)
  const time = valuesOf(columns, 'SessionTime')
  const ticks = fewer.byName.get('SessionTick')?.values
  let goneS = 0
  kept.forEach((row, i) => {
    if (i > 0 && row !== kept[i - 1]! + 1) goneS += time[row]! - time[row - 1]!
    valuesOf(fewer, 'SessionTime')[i] = time[row]! - goneS
    if (ticks !== undefined) ticks[i] = 60_000 + i
  })
  return fewer
}

testCaught('finds removed rows with closed time, but an unchanged lap clock', 'TIME_MISMATCH', columns =>
  without(closedUp(columns, 200), 'LapLastLapTime'),
)

testCaught('finds removed rows with every clock closed', 'IMPLAUSIBLE', columns =>
  without(closedUp(columns, 200), 'LapLastLapTime', 'LapCurrentLapTime'),
)

testCaught('finds removed rows with closed clocks and frozen positions', 'UNVERIFIABLE', columns => {
  const fewer = without(closedUp(columns, 200), 'LapLastLapTime', 'LapCurrentLapTime')
  for (const name of ['Lat', 'Lon']) valuesOf(fewer, name).fill(valuesOf(fewer, name)[100]!)
  return fewer
})

for (const name of ['Lat', 'Lon']) {
  testCaught(`finds removed rows with closed clocks and without ${name}`, 'UNVERIFIABLE', columns => {
    const fewer = without(closedUp(columns, 200), 'LapCurrentLapTime', name)
    // LapLastLapTime has no value for any lap.
    valuesOf(fewer, 'LapLastLapTime').fill(0)
    return fewer
  })
}

for (const gainS of [0.05, 0.2]) {
  testSessions(
    `IMPLAUSIBLE: finds a lap that crosses the line ${gainS} s early by its LapDistPct`,
    ({ name, columns, facts }) => {
      for (const { lap, row_start, row_end } of completeLaps(columns, facts)) {
        const changed = without(copyOf(columns), 'LapLastLapTime', 'LapCurrentLapTime')
        const pct = valuesOf(changed, 'LapDistPct')
        const share = gainS / ((row_end - row_start) / HZ)
        // Farther ahead the nearer the line is, on both sides of it.
        for (let row = row_end - 600; row < row_end + 300 && row < columns.rows; row++) {
          const nearness = row <= row_end ? 1 - (row_end - row) / 600 : 1 - (row - row_end) / 300
          pct[row] = (pct[row]! + 1.4 * share * nearness) % 1
        }
        assertReason(findLaps(changed, facts), lap, 'IMPLAUSIBLE', name)
      }
    },
  )
}
