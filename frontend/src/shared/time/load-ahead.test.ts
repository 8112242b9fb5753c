import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createManualClock } from '#testing/manual-clock.ts'
import { loadAhead } from './load-ahead.ts'

function onPage({ savesData = false } = {}) {
  const target = new EventTarget()
  const clock = createManualClock()
  let loads = 0
  loadAhead({ target, after: clock.after, savesData }, () => loads++)
  return { clock, loads: () => loads, send: (sign: string) => target.dispatchEvent(new Event(sign)) }
}

for (const sign of ['pointermove', 'touchstart', 'keydown', 'focusin', 'dragenter']) {
  test(`loads once, at the first ${sign}, and not for other events`, async () => {
    const { clock, loads, send } = onPage()
    send('scroll')
    assert.equal(loads(), 0)
    send(sign)
    send(sign)
    send('pointerdown')
    await clock.advance(60_000)
    assert.equal(loads(), 1)
  })
}

test('loads after some seconds on a page that nobody uses', async () => {
  const { clock, loads, send } = onPage()
  await clock.advance(4_000)
  assert.equal(loads(), 0)
  await clock.advance(2_000)
  send('pointermove')
  assert.equal(loads(), 1)
})

test('loads only for a person who uses the page if they want to save data', async () => {
  const { clock, loads, send } = onPage({ savesData: true })
  await clock.advance(3_600_000)
  assert.equal(loads(), 0)
  send('pointermove')
  assert.equal(loads(), 1)
})
