import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import type { Locator, Page } from 'playwright-core'
import { stopClock } from './accounts.ts'
import { dropFiles } from './give-file.ts'
import { desktop, lapwing, phone } from './harness.ts'
import { openSample, openUsedVisit, screen, shownLaps } from './screen.ts'

const { visit, visitTogether } = lapwing({ reach: 'page' })
const together = visitTogether(openSample)

const separator = (page: Page) => page.getByRole('separator', { name: 'Height of the outline' })
const tracesCard = (page: Page) => page.getByRole('region', { name: 'Lap traces' })
const steering = (page: Page) => page.locator('[data-series="steeringWheelAngle"] [data-part="plot"]')

test(
  'gives the rest of the window to the traces at 1366, 1440 and 1920 px',
  together(async page => {
    for (const [width, height] of [
      [1366, 768],
      [1440, 900],
      [1920, 1080],
    ] as const) {
      await page.setViewportSize({ width, height })
      const { y, bottom } = await boxOf(tracesCard(page))
      // At 768 px the charts have their least height, so the axis can be below the fold.
      assert.ok(bottom > height - 16, `the traces end at ${bottom} px of ${height}`)
      assert.ok(
        bottom < height + 40,
        `the traces end at ${bottom} px of ${height}: lower heights in trace-channels.ts`,
      )
      const outline = await boxOf(screen.outline(page))
      assert.ok(height < 1000 ? y > outline.bottom : y < outline.y, 'beside the outline on a wide screen')
    }
    await page.setViewportSize(desktop)
  }),
)

test(
  'drags the outline lower for the traces, by pointer and by keys, and remembers it',
  together(async page => {
    const outline = await boxOf(screen.outline(page))
    const traces = await boxOf(screen.traces(page))
    const handle = await boxOf(separator(page))
    await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2)
    await page.mouse.down()
    await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2 - 100, { steps: 4 })
    await page.mouse.up()
    const smaller = await boxOf(screen.outline(page))
    const taller = await boxOf(screen.traces(page))
    assert.ok(
      Math.abs(outline.height - smaller.height - 100) < 4,
      `${outline.height} to ${smaller.height} px`,
    )
    assert.ok(Math.abs(taller.height - traces.height - 100) < 8, `${traces.height} to ${taller.height} px`)
    // The rows stretch the charts until each is drawn again at the size of its row.
    await page.waitForFunction(() =>
      [...document.querySelectorAll('[data-part="plot"]')].every(plot => {
        const { width, height } = plot.querySelector('canvas')!
        const ratio = devicePixelRatio
        return (
          width === Math.round(plot.clientWidth * ratio) && height === Math.round(plot.clientHeight * ratio)
        )
      }),
    )
    const share = Number(await separator(page).getAttribute('aria-valuenow'))
    assert.ok(share < 100 && share >= 35, `${share} %`)

    await page.reload()
    await screen.traces(page).waitFor()
    assert.equal(Number(await separator(page).getAttribute('aria-valuenow')), share)
    await separator(page).press('ArrowUp')
    assert.equal(Number(await separator(page).getAttribute('aria-valuenow')), share - 5)
    await separator(page).press('End')
    assert.equal(await separator(page).getAttribute('aria-valuenow'), '35')
    await separator(page).press('Home')
    assert.equal(await separator(page).getAttribute('aria-valuenow'), '100')
    assert.ok(Math.abs((await boxOf(screen.outline(page))).height - outline.height) < 1)
    await separator(page).press('ArrowUp')
    await separator(page).dblclick()
    assert.equal(await separator(page).getAttribute('aria-valuenow'), '100')
  }),
)

test(
  'shows the steering trace above the fold at 1440 × 900 px if the outline is folded',
  together(async page => {
    await page.getByRole('button', { name: 'Outline chart' }).click()
    const { bottom } = await boxOf(steering(page))
    assert.ok(bottom <= 900, `the trace ends at ${bottom} px`)
    await page.getByRole('button', { name: 'Outline chart' }).click()
    await screen.outline(page).waitFor()
  }),
)

test(
  'has two columns from 1024 px, and traces of at least 480 px',
  together(async page => {
    for (const width of [1024, 1152, 1279]) {
      await page.setViewportSize({ width, height: 800 })
      const laps = await boxOf(screen.selectedLap(page))
      const traces = await boxOf(screen.traces(page))
      const gauges = await boxOf(screen.gauges(page))
      assert.ok(traces.width >= 480, `${traces.width} px wide in a window of ${width} px`)
      assert.ok(laps.x < traces.x && gauges.y > 700, 'gauges in a strip below')
    }
    await page.setViewportSize(desktop)
  }),
)

test(
  'hides, orders and stretches the traces in a menu, by keys, and remembers it',
  together(async page => {
    await screen.traces(page).waitFor()
    const order = () =>
      page
        .locator('[data-part="plot"]')
        .evaluateAll(plots => plots.map(plot => plot.parentElement!.dataset.series))
    const before = await order()
    await page.getByRole('button', { name: 'Channels' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('checkbox', { name: 'RPM' }).press('Space')
    const up = page.getByRole('button', { name: 'Move Steering up' })
    await up.press('Enter')
    // The focus stays on the button of the moved row.
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Height of Speed' }).selectOption('3×')
    // Up by two: before RPM, which is hidden, and before the gear.
    const others = before.filter(series => series !== 'rpm' && series !== 'steeringWheelAngle')
    const wanted = others.toSpliced(others.indexOf('gear'), 0, 'steeringWheelAngle')
    await page.waitForFunction(
      series =>
        series ===
        [...document.querySelectorAll<HTMLElement>('[data-part="plot"]')]
          .map(plot => plot.parentElement!.dataset.series)
          .join(),
      wanted.join(),
    )
    const speed = await boxOf(page.locator('[data-series="speed"] [data-part="plot"]'))
    const brake = await boxOf(page.locator('[data-series="brake"] [data-part="plot"]'))
    assert.ok(speed.height > 5 * brake.height, `${speed.height} and ${brake.height} px`)

    await page.reload()
    await screen.traces(page).waitFor()
    assert.deepEqual(await order(), wanted)
    await page.getByRole('button', { name: 'Channels' }).click()
    await page.getByRole('button', { name: 'Reset the channels' }).click()
    assert.deepEqual(await order(), before)
    await page.keyboard.press('Escape')
  }),
)

const onPhone = { viewport: phone, hasTouch: true, isMobile: true } as const
const togetherOnPhone = visitTogether(openSample, onPhone)

test(
  'begins with the laps on a phone, keeps the gauges in view, and labels axes and icons',
  togetherOnPhone(async page => {
    await screen.gauges(page).waitFor()
    const laps = await boxOf(screen.selectedLap(page))
    const outline = await boxOf(screen.outline(page))
    assert.ok(laps.bottom < outline.y)
    for (const y of [0, 600, 5000]) {
      await page.evaluate(to => scrollTo(0, to), y)
      const gauges = await boxOf(screen.gauges(page))
      assert.ok(
        gauges.bottom <= phone.height + 1 && gauges.height <= 64,
        `${gauges.y} to ${gauges.bottom} px`,
      )
    }
    // At the end of the page the strip covers nothing.
    const end = await page.evaluate(() => {
      const cards = [...document.querySelectorAll('main section')]
      const strip = cards.find(card => card.textContent.includes('My Lap Telemetry'))!
      const others = cards.filter(card => card !== strip).map(card => card.getBoundingClientRect().bottom)
      return { others: Math.max(...others), strip: strip.getBoundingClientRect().top }
    })
    assert.ok(end.others <= end.strip, JSON.stringify(end))
    for (const word of ['Units', 'Theme', 'Chart', 'Play', 'Replace', 'Close']) {
      await page.getByText(word, { exact: true }).waitFor()
    }
    const plot = await boxOf(page.locator('[data-series="speed"] [data-part="plot"]'))
    const surface = await boxOf(screen.traces(page))
    assert.ok(surface.x - plot.x >= 30, 'the marks of the value axis have no room')
    await page.evaluate(() => scrollTo(0, 0))
  }),
)

test(
  'begins the first visit with the drop area on a phone, upright and on its side, before and after late code',
  visit(async page => {
    await page.goto('/')
    await screen.chooseFile(page).waitFor()
    for (const isLate of [false, true]) {
      if (isLate) await openUsedVisit(page)
      for (const [width, height] of [
        [390, 844],
        [844, 390],
      ] as const) {
        await page.setViewportSize({ width, height })
        const drop = await boxOf(screen.dropArea(page))
        for (const name of ['Laps', 'Leaderboard', 'My Lap Telemetry']) {
          const card = await boxOf(page.getByRole('region', { name, exact: true }))
          assert.ok(drop.bottom <= card.y && drop.x === card.x, `${name} at ${card.x}, ${card.y} px`)
        }
      }
    }
  }, onPhone),
)

test(
  'shows the traces beside the outline on a phone on its side',
  togetherOnPhone(async page => {
    await page.setViewportSize({ width: phone.height, height: phone.width })
    const outline = await boxOf(screen.outline(page))
    const traces = await boxOf(screen.traces(page))
    assert.ok(traces.x >= outline.x + outline.width && traces.y < outline.bottom)
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    await page.setViewportSize(phone)
  }),
)

test(
  'puts no button of the toolbar alone in a row on a phone',
  togetherOnPhone(async page => {
    for (const [width, height, rows] of [
      [390, 844, 3],
      [360, 740, 3],
      [844, 390, 2],
    ] as const) {
      await page.setViewportSize({ width, height })
      const card = page.getByRole('region', { name: 'Track Outline' })
      const controls = card.locator('button:visible, [role=combobox]:visible')
      const lines = new Map<number, number>()
      for (const control of await controls.all()) {
        const { y, height, bottom } = await boxOf(control)
        if (bottom > (await boxOf(screen.outline(page))).y) continue
        const middle = Math.round((y + height / 2) / 4)
        lines.set(middle, (lines.get(middle) ?? 0) + 1)
      }
      assert.equal(lines.size, rows, `${width} px: ${JSON.stringify([...lines])}`)
      assert.ok(
        [...lines.values()].every(count => count >= 2),
        `${width} px: ${JSON.stringify([...lines])}`,
      )
    }
    await page.setViewportSize(phone)
  }),
)

test(
  'shows the figures of a single lap in the right column, and the table instead if laps are compared',
  together(async page => {
    const card = page.getByRole('region', { name: 'Lap figures' })
    await card.waitFor()
    const figures = await card.locator('div:has(> dt)').allTextContents()
    const times = figures
      .filter(text => text.startsWith('Sector'))
      .map(text => text.replace(/^Sector \d+/, ''))
    assert.ok(times.length >= 2, figures.join())
    const sumMs = times.map(msOf).reduce((sum, ms) => sum + ms, 0)
    const best = (await shownLaps(page))[0]!.split(' ')[2]!
    assert.equal(sumMs, msOf(best), `${times.join(' + ')} is not ${best}`)
    for (const name of ['Top speed', 'Fuel used', 'Tyres, front', 'Tyres, rear', 'Track', 'Incidents']) {
      assert.equal(figures.filter(text => text.startsWith(name)).length, 1, name)
    }
    assert.ok((await boxOf(card)).x > (await boxOf(screen.traces(page))).x)
  }),
)

test(
  'keeps readouts above the toasts, and lets Tab pass them',
  visit(
    async page => {
      await page.clock.install()
      await openSample(page)
      await stopClock(page)
      await dropFiles(page, { name: 'notes.txt', bytes: new Uint8Array(8) })
      await page.clock.runFor(1000)
      const toast = screen.toast(page).first()
      for (const width of [1440, 1024, 390]) {
        await page.setViewportSize({ width, height: 844 })
        const { y, bottom } = await toast
          .boundingBox()
          .then(box => ({ ...box!, bottom: box!.y + box!.height }))
        assert.ok(bottom <= 844)
        const gauges = (await screen.gauges(page).boundingBox())!
        assert.ok(
          gauges.y + gauges.height <= y,
          `gauges end at ${gauges.y + gauges.height}, toast at ${y} px`,
        )
      }
      await page.setViewportSize({ width: 1440, height: 900 })
      const traces = (await tracesCard(page).boundingBox())!
      const { x } = (await toast.boundingBox())!
      assert.ok(
        traces.x + traces.width <= x,
        `the traces end at ${traces.x + traces.width}, toast at ${x} px`,
      )

      const focused = () =>
        page.evaluate(() => {
          const element = document.activeElement
          if (element?.closest('[data-sonner-toaster]')) return 'toast'
          return element?.getAttribute('aria-label') ?? element?.textContent ?? ''
        })
      await toast.focus()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      const seen: string[] = []
      for (let presses = 0; presses < 4; presses++) {
        seen.push(await focused())
        await page.keyboard.press('Tab')
      }
      assert.ok(!seen.slice(1).includes('toast'), seen.join(', '))
      assert.ok(new Set(seen).size >= 3, seen.join(', '))
    },
    { reducedMotion: 'reduce' },
  ),
)

test(
  'covers no value that was visible below the top of the page, in windows without room beside the traces',
  visit(
    async page => {
      await page.clock.install()
      await openSample(page)
      await tracesCard(page).locator('[data-part="chip"]').first().waitFor()
      await stopClock(page)
      const chips = () =>
        page.evaluate(() => {
          const strip = document.querySelector('.session-gauges')!.getBoundingClientRect()
          const toasts = [...document.querySelectorAll('[data-sonner-toast]')]
          const chips = [...document.querySelectorAll('[data-part="chip"]')].map(chip =>
            chip.getBoundingClientRect(),
          )
          return {
            isVisible: chips.map(({ bottom }) => bottom <= strip.top),
            stripBottom: strip.bottom,
            toastTop: Math.min(innerHeight, ...toasts.map(toast => toast.getBoundingClientRect().top)),
            heightPx: document.documentElement.scrollHeight,
          }
        })
      for (const [width, height] of [
        [1024, 640],
        [844, 390],
        [390, 844],
      ] as const) {
        await page.setViewportSize({ width, height })
        // A toast below the pointer would stay.
        await page.mouse.move(2, 2)
        await page.clock.runFor(1000)
        // The third row is the last one above the strip.
        await page.evaluate(() => {
          const strip = document.querySelector('.session-gauges')!.getBoundingClientRect()
          const third = document.querySelectorAll('[data-part="chip"]')[2]!.getBoundingClientRect()
          scrollBy(0, third.bottom - strip.top + 4)
        })
        assert.ok((await page.evaluate(() => scrollY)) > 0)
        const before = await chips()
        assert.ok(before.isVisible[2] && before.isVisible.includes(false), JSON.stringify(before))
        await dropFiles(page, { name: 'notes.txt', bytes: new Uint8Array(8) })
        await page.clock.runFor(1000)
        await until(async () => (await chips()).stripBottom < before.stripBottom, 'the lane')
        const during = await chips()
        assert.ok(during.stripBottom <= during.toastTop && during.toastTop < height, JSON.stringify(during))
        assert.deepEqual(during.isVisible, before.isVisible, `${width} px`)
        await page.clock.runFor(8000)
        await until(async () => (await chips()).stripBottom === before.stripBottom, 'the end of the lane')
        assert.deepEqual(await chips(), before)
      }
    },
    { reducedMotion: 'reduce' },
  ),
)

test(
  'does not move the page for a toast at its top, nor back if a driver has scrolled meanwhile',
  visit(
    async page => {
      await page.clock.install()
      await openSample(page)
      await stopClock(page)
      const scrolled = () => page.evaluate(() => scrollY)
      const showToast = async () => {
        await dropFiles(page, { name: 'notes.txt', bytes: new Uint8Array(8) })
        await page.clock.runFor(1000)
        await screen.toast(page).first().waitFor()
      }
      const untilGone = async () => {
        await page.clock.runFor(8000)
        await screen.toast(page).first().waitFor({ state: 'detached' })
      }
      await showToast()
      assert.equal(await scrolled(), 0)
      await untilGone()
      assert.equal(await scrolled(), 0)

      await page.evaluate(() => scrollTo(0, 200))
      await showToast()
      await until(async () => (await scrolled()) > 200, 'the page scrolls')
      await page.evaluate(() => scrollTo(0, 150))
      await untilGone()
      assert.equal(await scrolled(), 150)
    },
    { viewport: { width: 1024, height: 768 }, reducedMotion: 'reduce' },
  ),
)

test(
  'is dark on the first visit, whatever the system prefers',
  visit(
    async page => {
      await page.goto('/')
      await screen.chooseFile(page).waitFor()
      assert.equal(await screen.themeSwitch(page).getAttribute('aria-checked'), 'true')
      const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
      assert.equal(background, 'rgb(11, 14, 19)')
      assert.equal(await page.locator('meta[name="color-scheme"]').getAttribute('content'), 'dark')
    },
    { colorScheme: 'light' },
  ),
)

/** Returns "1:14.246" as milliseconds. */
function msOf(time: string): number {
  const [minutes, seconds] = time.split(':')
  return Math.round(1000 * (60 * Number(minutes) + Number(seconds)))
}

/** Returns the box of an element that no longer moves. */
async function boxOf(element: Locator) {
  await element.waitFor()
  const read = () =>
    element.evaluate(async node => {
      await new Promise(requestAnimationFrame)
      await new Promise(requestAnimationFrame)
      const { x, y, width, height, bottom } = node.getBoundingClientRect()
      return { x, y, width, height, bottom }
    })
  let box = await read()
  for (;;) {
    const next = await read()
    if (JSON.stringify(next) === JSON.stringify(box)) return next
    box = next
  }
}
