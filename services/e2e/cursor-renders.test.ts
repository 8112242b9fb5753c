import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import type { Page } from 'playwright-core'
import { compare, openSampleAsDriver, turnOn } from './compare.ts'
import { lapwing } from './harness.ts'
import { show2d, show3d } from './map.ts'
import { openSample, screen } from './screen.ts'

/** The cursor lives in a store outside React: its moves change canvases and elements, and no component. */
const { visit } = lapwing({ reach: 'accounts', ownAddresses: true, hasMotion: true })

/** Counts what React renders, as its developer tools see it. Must run before the page loads. */
async function countRenders(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const counted = Object.assign(window, { renders: 0 })
    Object.assign(window, {
      __REACT_DEVTOOLS_GLOBAL_HOOK__: {
        supportsFiber: true,
        inject: () => 1,
        onCommitFiberRoot: () => counted.renders++,
        onCommitFiberUnmount() {},
        onPostCommitFiberRoot() {},
      },
    })
  })
  return () =>
    page.evaluate(async () => {
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
      return (window as unknown as { renders: number }).renders
    })
}

/** Waits until nothing is rendered any more: code that loads late renders, too. */
async function untilQuiet(page: Page, renders: () => Promise<number>): Promise<number> {
  await page.waitForLoadState('networkidle')
  for (let before = -1; ; ) {
    const now = await renders()
    if (now === before) return now
    before = now
  }
}

/**
 * Waits until nothing is rendered while `act` runs. What the page searches or loads meanwhile can render once more; a
 * component that follows the cursor renders each time.
 */
async function rendersNothing(page: Page, renders: () => Promise<number>, act: () => Promise<void>) {
  await until(async () => {
    const before = await untilQuiet(page, renders)
    assert.ok(before > 0)
    await act()
    return (await renders()) === before
  }, 'nothing is rendered')
}

const views = {
  'the outline': { show: async () => {}, view: screen.outline },
  '2D': { show: show2d, view: screen.map },
  '3D': { show: show3d, view: screen.scene },
} as const

for (const [name, { show, view }] of Object.entries(views)) {
  test(
    `renders no component while the cursor moves over ${name}, the traces and by keys, nor while cars drive`,
    visit(async page => {
      const renders = await countRenders(page)
      await openSampleAsDriver(page)
      await turnOn(page)
      await compare.gauges(page).waitFor()
      await show(page)
      const surface = view(page)
      await surface.press('Home')

      const text = () => surface.getAttribute('aria-valuetext')
      await rendersNothing(page, renders, async () => {
        const seen = new Set([await text()])
        for (let step = 0; step < 10; step++) await surface.press('Shift+ArrowRight')
        seen.add(await text())
        const boxes = [(await surface.boundingBox())!, (await screen.traces(page).boundingBox())!]
        for (const { x, y, width, height } of boxes) {
          for (const share of [0.3, 0.4, 0.5, 0.6]) {
            await page.mouse.move(x + share * width, y + 0.4 * height)
            seen.add(await text())
          }
        }
        // The moves arrived.
        assert.ok(seen.size > 4, [...seen].join('\n'))
      })

      await page.getByRole('button', { name: 'Play the lap' }).click()
      await page.getByRole('button', { name: 'Pause the lap' }).waitFor()
      await rendersNothing(page, renders, async () => {
        await surface.evaluate(
          async (element, before) => {
            while (element.getAttribute('aria-valuetext') === before) await new Promise(requestAnimationFrame)
          },
          await text(),
        )
      })
    }),
  )
}

test(
  'renders no component while the shown part of the lap moves',
  visit(async page => {
    const renders = await countRenders(page)
    await openSample(page)
    const traces = screen.traces(page)
    await traces.press('+')
    const range = page.getByText(/^\d\.\d\d–\d\.\d\d km$/)
    const start = await range.textContent()
    const { x, y, width, height } = (await traces.boundingBox())!
    await page.mouse.move(x + 0.5 * width, y + 0.4 * height)
    await page.mouse.down()
    let to = 0.4
    await rendersNothing(page, renders, async () => {
      to = 0.7 - to
      await page.mouse.move(x + to * width, y + 0.4 * height, { steps: 8 })
    })
    assert.notEqual(await range.textContent(), start)
    await page.mouse.up()
  }),
)

test(
  'starts no transition while the cursor moves, for a driver who wants less motion',
  visit(
    async page => {
      await openSample(page)
      const { x, y, width, height } = (await screen.traces(page).boundingBox())!
      await page.evaluate(() => {
        const counted = Object.assign(window, { transitions: 0 })
        addEventListener('transitionrun', () => counted.transitions++)
      })
      await page.mouse.move(x + 0.3 * width, y + 0.4 * height)
      await page.mouse.move(x + 0.6 * width, y + 0.4 * height, { steps: 8 })
      const transitions = await page.evaluate(async () => {
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
        return (window as unknown as { transitions: number }).transitions
      })
      assert.equal(await screen.traces(page).getAttribute('data-cursor'), 'free')
      assert.equal(transitions, 0)
    },
    { reducedMotion: 'reduce' },
  ),
)
