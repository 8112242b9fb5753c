import assert from 'node:assert/strict'
import { test } from 'node:test'
import { finger, pointerElement } from '#testing/pointer-element.ts'
import { bindGestures } from './pointer-gestures.ts'

/** Returns an element at (10, 20) that the test sends events to, and a record of their gestures. */
function harness({ fingerPans = false, zoomIsUsed = true } = {}) {
  const { element, send } = pointerElement()
  const seen: string[] = []
  const stop = bindGestures(element, {
    hover: point => seen.push(point ? `hover ${point.x},${point.y}` : 'leave'),
    click: point => seen.push(`click ${point.x},${point.y}`),
    pan: (byX, byY) => seen.push(`pan ${byX},${byY}`),
    zoom: (factor, { x, y }) => {
      seen.push(`zoom ${factor.toFixed(2)} at ${x},${y}`)
      return zoomIsUsed
    },
    reset: () => seen.push('reset'),
    fingerPans: () => fingerPans,
  })
  return { seen, send, stop }
}

test('hovers with a mouse, and empties the cursor when it leaves', () => {
  const { seen, send } = harness()
  send('pointermove', 5, 6)
  send('pointerleave', 0, 0)
  assert.deepEqual(seen, ['hover 5,6', 'leave'])
})

test('treats press and release as a click, even if the hand trembles', () => {
  const { seen, send } = harness()
  send('pointerdown', 50, 50)
  send('pointermove', 52, 51)
  send('pointerup', 52, 51)
  assert.deepEqual(seen, ['click 52,51'])
})

test('pans on a drag, which is no click', () => {
  const { seen, send } = harness()
  send('pointerdown', 50, 50)
  send('pointermove', 60, 50)
  send('pointermove', 65, 52)
  send('pointerup', 65, 52)
  assert.deepEqual(seen, ['pan 10,0', 'pan 5,2'])
})

test('ignores other mouse buttons', () => {
  const { seen, send } = harness()
  send('pointerdown', 50, 50, { button: 2 })
  send('pointerup', 50, 50, { button: 2 })
  assert.deepEqual(seen, [])
})

test('zooms around the pointer on the wheel, and the page does not scroll', () => {
  const { seen, send } = harness()
  const event = send('wheel', 30, 40, { deltaX: 0, deltaY: -100, deltaMode: 0, ctrlKey: false })
  assert.deepEqual(seen, ['zoom 1.17 at 30,40'])
  assert.equal(event.defaultPrevented, true)
})

test('scrolls the page if the wheel changes nothing', () => {
  const { send } = harness({ zoomIsUsed: false })
  const event = send('wheel', 30, 40, { deltaX: 0, deltaY: 100, deltaMode: 0, ctrlKey: false })
  assert.equal(event.defaultPrevented, false)
})

test('pans on a sideways wheel', () => {
  const { seen, send } = harness()
  send('wheel', 30, 40, { deltaX: 12, deltaY: 1, deltaMode: 0, ctrlKey: false })
  assert.deepEqual(seen, ['pan -12,0'])
})

test('resets the view on a double click', () => {
  const { seen, send } = harness()
  send('dblclick', 30, 40)
  assert.deepEqual(seen, ['reset'])
})

test('scrubs sideways with one finger, and the cursor stays when the finger is lifted', () => {
  const { seen, send } = harness()
  send('pointerdown', 50, 50, finger())
  send('pointermove', 60, 51, finger())
  send('pointerup', 60, 51, finger())
  send('pointerleave', 60, 51, finger())
  assert.deepEqual(seen, ['hover 60,51'])
})

test('scrolls the page and moves no cursor if a finger starts upwards', () => {
  const { seen, send } = harness()
  send('pointerdown', 50, 50, finger())
  send('pointermove', 51, 42, finger())
  send('pointermove', 70, 40, finger())
  send('pointercancel', 70, 40, finger())
  assert.deepEqual(seen, [])
})

test('pans a zoomed view with one finger', () => {
  const { seen, send } = harness({ fingerPans: true })
  send('pointerdown', 50, 50, finger())
  send('pointermove', 50, 40, finger())
  assert.deepEqual(seen, ['pan 0,-10'])
})

test('zooms around the middle of two fingers, and never clicks', () => {
  const { seen, send } = harness()
  send('pointerdown', 40, 50, finger(1))
  send('pointerdown', 60, 50, finger(2))
  send('pointermove', 80, 50, finger(2))
  send('pointerup', 80, 50, finger(2))
  send('pointerup', 40, 50, finger(1))
  assert.deepEqual(seen, ['zoom 2.00 at 60,50', 'pan 10,0'])
})

test('hears nothing after it is stopped', () => {
  const { seen, send, stop } = harness()
  stop()
  send('pointermove', 5, 6)
  assert.deepEqual(seen, [])
})
