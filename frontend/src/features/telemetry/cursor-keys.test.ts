import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cursorKeyAction, type KeyPress, zoomKeyAction } from './cursor-keys.ts'

const lap = { row_start: 10, row_end: 410 }
// 0.3 % of the lap a row: from any row, the fourth after it is the first at least 1 % away.
const series = { lapDistPct: Float32Array.from({ length: 500 }, (_, row) => (row - 10) * 0.003) }

function press(key: string, row: number | null, modifiers: Partial<KeyPress> = {}) {
  const event = { key, shiftKey: false, altKey: false, ctrlKey: false, metaKey: false, ...modifiers }
  return cursorKeyAction(event, row, lap, series)
}

test('steps one sample on an arrow, and stops at both ends of the lap', () => {
  assert.deepEqual(press('ArrowRight', 20), { row: 21 })
  assert.deepEqual(press('ArrowUp', 20), { row: 21 })
  assert.deepEqual(press('ArrowLeft', 20), { row: 19 })
  assert.deepEqual(press('ArrowDown', 20), { row: 19 })
  assert.deepEqual(press('ArrowLeft', 10), { row: 10 })
  assert.deepEqual(press('ArrowRight', 410), { row: 410 })
})

test('steps from the lap’s first row if there is no cursor', () => {
  assert.deepEqual(press('ArrowRight', null), { row: 11 })
})

test('steps 1 % of the lap on Shift and an arrow, at most to its end', () => {
  assert.deepEqual(press('ArrowRight', 20, { shiftKey: true }), { row: 24 })
  assert.deepEqual(press('ArrowLeft', 24, { shiftKey: true }), { row: 20 })
  assert.deepEqual(press('ArrowRight', 409, { shiftKey: true }), { row: 410 })
  assert.deepEqual(press('ArrowLeft', 11, { shiftKey: true }), { row: 10 })
})

test('skips rows without a position in a large step', () => {
  const holes = { lapDistPct: series.lapDistPct.slice() }
  holes.lapDistPct[24] = Number.NaN
  const event = { key: 'ArrowRight', shiftKey: true, altKey: false, ctrlKey: false, metaKey: false }
  assert.deepEqual(cursorKeyAction(event, 20, lap, holes), { row: 25 })
})

test('jumps to the ends on Home and End, unlocks on Escape, plays on Space', () => {
  assert.deepEqual(press('Home', 20), { row: 10 })
  assert.deepEqual(press('End', 20), { row: 410 })
  assert.equal(press('Escape', 20), 'unlock')
  assert.equal(press(' ', 20), 'play')
})

test('locks on L and Enter, and goes to the corners before and after on Page Up and Page Down', () => {
  for (const key of ['l', 'L', 'Enter']) assert.equal(press(key, 20), 'lock')
  assert.deepEqual(press('PageDown', 20), { corner: 1 })
  assert.deepEqual(press('PageUp', 20), { corner: -1 })
  assert.equal(press('l', 20, { ctrlKey: true }), null)
})

test('ignores other keys and the browser’s own combinations', () => {
  assert.equal(press('Tab', 20), null)
  assert.equal(press('a', 20), null)
  for (const modifier of ['altKey', 'ctrlKey', 'metaKey'] as const) {
    assert.equal(press('ArrowLeft', 20, { [modifier]: true }), null)
  }
})

test('zooms the view on plus, minus and 0; with Ctrl the page zooms', () => {
  const zoom = (key: string, ctrlKey = false) =>
    zoomKeyAction({ key, shiftKey: false, altKey: false, ctrlKey, metaKey: false })
  assert.deepEqual(
    ['+', '=', '-', '0', 'x'].map(key => zoom(key)),
    ['in', 'in', 'out', 'reset', null],
  )
  assert.equal(zoom('+', true), null)
})
