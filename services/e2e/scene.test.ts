import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { testInBothThemes } from './axe-in-both-themes.ts'
import { lapwing, phone } from './harness.ts'
import {
  assertLeaksNoContext,
  dragFinger,
  marksOfLap,
  moveCursor,
  openScene,
  settledMarker,
  show3d,
  untilColour,
} from './map.ts'
import { openSample, screen } from './screen.ts'

const stack = lapwing({ reach: 'page' })
const { visit, visitTogether } = stack

/** The sample crosses the line with full throttle: #10b981. */
const THROTTLE = [16, 185, 129]

const marks = (page: Page) => marksOfLap(page, screen.scene(page))

test(
  'loads nothing of the scene until 3D is opened, and then calls no other server',
  visit(async page => {
    const asked: string[] = []
    page.context().on('request', request => asked.push(request.url()))
    await openSample(page)
    await page.waitForLoadState('networkidle')
    const isOfScene = (url: string) => /LapScene|three/i.test(url)
    assert.deepEqual(asked.filter(isOfScene), [])
    await show3d(page)
    await page.waitForLoadState('networkidle')
    assert.ok(asked.some(isOfScene))
    const own = new URL(page.url()).origin
    assert.deepEqual(
      asked.filter(url => /^https?:/.test(url) && !url.startsWith(own)),
      [],
    )
  }),
)

const together = visitTogether(openScene)

test(
  'draws the whole lap in pedal colours on our own ground, at the mark of the cursor',
  together(async page => {
    const box = (await screen.scene(page).boundingBox())!
    for (const { x, y } of await marks(page)) {
      assert.ok(x >= box.x + 19 && x <= box.x + box.width - 19, `${x} in ${JSON.stringify(box)}`)
      assert.ok(y >= box.y + 15 && y <= box.y + box.height - 19, `${y} in ${JSON.stringify(box)}`)
    }
    await screen.scene(page).press('Home')
    const start = await settledMarker(page)
    await screen.scene(page).press('End')
    await moveCursor(screen.scene(page), -30)
    // Without the mark, which covers the line.
    await settledMarker(page)
    await untilColour(page, start, THROTTLE)
  }),
)

test(
  'moves the one cursor by pointer, locks it by a click, and moves it by keys',
  together(async page => {
    const scene = screen.scene(page)
    const [, place] = await marks(page)
    await scene.press('Home')
    await page.mouse.move(place!.x, place!.y)
    await page.waitForFunction(() => Number(document.querySelector('canvas[role=slider]')?.ariaValueNow) > 15)
    const shown = Number(await scene.getAttribute('aria-valuenow'))
    assert.ok(Math.abs(shown - 20) < 1, `${shown} %`)

    await page.mouse.click(place!.x, place!.y)
    await page.getByText('Locked', { exact: true }).waitFor()
    await page.mouse.move(place!.x + 150, place!.y + 60)
    await settledMarker(page)
    assert.equal(Number(await scene.getAttribute('aria-valuenow')), shown)
    await scene.press('Shift+ArrowRight')
    await page.waitForFunction(
      before => Number(document.querySelector('canvas[role=slider]')?.ariaValueNow) > before + 0.5,
      shown,
    )
    await scene.press('Escape')
    await page.getByText('Locked', { exact: true }).waitFor({ state: 'detached' })
  }),
)

test(
  'draws nothing again when only the cursor moves',
  together(async page => {
    await screen.scene(page).press('Home')
    const before = await settledMarker(page)
    const drawCalls = await page.evaluate(async () => {
      const { prototype } = WebGL2RenderingContext
      const clear = prototype.clear
      let calls = 0
      prototype.clear = function (mask) {
        calls++
        clear.call(this, mask)
      }
      const canvas = document.querySelector<HTMLCanvasElement>('canvas[role=slider]')!
      for (let step = 0; step < 20; step++) {
        canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))
        await new Promise(requestAnimationFrame)
      }
      const ofCursor = calls
      canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }))
      await new Promise(requestAnimationFrame)
      await new Promise(requestAnimationFrame)
      prototype.clear = clear
      return { ofCursor, ofCamera: calls - ofCursor }
    })
    assert.equal(drawCalls.ofCursor, 0)
    assert.ok(drawCalls.ofCamera > 0)
    const { x, y } = await settledMarker(page)
    assert.ok(Math.hypot(x - before.x, y - before.y) > 1)
    await screen.scene(page).press('0')
  }),
)

test(
  'turns, tilts, zooms and moves by keys, buttons and drags, and goes back to the whole lap',
  together(async page => {
    const scene = screen.scene(page)
    await scene.press('0')
    const first = await marks(page)
    const changes: Record<string, () => Promise<unknown>> = {
      'a key that turns': () => scene.press('a'),
      'a key that tilts': () => scene.press('s'),
      'a key that moves': () => scene.press('j'),
      'a key that zooms': () => scene.press('+'),
      'a button that turns': () => page.getByRole('button', { name: 'Turn right' }).click(),
      'a button that tilts': () => page.getByRole('button', { name: 'Tilt down' }).click(),
      'a button that zooms': () => page.getByRole('button', { name: 'Zoom out' }).click(),
      'a drag': () => drag(page, 60, 25, 'left'),
      'a drag with the right button': () => drag(page, 60, 25, 'right'),
    }
    for (const [name, change] of Object.entries(changes)) {
      await change()
      assert.ok(apart(await marks(page), first) > 3, name)
      await scene.press('0')
      assert.ok(apart(await marks(page), first) < 0.6, `back after ${name}`)
    }
  }),
)

test(
  'lifts the lines by the slider, from the ground to 5 m in steps of 0.1 m',
  together(async page => {
    const slider = page.getByRole('slider', { name: 'Altitude offset' })
    assert.equal(await slider.inputValue(), '0.5')
    await slider.press('ArrowRight')
    assert.equal(await slider.inputValue(), '0.6')
    // Near enough that metres are pixels.
    for (let press = 0; press < 8; press++) await screen.scene(page).press('+')
    await slider.press('Home')
    assert.equal(await slider.inputValue(), '0')
    const low = await settledMarker(page)
    await slider.press('End')
    assert.equal(await slider.inputValue(), '5')
    const high = await settledMarker(page)
    assert.ok(low.y - high.y > 1, `${low.y} to ${high.y}`)
    await slider.fill('0.5')
    await screen.scene(page).press('0')
  }),
)

test(
  'colours the lap by speed and by gear, with a legend, in 3D, 2D and on the outline',
  together(async page => {
    await screen.scene(page).press('Home')
    const start = await settledMarker(page)
    await screen.scene(page).press('End')
    await moveCursor(screen.scene(page), -30)
    await settledMarker(page)
    const choose = async (name: string) => {
      await page.getByRole('combobox', { name: 'Colour by' }).click()
      await page.getByRole('option', { name, exact: true }).click()
    }
    await choose('Speed')
    await page
      .getByText(/^\d+ km\/h$/)
      .first()
      .waitFor()
    // Fast, on the straight at the line: the sixth of seven steps.
    await untilColour(page, start, [185, 224, 77])
    await choose('Gear')
    const legend = page.getByRole('list', { name: 'Colours of the lap' })
    await legend.getByText('5', { exact: true }).waitFor()
    await page.getByRole('radio', { name: '2D' }).click()
    await screen.map(page).waitFor()
    await legend.getByText('5', { exact: true }).waitFor()
    await page.getByRole('radio', { name: 'Outline' }).click()
    await legend.getByText('5', { exact: true }).waitFor()
    await choose('Pedals')
    await legend.getByText('Throttle').waitFor()
    // There is no delta without a reference.
    await page.getByRole('combobox', { name: 'Colour by' }).click()
    assert.equal(await page.getByRole('option', { name: 'Delta' }).count(), 0)
    await page.keyboard.press('Escape')
    await show3d(page)
    await screen.scene(page).waitFor()
  }),
)

test(
  'lets the wheel scroll the page',
  visit(
    async page => {
      await openScene(page)
      const before = await marks(page)
      const box = (await screen.scene(page).boundingBox())!
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
      await page.mouse.wheel(0, 100)
      await page.waitForFunction(() => window.scrollY > 0)
      await page.evaluate(() => window.scrollTo(0, 0))
      assert.ok(apart(await marks(page), before) < 0.6)
    },
    { viewport: { width: 1024, height: 500 } },
  ),
)

test(
  'says so when the graphics card stops, and draws again when it is back',
  together(async page => {
    await screen.scene(page).press('Home')
    const mark = await settledMarker(page)
    await page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('canvas[role=slider]')!
      const lost = canvas.getContext('webgl2')!.getExtension('WEBGL_lose_context')!
      Object.assign(window, { giveBack: () => lost.restoreContext() })
      performance.clearMarks('lapwing:scene-drawn')
      lost.loseContext()
    })
    await page.getByText(/Your graphics card stopped drawing/).waitFor()
    await screen.scene(page).press('End')
    await page.evaluate(() => (window as unknown as { giveBack(): void }).giveBack())
    await page.waitForFunction(() => performance.getEntriesByName('lapwing:scene-drawn').length > 0)
    await page.getByText(/Your graphics card/).waitFor({ state: 'detached' })
    await moveCursor(screen.scene(page), -20)
    await untilColour(page, mark, THROTTLE)
  }),
)

test(
  'moves the cursor with a finger that drags its mark, and turns the view with one that starts elsewhere',
  visit(
    async page => {
      await openScene(page)
      const scene = screen.scene(page)
      const share = async () => Number(await scene.getAttribute('aria-valuenow'))
      // Away from the gauges, which lie above the lower edge of the window.
      await scene.evaluate(canvas => canvas.scrollIntoView({ block: 'center' }))
      await scene.press('Home')
      await moveCursor(scene, 20)
      const mark = await settledMarker(page)
      const box = (await scene.boundingBox())!
      const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
      await dragFinger(page, mark, middle)
      assert.ok(Math.abs((await share()) - 20) > 1)
      const dragged = await settledMarker(page)
      const before = await share()
      // The empty place beside the buttons is of the ground.
      const away = dragged.x < middle.x ? 80 : -80
      await dragFinger(page, { x: middle.x + away, y: middle.y }, { x: middle.x + 2 * away, y: middle.y })
      const turned = await settledMarker(page)
      assert.ok(Math.hypot(turned.x - dragged.x, turned.y - dragged.y) > 3)
      assert.equal(await share(), before)
    },
    { viewport: phone, hasTouch: true, isMobile: true },
  ),
)

test(
  'ends each graphics context with its view',
  together(page => assertLeaksNoContext(page, { button: screen.show3d, view: screen.scene })),
)

testInBothThemes({ 'the 3D view': openScene }, stack)

async function drag(page: Page, byX: number, byY: number, button: 'left' | 'right'): Promise<void> {
  const box = (await screen.scene(page).boundingBox())!
  const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await page.mouse.move(from.x, from.y)
  await page.mouse.down({ button })
  await page.mouse.move(from.x + byX, from.y + byY, { steps: 4 })
  await page.mouse.up({ button })
}

type Marks = readonly { readonly x: number; readonly y: number }[]

/** Returns the largest distance of two marks of one place, in pixels. */
const apart = (one: Marks, other: Marks) =>
  Math.max(...one.map(({ x, y }, i) => Math.hypot(x - other[i]!.x, y - other[i]!.y)))
