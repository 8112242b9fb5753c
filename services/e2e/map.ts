import assert from 'node:assert/strict'
import { until } from '@lapwing/testing/until.ts'
import type { Locator, Page } from 'playwright-core'
import { openSample, screen } from './screen.ts'

/** Opens the sample session and its 2D view, and waits until the lap is drawn. */
export async function openMap(page: Page): Promise<void> {
  await openSample(page)
  await show2d(page)
}

/** Presses the button 2D, and waits until the lap is drawn. */
export async function show2d(page: Page): Promise<void> {
  await screen.show2d(page).click()
  await untilDrawn(page)
}

/** Waits until the map has drawn the lap. */
export async function untilDrawn(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName('lapwing:map-drawn').length > 0)
}

/** Opens the sample session and its 3D view, and waits until the lap is drawn. */
export async function openScene(page: Page): Promise<void> {
  await openSample(page)
  await show3d(page)
}

/** Presses the button 3D (Photo), and waits until the lap is drawn. */
export async function show3d(page: Page): Promise<void> {
  await screen.show3d(page).click()
  await page.waitForFunction(() => performance.getEntriesByName('lapwing:scene-drawn').length > 0)
}

/** Returns a pixel of the ground in the middle of the 3D view. The sample's lap goes round it at any zoom. */
export async function insideLap(page: Page) {
  const { x, y, width, height } = (await screen.scene(page).boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}

/** Waits until the pictures below the lap are in this state (`base-watch.ts`). */
export async function untilBase(page: Page, state: string): Promise<void> {
  await page.locator(`[data-base="${state}"]`).waitFor()
}

interface OtherView {
  readonly button: (page: Page) => Locator
  readonly view: (page: Page) => Locator
}

/** Changes between the outline and the shown view, and checks that each graphics context ends with its view. */
export async function assertLeaksNoContext(page: Page, { button, view }: OtherView): Promise<void> {
  await page.evaluate(() => {
    const contexts = new Set<WebGL2RenderingContext>()
    const { prototype } = HTMLCanvasElement
    const getContext = prototype.getContext as (...args: unknown[]) => RenderingContext | null
    Object.assign(prototype, {
      getContext(...args: unknown[]) {
        const context = getContext.apply(this, args)
        if (context instanceof WebGL2RenderingContext) contexts.add(context)
        return context
      },
    })
    Object.assign(window, { contexts })
  })
  const inUse = () =>
    page.evaluate(() => {
      const { contexts } = window as unknown as { contexts: Set<WebGL2RenderingContext> }
      return [...contexts].map(context => !context.isContextLost())
    })
  for (let change = 0; change < 3; change++) {
    await page.getByRole('radio', { name: 'Outline' }).click()
    await screen.outline(page).waitFor()
    await until(async () => !(await inUse()).includes(true), 'the context of the view before ends')
    await button(page).click()
    await view(page).waitFor()
    await until(async () => (await inUse()).includes(true), 'the view has a context')
  }
  assert.equal(await page.locator('canvas[role=slider]').count(), 1)
  assert.equal((await inUse()).filter(Boolean).length, 1)
}

interface Point {
  readonly x: number
  readonly y: number
}

/** Drags one finger from a point of the window to another, in the ten steps of a slow hand. */
export async function dragFinger(page: Page, from: Point, to: Point): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
  await send('touchStart', from)
  for (let step = 1; step <= 10; step++) {
    const share = step / 10
    await send('touchMove', { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) })
  }
  await send('touchEnd')
  await session.detach()
}

/** Returns the middle of a mark of the cursor in the window; null if it is not shown. */
export async function markerAt(page: Page, role: 'lap' | 'reference' = 'lap') {
  const box = await page.locator(`[data-marker="${role}"] > span`).boundingBox()
  return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Moves the cursor along the lap by keys, and returns where its mark is at every fifth of it. */
export async function marksOfLap(page: Page, view = screen.map(page)) {
  const marks: { readonly x: number; readonly y: number }[] = []
  await view.press('Home')
  for (let step = 0; step < 5; step++) {
    marks.push(await settledMarker(page))
    await moveCursor(view, 20)
  }
  return marks
}

/** Moves the cursor by percent of the lap. By events, because a hundred presses take seconds. */
export function moveCursor(view: Locator, percent: number): Promise<void> {
  return view.evaluate((element, percent) => {
    const key = percent < 0 ? 'ArrowLeft' : 'ArrowRight'
    const press = { key, shiftKey: true, bubbles: true }
    for (let step = 0; step < Math.abs(percent); step++) {
      element.dispatchEvent(new KeyboardEvent('keydown', press))
    }
  }, percent)
}

/** Returns the mark after the frame in which the page places it. */
export async function settledMarker(page: Page) {
  await page.evaluate(
    () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  const mark = await markerAt(page)
  if (!mark) throw new Error('The map shows no mark of the cursor.')
  return mark
}

/** Returns the colours of points of the window, as a person sees them: red, green, blue from 0 to 255. */
export async function coloursAt(page: Page, points: readonly { readonly x: number; readonly y: number }[]) {
  const xs = points.map(({ x }) => Math.round(x))
  const ys = points.map(({ y }) => Math.round(y))
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  // The rest of the window would be compressed and read for nothing.
  const clip = { x, y, width: Math.max(...xs) - x + 1, height: Math.max(...ys) - y + 1 }
  const picture = (await page.screenshot({ clip, timeout: 60_000 })).toString('base64')
  return page.evaluate(
    async ({ picture, at }) => {
      const bytes = Uint8Array.from(atob(picture), character => character.charCodeAt(0))
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d')!
      context.drawImage(image, 0, 0)
      return at.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data.slice(0, 3)])
    },
    { picture, at: xs.map((each, i) => [each - x, ys[i]! - y] as const) },
  )
}

/** Waits until a point of the window has this colour. */
export async function untilColour(
  page: Page,
  point: { readonly x: number; readonly y: number },
  wanted: readonly number[],
): Promise<void> {
  const start = performance.now()
  for (;;) {
    const [found] = await coloursAt(page, [point])
    if (isColour(found!, wanted)) return
    if (performance.now() - start > 30_000) throw new Error(`The colour is ${found}, not ${wanted}.`)
  }
}

/** Returns whether the colours are the same, but for rounding. */
function isColour(found: readonly number[], wanted: readonly number[]): boolean {
  return found.every((value, i) => Math.abs(value - wanted[i]!) <= 3)
}
