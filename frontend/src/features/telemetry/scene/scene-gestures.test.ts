import assert from 'node:assert/strict'
import { test } from 'node:test'
import { finger, pointerElement } from '#testing/pointer-element.ts'
import { bindSceneGestures } from './scene-gestures.ts'

/** Returns an element at (10, 20) that the test sends events to, and a record of their gestures. The mark is at (50, 50). */
function harness() {
  const { element, send } = pointerElement()
  const seen: string[] = []
  const stop = bindSceneGestures(element, {
    hover: point => seen.push(point ? `hover ${point.x},${point.y}` : 'leave'),
    click: point => seen.push(`click ${point.x},${point.y}`),
    orbit: (byX, byY) => seen.push(`orbit ${byX},${byY}`),
    pan: (byX, byY) => seen.push(`pan ${byX},${byY}`),
    zoom: factor => seen.push(`zoom ${factor.toFixed(2)}`),
    holdsCursor: ({ x, y }) => Math.hypot(x - 50, y - 50) < 10,
    dragCursor: point => seen.push(`drag ${point.x},${point.y}`),
    twist: byDeg => seen.push(`twist ${byDeg.toFixed(0)}`),
    reset: () => seen.push('reset'),
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
  send('pointerdown', 80, 50)
  send('pointermove', 82, 51)
  send('pointerup', 82, 51)
  assert.deepEqual(seen, ['click 82,51'])
})

test('orbits on a drag; pans on one with the right button or Shift', () => {
  for (const [more, gesture] of [
    [{}, 'orbit'],
    [{ button: 2 }, 'pan'],
    [{ shiftKey: true }, 'pan'],
  ] as const) {
    const { seen, send } = harness()
    send('pointerdown', 80, 50, more)
    send('pointermove', 90, 53, more)
    send('pointerup', 90, 53, more)
    assert.deepEqual(seen, [`${gesture} 10,3`])
  }
})

test('orbits with one finger, and pans, zooms and twists with two', () => {
  const { seen, send } = harness()
  send('pointerdown', 80, 90, finger(1))
  send('pointermove', 90, 90, finger(1))
  send('pointerdown', 110, 90, finger(2))
  send('pointermove', 130, 90, finger(2))
  send('pointermove', 90, 130, finger(2))
  assert.deepEqual(seen, ['orbit 10,0', 'zoom 2.00', 'twist 0', 'pan 10,0', 'zoom 1.00', 'pan -20,20'])
})

test('drags the cursor with a finger that starts at its mark, and does not scroll the page meanwhile', () => {
  const { seen, send } = harness()
  send('pointerdown', 52, 48, finger())
  assert.equal(send('touchstart', 52, 48).defaultPrevented, true)
  send('pointermove', 52, 30, finger())
  send('pointerup', 52, 30, finger())
  assert.deepEqual(seen, ['drag 52,30'])
  assert.equal(send('touchstart', 80, 90).defaultPrevented, false)
})

test('moves the camera with a second finger, although the first one holds the cursor', () => {
  const { seen, send } = harness()
  send('pointerdown', 50, 50, finger(1))
  send('pointerdown', 70, 50, finger(2))
  send('pointermove', 90, 50, finger(2))
  assert.deepEqual(seen, ['zoom 2.00', 'twist 0', 'pan 10,0'])
})

test('a mouse at the mark of the cursor orbits', () => {
  const { seen, send } = harness()
  send('pointerdown', 50, 50)
  send('pointermove', 60, 50)
  assert.deepEqual(seen, ['orbit 10,0'])
})

test('zooms on the wheel with Ctrl only, and resets on a double click', () => {
  const { seen, send } = harness()
  assert.equal(send('wheel', 30, 40, { deltaY: -100 }).defaultPrevented, false)
  assert.equal(send('wheel', 30, 40, { deltaY: -100, ctrlKey: true }).defaultPrevented, true)
  send('dblclick', 30, 40)
  assert.deepEqual(seen, ['zoom 2.72', 'reset'])
})

test('hears nothing after it is stopped', () => {
  const { seen, send, stop } = harness()
  stop()
  send('pointermove', 5, 6)
  assert.deepEqual(seen, [])
})
