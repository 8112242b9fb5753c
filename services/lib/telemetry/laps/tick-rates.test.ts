import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedIbtFiles, sharedIbtMissing } from '../../testing/shared-ibt.ts'
import { bytesSource } from '../byte-source.ts'
import type { Column, Columns } from '../columns.ts'
import { openIbt } from '../ibt/open-ibt.ts'
import { readColumns } from '../ibt/read-columns.ts'
import { channel, pickRows, syntheticLaps } from '../testing/synthetic-laps.ts'
import { findLaps } from './find-laps.ts'
import type { Lap } from './lap.ts'
import { LAP_CHANNELS } from './lap-channels.ts'

/** Returns the same drive with `hz` rows a second and a tick for each row. */
function resample(columns: Columns, hz: number): Columns {
  const time = columns.byName.get('SessionTime')!.values
  const pct = columns.byName.get('LapDistPct')!.values
  const rows = Math.floor((time[columns.rows - 1]! - time[0]!) * hz)
  const from = new Int32Array(rows)
  const share = new Float64Array(rows)
  for (let row = 0, a = 0; row < rows; row++) {
    const atS = time[0]! + row / hz
    while (a + 2 < columns.rows && time[a + 1]! <= atS) a++
    from[row] = a
    share[row] = (atS - time[a]!) / (time[a + 1]! - time[a]!)
  }
  const byName = new Map<string, Column>()
  for (const [name, column] of pickRows(columns, [...from]).byName) {
    const { values } = columns.byName.get(name)!
    for (let row = 0; row < rows; row++) {
      const a = from[row]!
      if (name === 'SessionTime') column.values[row] = time[0]! + row / hz
      else if (name === 'SessionTick') column.values[row] = 1000 + row
      else if (name.startsWith('LapDist')) column.values[row] = alongLap(values, a, share[row]!, pct)
      else if (SMOOTH.has(name)) column.values[row] = values[a]! + (values[a + 1]! - values[a]!) * share[row]!
    }
    byName.set(name, column)
  }
  return { rows, byName }
}

const SMOOTH: ReadonlySet<string> = new Set(['Speed', 'Lat', 'Lon'])

/** Across the line the distance goes to the end of the lap, then on from its start. */
function alongLap(values: ArrayLike<number>, a: number, share: number, pct: ArrayLike<number>): number {
  if (pct[a + 1]! > pct[a]! - 0.5) return values[a]! + (values[a + 1]! - values[a]!) * share
  const lap = values[a]! / pct[a]!
  const at = values[a]! + (lap + values[a + 1]! - values[a]!) * share
  return at < lap ? at : at - lap
}

const withoutClock = (columns: Columns): Columns => ({
  ...columns,
  byName: new Map([...columns.byName].filter(([name]) => name !== 'LapCurrentLapTime')),
})

const verdict = ({ lap, reasons, time_s, time_source, session_num }: Lap) => ({
  lap,
  reasons,
  timeMs: time_source === 'official' ? Math.round(time_s! * 1000) : null,
  session_num,
})

for (const hz of [20, 30, 50, 100, 120, 240, 360]) {
  test(`returns the same laps and verdicts at ${hz} Hz`, () => {
    const session = syntheticLaps({ lapTimesS: [30, 29.5, 31] })
    const laps = findLaps(resample(withoutClock(session.columns), hz), { ...session.facts, tickRateHz: hz })
    assert.deepEqual(laps.map(verdict), findLaps(session.columns, session.facts).map(verdict))
  })

  test(`returns the same laps of recorded files at ${hz} Hz`, { skip: sharedIbtMissing }, async () => {
    for (const { name, bytes } of sharedIbtFiles().filter(file => file.name.startsWith('laps/'))) {
      const file = await openIbt(bytesSource(bytes))
      const columns = await readColumns(
        file,
        LAP_CHANNELS.map(each => each.name),
      )
      const laps = findLaps(resample(withoutClock(columns), hz), { ...file.session, tickRateHz: hz })
      assert.deepEqual(laps.map(verdict), findLaps(columns, file.session).map(verdict), name)
    }
  })
}

test('returns the same laps for a file of every second row, whatever rate its header states', () => {
  const session = syntheticLaps({ lapTimesS: [30, 29.5, 31] })
  const rows = Array.from({ length: session.columns.rows >> 1 }, (_, i) => 2 * i)
  for (const tickRateHz of [30, 60]) {
    const laps = findLaps(pickRows(session.columns, rows), { ...session.facts, tickRateHz })
    assert.deepEqual(laps.map(verdict), findLaps(session.columns, session.facts).map(verdict))
  }
})

for (const tickRateHz of [61, 63, 66, 71]) {
  test(`TIME_MISMATCH: a clock scaled to ${tickRateHz} ticks a second, with a header that matches`, () => {
    const session = syntheticLaps({ lapTimesS: [30, 29.5, 31] })
    for (const name of ['SessionTime', 'LapLastLapTime', 'LapCurrentLapTime']) {
      const values = channel(session, name)
      for (let row = 0; row < values.length; row++) values[row] = (values[row]! * 60) / tickRateHz
    }
    const laps = findLaps(session.columns, { ...session.facts, tickRateHz })
    for (const lap of laps.slice(1, 4)) assert.ok(lap.reasons.includes('TIME_MISMATCH'), String(lap.reasons))
  })
}
