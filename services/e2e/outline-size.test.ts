import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { desktop, lapwing } from './harness.ts'
import { show2d, show3d } from './map.ts'
import { openSample, screen } from './screen.ts'

const { visitTogether } = lapwing({ reach: 'page', hasMotion: true })
const together = visitTogether(openSample)

const windows = [
  { width: 1920, height: 1080 },
  { width: 1440, height: 900 },
  { width: 1366, height: 768 },
  { width: 1280, height: 800 },
  { width: 1024, height: 768 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
  { width: 360, height: 740 },
]

test(
  'makes the outline at least 320 px wide and 60 % as high as wide at every window size',
  together(async page => {
    for (const size of windows) {
      await page.setViewportSize(size)
      const { width, height } = await boxOf(screen.outline(page))
      assert.ok(width >= 320, `${width} px wide in a window of ${size.width} px`)
      assert.ok(Math.abs(height - 0.6 * width) < 1, `${width} × ${height} px in a window of ${size.width} px`)
      assert.ok(await isAsWideAsWindow(page), `a window of ${size.width} px scrolls sideways`)
    }
  }),
)

test(
  'shows all traces of a lap without scrolling at 1440 × 900 and 1920 × 1080 px',
  together(async page => {
    for (const size of [windows[0]!, windows[1]!]) {
      await page.setViewportSize(size)
      const traces = await boxOf(screen.traces(page))
      assert.ok(traces.y + traces.height <= size.height, `the traces end at ${traces.y + traces.height} px`)
      assert.ok(traces.width >= 480, `the traces are ${traces.width} px wide`)
    }
  }),
)

test(
  'folds the outline away for the traces, and remembers it',
  together(async page => {
    await page.setViewportSize({ width: 1440, height: 900 })
    const before = await boxOf(screen.traces(page))
    const fold = page.getByRole('button', { name: 'Outline chart' })
    await fold.focus()
    await page.keyboard.press('Enter')
    await screen.outline(page).waitFor({ state: 'hidden' })
    const after = await boxOf(screen.traces(page))
    assert.ok(after.y < before.y - 200, `from ${before.y} to ${after.y} px`)
    // The readout and the button that plays the lap stay.
    await page.getByRole('button', { name: 'Play the lap' }).waitFor()
    await page.reload()
    await screen.traces(page).waitFor()
    assert.equal(await fold.getAttribute('aria-expanded'), 'false')
    await fold.click()
    const { width, height } = await boxOf(screen.outline(page))
    assert.ok(Math.abs(height - 0.6 * width) < 1)
  }),
)

for (const [view, show, chart] of [
  ['2D', show2d, screen.map],
  ['3D', show3d, screen.scene],
] as const) {
  test(
    `gives the ${view} view the whole width of its card, and leaves the traces on the screen`,
    together(async page => {
      await page.setViewportSize(desktop)
      await show(page)
      for (const size of windows) {
        await page.setViewportSize(size)
        const card = await boxOf(page.getByRole('region', { name: 'Track Outline' }))
        const { y, width, height } = await boxOf(chart(page))
        const what = `${width} × ${height} px in a card of ${card.width} px, a window of ${size.width} px`
        assert.ok(width >= card.width - 30, what)
        assert.ok(height >= 250 && y + height < card.y + card.height, what)
        assert.ok(await isAsWideAsWindow(page), `a window of ${size.width} px scrolls sideways`)
        if (size.width < 768) continue
        const traces = await boxOf(screen.traces(page))
        assert.ok(traces.y < size.height - 60, `the traces begin at ${traces.y} px`)
      }
      await page.getByRole('radio', { name: 'Outline' }).click()
    }),
  )
}

/** Returns the box of an element that is laid out and no longer moves. */
async function boxOf(element: Locator) {
  await element.waitFor()
  let box = await element.boundingBox()
  for (;;) {
    const next = await element.evaluate(async node => {
      await new Promise(requestAnimationFrame)
      await new Promise(requestAnimationFrame)
      const { x, y, width, height } = node.getBoundingClientRect()
      return { x, y, width, height }
    })
    if (JSON.stringify(next) === JSON.stringify(box)) return next
    box = next
  }
}

function isAsWideAsWindow(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)
}
