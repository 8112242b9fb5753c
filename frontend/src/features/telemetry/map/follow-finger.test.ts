import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followFinger } from './follow-finger.ts'

/** Returns an element at (10, 20) that the test sends touches to, and where a finger was reported. */
function harness() {
  const element = Object.assign(new EventTarget(), {
    getBoundingClientRect: () => ({ left: 10, top: 20 }),
  }) as unknown as HTMLElement
  const seen: string[] = []
  const stop = followFinger(element, ({ x, y }) => seen.push(`${x},${y}`))
  /** Sends an event of fingers at positions relative to the element. Returns whether others see it. */
  function send(type: 'touchstart' | 'touchmove', ...fingers: readonly (readonly [number, number])[]) {
    let isPassedOn = true
    const event = Object.assign(new Event(type), {
      touches: fingers.map(([x, y]) => ({ clientX: x + 10, clientY: y + 20 })),
      stopPropagation: () => {
        isPassedOn = false
      },
    })
    element.dispatchEvent(event)
    return isPassedOn
  }
  return { seen, send, stop }
}

test('follows a finger that moves sideways, and hides it from the library', () => {
  const { seen, send } = harness()
  send('touchstart', [50, 50])
  assert.equal(send('touchmove', [52, 50]), false)
  assert.equal(send('touchmove', [60, 52]), false)
  send('touchmove', [60, 90])
  assert.deepEqual(seen, ['60,52', '60,90'])
})

test('leaves a finger that starts upwards, and two fingers, to the library', () => {
  const { seen, send } = harness()
  send('touchstart', [50, 50])
  assert.equal(send('touchmove', [51, 40]), true)
  assert.equal(send('touchmove', [90, 40]), true)
  send('touchstart', [50, 50], [80, 50])
  assert.equal(send('touchmove', [40, 50], [90, 50]), true)
  assert.deepEqual(seen, [])
})

test('follows no finger that is left of two, and none after it is stopped', () => {
  const { seen, send, stop } = harness()
  send('touchstart', [50, 50], [80, 50])
  send('touchmove', [70, 50])
  stop()
  send('touchstart', [50, 50])
  send('touchmove', [70, 50])
  assert.deepEqual(seen, [])
})
