import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import type { Locator, Page } from 'playwright-core'
import { compare, openSampleAsDriver, turnOn } from './compare.ts'
import { firstOther, press } from './first-other.ts'
import { lapwing } from './harness.ts'
import { screen } from './screen.ts'

const { visit } = lapwing({ reach: 'accounts', ownAddresses: true })
// The boards of these tests answer without a network. None of their laps is shared.
const offline = [/ERR_INTERNET_DISCONNECTED/, /dynamically imported module/, /Failed to fetch/, /\b404\b/]

test(
  'stays on the page whatever a driver presses without a network in compare mode, its menus and dialogs',
  visit(
    async page => {
      await openSampleAsDriver(page)
      await turnOn(page)
      await page.waitForLoadState('networkidle')
      // A page that was replaced, or loaded again, has lost it.
      await page.evaluate(() => Object.assign(window, { isSamePage: true }))
      await page.context().setOffline(true)
      // `openIfClosed` presses it.
      const names = new Set(['Try a sample session'])
      const inLayers = new Set<string>()
      for (;;) {
        const layer = layers(page).last()
        const isOpen = await layer.isVisible()
        if (!isOpen) await openIfClosed(page)
        const next = isOpen
          ? await firstOther(controls(layer), inLayers, { inDialogs: true })
          : await firstOther(controls(page), names)
        if (next === null) {
          if (!isOpen) break
          await page.keyboard.press('Escape')
          await layer.waitFor({ state: 'hidden' })
          continue
        }
        // The press before may only now have closed what this control belongs to.
        if (!(await press(next))) (isOpen ? inLayers : names).delete(next.name)
        assert.ok(await page.evaluate(() => 'isSamePage' in window), [...names, ...inLayers].at(-1))
        await page.getByRole('link', { name: 'Lapwing', exact: true, includeHidden: true }).waitFor()
      }
      assert.ok(names.size > 30, `${names.size} controls were pressed`)
      assert.ok(inLayers.size > 5, `${inLayers.size} controls of dialogs and menus were pressed`)
      assert.ok((await screen.laps(page).count()) > 0)
      assert.ok(await compare.toggle(page).isVisible())
    },
    { expected: offline },
  ),
)

/**
 * Opens the sample again after a press on "Close file", which may still be closing the session when this begins.
 * Presses once: a second press starts another worker, whose code this browser would load again.
 */
async function openIfClosed(page: Page) {
  let isPressed = false
  await until(async () => {
    if (await screen.laps(page).first().isVisible()) return true
    if (!isPressed && (await screen.trySample(page).isVisible())) {
      isPressed = true
      await screen.trySample(page).click()
    }
    return false
  }, 'the list of laps')
}

const layers = (page: Page) =>
  page
    .locator('[role="dialog"], [role="menu"], [role="listbox"]')
    // A session that is read.
    .filter({ hasNot: page.getByRole('progressbar') })

const controls = (within: Page | Locator) =>
  within.locator('button, a[href], input, [role="radio"], [role="option"], [role="menuitem"]')
