import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { stopClock } from './accounts.ts'
import { dropFiles } from './give-file.ts'
import { desktop, lapwing } from './harness.ts'
import { openSample, screen, shownLaps } from './screen.ts'

// The figures of the specification on the screen.
const { visit, visitTogether } = lapwing({ reach: 'page' })
const together = visitTogether(openSample)

const notTelemetry = { name: 'notes.txt', bytes: new Uint8Array(8) }

test(
  'shows a toast bottom-right for 4 s, and at most 20 at the same time',
  visit(async page => {
    await page.clock.install()
    await openSample(page)
    await stopClock(page)
    const visible = screen.toast(page).and(page.locator('[data-visible="true"]'))
    const show = async (count: number) => {
      for (let shown = 0; shown < count; shown++) await dropFiles(page, notTelemetry)
      // The toaster draws with its own timers; none takes as long.
      await page.clock.runFor(300)
    }
    await show(1)
    await visible.waitFor()
    const { x, y, width, height } = (await visible.boundingBox())!
    const { width: windowWidth, height: windowHeight } = page.viewportSize()!
    assert.ok(x > windowWidth / 2 && windowWidth - (x + width) < 40, `from ${x} to ${x + width} px`)
    assert.ok(y > windowHeight / 2 && windowHeight - (y + height) < 40, `from ${y} to ${y + height} px`)

    await page.clock.runFor(3600)
    assert.equal(await visible.count(), 1, 'it went before its 4 s')
    await page.clock.runFor(1000)
    await visible.waitFor({ state: 'detached' })

    await show(22)
    assert.equal(await visible.count(), 20)
  }),
)

test(
  'zooms from 0.6 to 4 by buttons and by keys, and fits the lap again with Reset view',
  together(async page => {
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const zoom = page.getByRole('group', { name: 'Zoom' }).getByRole('status')
    const pressUntilItRests = async (control: Locator) => {
      for (let presses = 0; (await control.getAttribute('aria-disabled')) !== 'true'; presses++) {
        assert.ok(presses < 20, 'the zoom has no end')
        await control.click()
      }
    }
    await zoom.getByText('1.0×').waitFor()
    await pressUntilItRests(button('Zoom in'))
    await zoom.getByText('4.0×').waitFor()
    await pressUntilItRests(button('Zoom out'))
    await zoom.getByText('0.6×').waitFor()
    await button('Reset view').click()
    await zoom.getByText('1.0×').waitFor()
    await screen.outline(page).press('+')
    await zoom.getByText('1.3×').waitFor()
    await screen.outline(page).press('0')
    await zoom.getByText('1.0×').waitFor()
  }),
)

test(
  'shows the lap and the share of its distance when hovering the outline',
  together(async page => {
    const [first] = await shownLaps(page)
    const lap = first!.split(' ').slice(0, 2).join(' ')
    const shares = new Set<string>()
    const { width, height } = (await screen.outline(page).boundingBox())!
    for (const [x, y] of [[0.3, 0.5] as const, [0.7, 0.5] as const, [0.5, 0.9] as const]) {
      await screen.outline(page).hover({ position: { x: x * width, y: y * height } })
      const readout = page.getByText(/^Lap \d+ · \d+\.\d % of lap/)
      const words = (await readout.textContent())!
      assert.ok(words.startsWith(`${lap} · `), words)
      shares.add(words)
    }
    assert.equal(shares.size, 3, 'the readout follows the pointer')
  }),
)

test(
  'colours throttle green and brake red above 0.02, RPM amber from 75 % and red from 85 %',
  together(async page => {
    const seen = new Set<string>()
    await screen.traces(page).focus()
    await page.keyboard.press('Home')
    for (let step = 0; step < 100; step++) {
      const { throttle, brake, rpm } = await gauges(page)
      // Percentages are whole: 2 can be either side of the threshold.
      if (throttle.value !== 2) seen.add(`throttle ${throttle.value > 2} ${throttle.colour}`)
      if (brake.value !== 2) seen.add(`brake ${brake.value > 2} ${brake.colour}`)
      const band = rpm.value >= 6800 ? 'red' : rpm.value >= 6000 ? 'amber' : 'below'
      seen.add(`rpm ${band} ${rpm.colour}`)
      await page.keyboard.press('Shift+ArrowRight')
    }
    assert.deepEqual([...seen].sort(), [
      'brake false rgb(152, 163, 179)',
      'brake true rgb(239, 68, 68)',
      'rpm amber rgb(245, 158, 11)',
      'rpm below rgb(45, 212, 191)',
      'rpm red rgb(248, 113, 113)',
      'throttle false rgb(152, 163, 179)',
      'throttle true rgb(16, 185, 129)',
    ])
  }),
)

test(
  'has three columns from 1280 px, two from 768 px and one below; the title leaves the header’s line',
  together(async page => {
    const shapeAt = async (width: number) => {
      await page.setViewportSize({ width, height: 900 })
      const [brand, title, laps, outline, gauges] = await Promise.all(
        [
          page.getByRole('link', { name: 'Lapwing', exact: true }),
          page.getByRole('heading', { level: 1 }),
          screen.selectedLap(page),
          screen.outline(page),
          screen.gauges(page),
        ].map(async element => (await element.boundingBox())!),
      )
      return {
        title: title!.y < brand!.y + brand!.height ? 'beside the logo' : 'below the logo',
        laps: laps!.x + laps!.width <= outline!.x ? 'left of the outline' : 'above the outline',
        gauges: gauges!.x >= outline!.x + outline!.width ? 'right of the outline' : 'below the outline',
      }
    }
    const wide = { title: 'beside the logo', laps: 'left of the outline', gauges: 'right of the outline' }
    const middling = { title: 'beside the logo', laps: 'left of the outline', gauges: 'below the outline' }
    const narrow = { title: 'below the logo', laps: 'above the outline', gauges: 'below the outline' }
    assert.deepEqual(await shapeAt(1280), wide)
    assert.deepEqual(await shapeAt(1279), middling)
    assert.deepEqual(await shapeAt(1024), middling)
    assert.deepEqual(await shapeAt(1023), { ...middling, title: 'below the logo' })
    assert.deepEqual(await shapeAt(768), { ...middling, title: 'below the logo' })
    assert.deepEqual(await shapeAt(767), narrow)
    await page.setViewportSize(desktop)
  }),
)

/** Returns the texts of the gauges and the colours of their bars, after the next frame. */
function gauges(page: Page) {
  return screen.gauges(page).evaluate(async card => {
    await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
    await Promise.all(card.getAnimations({ subtree: true }).map(animation => animation.finished))
    const gauge = (name: string) => ({
      value: Number(card.querySelector(`[data-gauge="${name}"]`)!.ariaValueNow),
      colour: getComputedStyle(card.querySelector(`[data-gauge="${name}-bar"]`)!).backgroundColor,
    })
    return { throttle: gauge('throttle'), brake: gauge('brake'), rpm: gauge('rpm') }
  })
}

test(
  'marks shift light and red line of the car on a scale of 8000 rpm',
  together(async page => {
    const meter = screen.gauges(page).getByRole('meter', { name: 'Engine speed' })
    assert.equal(await meter.getAttribute('aria-valuemax'), '8000')
    await screen.gauges(page).getByText('Shift 7150, red line 7500', { exact: true }).waitFor()
    const shares = await meter
      .locator('span')
      .evaluateAll(marks => marks.map(mark => Number.parseFloat((mark as HTMLElement).style.left)))
    assert.deepEqual(shares, [89.375, 93.75])
  }),
)
