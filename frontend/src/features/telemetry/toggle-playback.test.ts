import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPreview } from '#testing/a-preview.ts'
import { createCursorStore } from './cursor-store.ts'
import { createDistanceViewStore } from './distance-view-store.ts'
import { clockOf } from './lap-clock.ts'
import { mainSeries } from './lap-series.ts'
import { togglePlayback } from './toggle-playback.ts'

function harness() {
  Object.assign(globalThis, { requestAnimationFrame: () => 1 })
  const preview = aPreview({ completeLaps: 2 })
  const main = mainSeries(preview, preview.laps[1]!)
  const [cursor, view] = [createCursorStore(), createDistanceViewStore()]
  const metre = () => preview.lapDist[cursor.get().row!]!
  return { main, cursor, view, metre, toggle: () => togglePlayback(main, cursor, view) }
}

test('begins with the part of the lap that is shown', () => {
  const { main, cursor, view, metre, toggle } = harness()
  view.set({ minM: 800, maxM: 1100 })
  cursor.hover(main.lap.row_start + 10)
  toggle()
  assert.ok(Math.abs(metre() - 800) < 2, `${metre()} m`)
  assert.equal(clockOf(cursor).get().isPlaying, true)
  toggle()
  assert.equal(clockOf(cursor).get().isPlaying, false)
})

test('begins at a cursor that is in the part, and at the line without one', () => {
  const inside = harness()
  inside.view.set({ minM: 0, maxM: 400 })
  inside.cursor.hover(inside.main.lap.row_start + 100)
  inside.toggle()
  assert.equal(inside.cursor.get().row, inside.main.lap.row_start + 100)
  const whole = harness()
  whole.toggle()
  assert.equal(whole.cursor.get().row, whole.main.lap.row_start)
})
