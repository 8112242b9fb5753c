import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { testInBothThemes } from './axe-in-both-themes.ts'
import { compare, openSampleAsDriver, sample, sampleLaps, trackOf, turnOn } from './compare.ts'
import { lapwing } from './harness.ts'
import { moveCursor, show2d, show3d } from './map.ts'
import { screen } from './screen.ts'

/** Two laps as two cars, by the time since the line: on the outline, on the map and on the ground. */
const stack = lapwing({ reach: 'accounts', ownAddresses: true, hasMotion: true })
const { visitTogether } = stack

const play = (page: Page) => page.getByRole('button', { name: 'Play the lap' })
const pause = (page: Page) => page.getByRole('button', { name: 'Pause the lap' })
const scrub = (page: Page) => page.getByRole('slider', { name: 'Time of the lap' })
const follow = (page: Page) => page.getByRole('button', { name: 'Follow the car' })

const [fastest, , third] = sampleLaps

/** Selects the third lap, beside the fastest. */
async function openComparison(page: Page): Promise<void> {
  await openSampleAsDriver(page)
  await turnOn(page)
  await screen.laps(page).nth(2).click()
  await compare.gauges(page).getByText(`Lap ${fastest!.lap}`, { exact: true }).waitFor()
}

const comparing = visitTogether(openComparison)

/** Ends the clock and the view, so that the next test starts as after `openComparison`. */
async function leave(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Outline' }).click()
  const outline = screen.outline(page)
  // Unlocking the cursor ends the clock.
  if (await scrub(page).isVisible()) await outline.press('Escape')
  await scrub(page).waitFor({ state: 'detached' })
  await page.mouse.move(5, 5)
}

/** Turns the clock on, and stops it at some seconds. */
async function stopAt(page: Page, seconds: number): Promise<void> {
  if (await play(page).isVisible()) await play(page).click()
  await pause(page).click()
  await scrub(page).fill(String(seconds))
  await nextFrames(page)
}

const nextFrames = (page: Page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
  })

/** Returns where a car is in its view, and where it points: pixels, and radians clockwise from the right. */
function carOf(page: Page, role: 'lap' | 'reference') {
  return page.locator(`[data-marker="${role}"][data-car="true"]:not([hidden])`).evaluate(mark => {
    const { e: x, f: y } = new DOMMatrix((mark as HTMLElement).style.transform)
    const { a, b } = new DOMMatrix(mark.querySelector('svg')!.style.transform)
    return { x, y, turn: Math.atan2(b, a) }
  })
}

/** Returns the share of the lap that a lap has driven after some seconds. */
function shareAfter(lap: (typeof sampleLaps)[number], seconds: number): number {
  const { time, pct } = trackOf(sample, lap)
  return pct[time.findIndex(each => each >= seconds)]!
}

const views = {
  '2D': { show: show2d, view: screen.map },
  '3D': { show: show3d, view: screen.scene },
} as const

for (const [name, { show, view }] of Object.entries(views)) {
  test(
    `races both cars by the time since the line in ${name}, turned as they drive, and shows one position without the clock`,
    comparing(async page => {
      await show(page)
      await stopAt(page, 40.4)
      const [later, ghostLater] = [await carOf(page, 'lap'), await carOf(page, 'reference')]
      await scrub(page).fill('40')
      await nextFrames(page)
      const [car, ghost] = [await carOf(page, 'lap'), await carOf(page, 'reference')]
      for (const [one, next] of [
        [car, later],
        [ghost, ghostLater],
      ] as const) {
        const driven = Math.atan2(next.y - one.y, next.x - one.x)
        // In 3D the ground lies at an angle, and a flat car would hardly show how it is turned.
        const most = name === '2D' ? 0.12 : 0.6
        assert.ok(Math.cos(one.turn - driven) > Math.cos(most), `turned ${one.turn}, drives ${driven}`)
      }
      // The ghost is where its lap was, and not beside the other car.
      await page.keyboard.press('Escape')
      await view(page).press('Escape')
      await view(page).press('Home')
      const shareOfGhost = shareAfter(fastest!, 40)
      const traces = (await screen.traces(page).boundingBox())!
      await page.mouse.move(traces.x + shareOfGhost * traces.width, traces.y + 40)
      await nextFrames(page)
      const dot = await page.locator('[data-marker="lap"]:not([data-car="true"])').evaluate(mark => {
        const { e: x, f: y } = new DOMMatrix((mark as HTMLElement).style.transform)
        return { x, y }
      })
      assert.ok(Math.hypot(dot.x - ghost.x, dot.y - ghost.y) < 5, `${JSON.stringify({ dot, ghost })}`)
      assert.ok(Math.hypot(car.x - ghost.x, car.y - ghost.y) > 5, `${JSON.stringify({ car, ghost })}`)
      await leave(page)
    }),
  )
}

/** Counts the draw calls of WebGL while `work` runs in the page for some frames. */
function drawCalls(page: Page, frames: number): Promise<number> {
  return page.evaluate(async frames => {
    const { prototype } = WebGL2RenderingContext
    const { drawElements, clear } = prototype
    let calls = 0
    prototype.drawElements = function (...args) {
      calls++
      return drawElements.apply(this, args)
    }
    prototype.clear = function (mask) {
      calls++
      return clear.call(this, mask)
    }
    for (let frame = 0; frame < frames; frame++) await new Promise(requestAnimationFrame)
    Object.assign(prototype, { drawElements, clear })
    return calls
  }, frames)
}

for (const [name, { show }] of Object.entries(views)) {
  test(
    `draws no picture of ${name} again while the cars drive`,
    comparing(async page => {
      await show(page)
      await page.waitForLoadState('networkidle')
      await play(page).click()
      await drawCalls(page, 5)
      const before = await carOf(page, 'lap')
      assert.equal(await drawCalls(page, 20), 0)
      const after = await carOf(page, 'lap')
      assert.ok(Math.hypot(after.x - before.x, after.y - before.y) > 1)
      await leave(page)
    }),
  )
}

test(
  'follows the car in 3D, remembers that while other views are open, and leaves the car when the driver turns the view',
  comparing(async page => {
    await show3d(page)
    const scene = screen.scene(page)
    const { width } = (await scene.boundingBox())!
    const isBehindCar = async () => {
      const { x, turn } = await carOf(page, 'lap')
      return Math.abs(x - width / 2) < 3 && Math.abs(turn + Math.PI / 2) < 0.2
    }
    await stopAt(page, 20)
    assert.equal(await isBehindCar(), false)
    const far = await carOf(page, 'lap')
    await follow(page).click()
    await nextFrames(page)
    assert.ok(await isBehindCar())
    await scrub(page).fill('50')
    await nextFrames(page)
    assert.ok(await isBehindCar())
    await play(page).click()
    assert.ok((await drawCalls(page, 10)) > 10)
    await pause(page).click()

    await page.getByRole('radio', { name: 'Outline' }).click()
    await show3d(page)
    await scene.waitFor()
    await scrub(page).fill('60')
    await nextFrames(page)
    assert.equal(await follow(page).getAttribute('aria-pressed'), 'true')
    assert.ok(await isBehindCar())

    // The button returns to the view before.
    await follow(page).click()
    await scrub(page).fill('20')
    await nextFrames(page)
    const back = await carOf(page, 'lap')
    assert.ok(Math.hypot(back.x - far.x, back.y - far.y) < 2, JSON.stringify({ back, far }))

    await scene.press('f')
    assert.equal(await follow(page).getAttribute('aria-pressed'), 'true')
    const box = (await scene.boundingBox())!
    await page.mouse.move(box.x + 200, box.y + 120)
    await page.mouse.down()
    await page.mouse.move(box.x + 320, box.y + 120, { steps: 4 })
    await page.mouse.up()
    assert.equal(await follow(page).getAttribute('aria-pressed'), 'false')
    await nextFrames(page)
    assert.equal(await isBehindCar(), false)
    await leave(page)
  }),
)

test(
  'starts the clock at the cursor when the camera is to follow the car',
  comparing(async page => {
    assert.equal(await scrub(page).count(), 0)
    await show3d(page)
    await screen.scene(page).press('Home')
    await moveCursor(screen.scene(page), 30)
    await follow(page).click()
    await scrub(page).waitFor()
    await nextFrames(page)
    const seconds = Number(await scrub(page).inputValue())
    assert.ok(Math.abs(shareAfter(third!, seconds) - 0.3) < 0.01, `${seconds} s`)
    await carOf(page, 'reference')
    await follow(page).click()
    await leave(page)
  }),
)

test(
  'draws one car on the outline, turned as it drives',
  comparing(async page => {
    await compare.toggle(page).click()
    await compare.gauges(page).waitFor({ state: 'detached' })
    await stopAt(page, 40.4)
    const later = await carOnOutline(page)
    await scrub(page).fill('40')
    await nextFrames(page)
    const car = await carOnOutline(page)
    const driven = Math.atan2(later.y - car.y, later.x - car.x)
    // Its long axis has no front.
    assert.ok(Math.abs(Math.cos(car.axis - driven)) > Math.cos(0.2), JSON.stringify({ car, driven }))
    assert.ok(car.long > 1.5 * car.wide, JSON.stringify(car))
    await leave(page)
    await turnOn(page)
  }),
)

/** Returns the middle of what the upper canvas shows, and the direction and size of its long axis. */
function carOnOutline(page: Page) {
  return page.evaluate(() => {
    const canvas = document.querySelectorAll<HTMLCanvasElement>('canvas')[1]!
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
    const points: [number, number][] = []
    for (let i = 3; i < data.length; i += 4) {
      if (data[i]! > 128) points.push([((i - 3) / 4) % canvas.width, Math.floor(i / 4 / canvas.width)])
    }
    const mean = (of: (point: [number, number]) => number) =>
      points.reduce((sum, point) => sum + of(point), 0) / points.length
    const [x, y] = [mean(([x]) => x), mean(([, y]) => y)]
    const xx = mean(point => (point[0] - x) ** 2)
    const yy = mean(point => (point[1] - y) ** 2)
    const xy = mean(point => (point[0] - x) * (point[1] - y))
    const spread = Math.hypot((xx - yy) / 2, xy)
    return {
      x,
      y,
      axis: Math.atan2(2 * xy, xx - yy) / 2,
      long: Math.sqrt((xx + yy) / 2 + spread),
      wide: Math.sqrt((xx + yy) / 2 - spread),
    }
  })
}

const race = (show: (page: Page) => Promise<void>) => async (page: Page) => {
  await show(page)
  await stopAt(page, 40)
}

testInBothThemes(
  {
    'a race on the outline': race(async () => {}),
    'a race in 2D': race(show2d),
    'a race in 3D, behind the car': race(async page => {
      await show3d(page)
      await follow(page).click()
    }),
  },
  stack,
  { start: openComparison, otherPalette: true },
)
