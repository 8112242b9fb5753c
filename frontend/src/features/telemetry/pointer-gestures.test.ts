import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bindGestures } from './pointer-gestures.ts'

/** An element at (10, 20) whose events the test sends, and a record of the gestures they make. */
function harness({ fingerPans = false, zoomIsUsed = true } = {}) {
  const element = Object.assign(new EventTarget(), {
    getBoundingClientRect: () => ({ left: 10, top: 20 }),
    setPointerCapture: () => {},
  }) as unknown as HTMLElement
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
  /** Positions are relative to the element. */
  function send(type: string, x: number, y: number, more: object = {}) {
    const event = Object.assign(new Event(type, { cancelable: true }), {
      clientX: x + 10,
      clientY: y + 20,
      pointerId: 1,
      pointerType: 'mouse',
      button: 0,
      ...more,
    })
    element.dispatchEvent(event)
    return event
  }
  return { seen, send, stop }
}

const finger = (pointerId = 1) => ({ pointerType: 'touch', pointerId })

test('a mouse hovers, and leaving empties the cursor', () => {
  const { seen, send } = harness()
  send('pointermove', 5, 6)
  send('pointerleave', 0, 0)
  assert.deepEqual(seen, ['hover 5,6', 'leave'])
})

test('pressing and letting go is a click, even with a hand that trembles', () => {
  const { seen, send } = harness()
  send('pointerdown', 50, 50)
  send('pointermove', 52, 51)
  send('pointerup', 52, 51)
  assert.deepEqual(seen, ['click 52,51'])
})

test('dragging pans and is no click', () => {
  const { seen, send } = harness()
  send('pointerdown', 50, 50)
  send('pointermove', 60, 50)
  send('pointermove', 65, 52)
  send('pointerup', 65, 52)
  assert.deepEqual(seen, ['pan 10,0', 'pan 5,2'])
})

test('other mouse buttons do nothing', () => {
  const { seen, send } = harness()
  send('pointerdown', 50, 50, { button: 2 })
  send('pointerup', 50, 50, { button: 2 })
  assert.deepEqual(seen, [])
})

test('the wheel zooms around the pointer and keeps the page from scrolling', () => {
  const { seen, send } = harness()
  const event = send('wheel', 30, 40, { deltaX: 0, deltaY: -100, deltaMode: 0, ctrlKey: false })
  assert.deepEqual(seen, ['zoom 1.17 at 30,40'])
  assert.equal(event.defaultPrevented, true)
})

test('a wheel that changes nothing scrolls the page', () => {
  const { send } = harness({ zoomIsUsed: false })
  const event = send('wheel', 30, 40, { deltaX: 0, deltaY: 100, deltaMode: 0, ctrlKey: false })
  assert.equal(event.defaultPrevented, false)
})

test('a sideways wheel pans', () => {
  const { seen, send } = harness()
  send('wheel', 30, 40, { deltaX: 12, deltaY: 1, deltaMode: 0, ctrlKey: false })
  assert.deepEqual(seen, ['pan -12,0'])
})

test('a double click resets the view', () => {
  const { seen, send } = harness()
  send('dblclick', 30, 40)
  assert.deepEqual(seen, ['reset'])
})

test('one finger scrubs sideways and leaves the cursor where it was lifted', () => {
  const { seen, send } = harness()
  send('pointerdown', 50, 50, finger())
  send('pointermove', 60, 51, finger())
  send('pointerup', 60, 51, finger())
  send('pointerleave', 60, 51, finger())
  assert.deepEqual(seen, ['hover 60,51'])
})

test('a finger that sets off upwards scrolls the page and moves no cursor', () => {
  const { seen, send } = harness()
  send('pointerdown', 50, 50, finger())
  send('pointermove', 51, 42, finger())
  send('pointermove', 70, 40, finger())
  send('pointercancel', 70, 40, finger())
  assert.deepEqual(seen, [])
})

test('one finger pans a view that is zoomed in', () => {
  const { seen, send } = harness({ fingerPans: true })
  send('pointerdown', 50, 50, finger())
  send('pointermove', 50, 40, finger())
  assert.deepEqual(seen, ['pan 0,-10'])
})

test('two fingers zoom around their middle and never click', () => {
  const { seen, send } = harness()
  send('pointerdown', 40, 50, finger(1))
  send('pointerdown', 60, 50, finger(2))
  send('pointermove', 80, 50, finger(2))
  send('pointerup', 80, 50, finger(2))
  send('pointerup', 40, 50, finger(1))
  assert.deepEqual(seen, ['zoom 2.00 at 60,50', 'pan 10,0'])
})

test('after it is stopped nothing is heard', () => {
  const { seen, send, stop } = harness()
  stop()
  send('pointermove', 5, 6)
  assert.deepEqual(seen, [])
})
