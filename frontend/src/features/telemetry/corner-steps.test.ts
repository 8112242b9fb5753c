import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPreview } from '#testing/a-preview.ts'
import { goToCorner, isChosen, nextCorner } from './corner-steps.ts'
import { createCursorStore } from './cursor-store.ts'
import { createDistanceViewStore } from './distance-view-store.ts'
import type { LapComparison } from './lap-comparison.ts'
import { mainSeries } from './lap-series.ts'

const aCorner = (number: number, apexM: number) => ({
  name: `Turn ${number}`,
  label: String(number),
  startM: apexM - 60,
  apexM,
  endM: apexM + 50,
})
const corners = [aCorner(1, 400), aCorner(2, 900), aCorner(3, 2500)]
const names = (...steps: readonly (readonly [number, 1 | -1])[]) =>
  steps.map(([fromM, direction]) => nextCorner(corners, fromM, direction)?.label)

test('finds the corner before and after a place, and goes round at the line', () => {
  assert.deepEqual(names([0, 1], [400, 1], [650, 1], [2600, 1]), ['1', '2', '2', '1'])
  assert.deepEqual(names([2600, -1], [900, -1], [650, -1], [100, -1]), ['3', '1', '1', '3'])
  assert.equal(nextCorner([], 100, 1), undefined)
})

function harness() {
  const preview = aPreview({ completeLaps: 2 })
  const main = mainSeries(preview, preview.laps[1]!)
  const [cursor, view] = [createCursorStore(), createDistanceViewStore()]
  const comparison: LapComparison = {
    reference: { ...mainSeries(preview, preview.laps[2]!), role: 'reference' },
    lengthM: 3200,
    delta: null,
    corners,
    incidents: [],
  }
  const go = (direction: 1 | -1) => goToCorner(direction, main, comparison, cursor, view)
  const metre = () => preview.lapDistPct[cursor.get().row!]! * 3200
  return { main, comparison, cursor, view, go, metre }
}

test('goes through all corners, with the view around each and the cursor at its apex', () => {
  const { view, go, metre } = harness()
  for (const { name, apexM, startM, endM } of [...corners, corners[0]!]) {
    assert.equal(go(1), true)
    const { chosen, minM, maxM } = view.get()!
    assert.equal(chosen?.name, name)
    assert.ok(minM < startM && maxM > endM)
    assert.ok(Math.abs(metre() - apexM) < 1, `${name}: ${metre()} m`)
  }
  go(-1)
  assert.equal(view.get()!.chosen?.name, 'Turn 3')
})

test('begins at the cursor if no corner is chosen', () => {
  const { main, cursor, view, go } = harness()
  cursor.hover(main.lap.row_end)
  go(-1)
  assert.equal(view.get()!.chosen?.name, 'Turn 3')
})

test('knows a chosen corner by its place, and neither an off in it nor the straight beside it', () => {
  const [first] = corners
  assert.ok(isChosen(first!, { name: 'Turn 1a', startM: first!.startM - 10, endM: first!.endM + 5 }))
  assert.equal(isChosen(first!, { name: 'Off in Turn 1', startM: 400, endM: 420 }), false)
  assert.equal(isChosen(first!, { name: 'Turn 1 to Turn 2', startM: first!.endM, endM: 840 }), false)
  assert.equal(isChosen(first!, undefined), false)
})

test('leaves the key to the page without corners', () => {
  const { main, comparison, cursor, view } = harness()
  assert.equal(goToCorner(1, main, null, cursor, view), false)
  assert.equal(goToCorner(1, main, { ...comparison, corners: [] }, cursor, view), false)
  assert.equal(view.get(), null)
})
