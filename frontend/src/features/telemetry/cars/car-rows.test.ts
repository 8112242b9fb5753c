import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPreview } from '#testing/a-preview.ts'
import { createCursorStore } from '../cursor-store.ts'
import { clockOf } from '../lap-clock.ts'
import type { LapComparison } from '../lap-comparison.ts'
import { mainSeries } from '../lap-series.ts'
import { rowAtTime, secondsAt } from '../lap-time.ts'
import { rowAtSamePosition } from '../same-position.ts'
import { carRows } from './car-rows.ts'

const preview = aPreview({ completeLaps: 2 })
const main = mainSeries(preview, preview.laps[1]!)
const reference = { ...mainSeries(preview, preview.laps[2]!), role: 'reference' as const }
const comparison: LapComparison = { reference, lengthM: 3200, delta: null, corners: [], incidents: [] }
const row = main.lap.row_start + 900

test('without the clock, both cars are at the position of the cursor', () => {
  const cursor = createCursorStore()
  cursor.hover(row)
  assert.deepEqual(carRows(cursor, main, comparison), {
    lap: row,
    reference: rowAtSamePosition(main, row, reference),
    isRacing: false,
  })
})

test('with the clock, both cars are at their places of its time, between two rows', () => {
  const cursor = createCursorStore()
  const timeS = secondsAt(main, row) + 0.004
  clockOf(cursor).seek(main, timeS)
  const rows = carRows(cursor, main, comparison)
  assert.deepEqual(rows, {
    lap: rowAtTime(main, timeS),
    reference: rowAtTime(reference, timeS),
    isRacing: true,
  })
  assert.ok(rows.lap! > row && rows.lap! < row + 1)
})

test('one lap alone has one car, and no lap or no cursor has none', () => {
  const cursor = createCursorStore()
  assert.deepEqual(carRows(cursor, main, comparison), { lap: null, reference: null, isRacing: false })
  cursor.hover(row)
  assert.deepEqual(carRows(cursor, main, null), { lap: row, reference: null, isRacing: false })
  assert.deepEqual(carRows(cursor, null, null), { lap: null, reference: null, isRacing: false })
})
