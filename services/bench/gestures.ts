import { screen } from '@lapwing/e2e/screen'
import type { Locator, Page } from 'playwright-core'

/** What a driver does to the views of an open session, with the browser's own pointer. */
export interface Gesture {
  readonly name: string
  /** Does it for one to three seconds. */
  readonly perform: (page: Page) => Promise<void>
}

export const GESTURES: readonly Gesture[] = [
  {
    name: 'hover',
    async perform(page) {
      for (const view of [screen.outline(page), screen.traces(page)]) await circle(page, view, 80)
    },
  },
  {
    name: 'wheel',
    async perform(page) {
      for (const view of [screen.outline(page), screen.traces(page)]) {
        await pointAt(page, view)
        await zoom(page, -120)
        await zoom(page, 120)
      }
    },
  },
  {
    name: 'drag',
    async perform(page) {
      await pointAt(page, screen.traces(page))
      await zoom(page, -120)
      for (const view of [screen.outline(page), screen.traces(page)]) await drag(page, view, 40, [100, 0])
      await page.getByRole('button', { name: 'Whole lap' }).click()
    },
  },
  {
    name: 'edge of the outline',
    async perform(page) {
      const edge = page.getByRole('separator', { name: 'Height of the outline' })
      await drag(page, edge, 60, [0, 70])
      await edge.press('Home')
    },
  },
  {
    name: 'playback',
    async perform(page) {
      await page.getByRole('button', { name: 'Play the lap' }).click()
      await frames(page, 120)
      await page.getByRole('button', { name: 'Pause the lap' }).click()
      await screen.traces(page).press('Escape')
    },
  },
]

/** Waits for animation frames, so that each event has one of its own. */
function frames(page: Page, count: number): Promise<void> {
  return page.evaluate(async count => {
    for (let frame = 0; frame < count; frame++) await new Promise(requestAnimationFrame)
  }, count)
}

/** Returns the middle of the part of a view that is in the window, and the size of that part. */
async function pointAt(page: Page, view: Locator) {
  await view.evaluate(element => element.scrollIntoView({ block: 'center' }))
  const box = (await view.boundingBox())!
  const top = Math.max(0, box.y)
  const height = Math.min(page.viewportSize()!.height, box.y + box.height) - top
  const middle = { x: box.x + box.width / 2, y: top + height / 2, width: box.width, height }
  await page.mouse.move(middle.x, middle.y)
  return middle
}

async function circle(page: Page, view: Locator, steps: number): Promise<void> {
  const { x, y, width, height } = await pointAt(page, view)
  for (let step = 0; step < steps; step++) {
    const turn = (2 * Math.PI * step) / 40
    await page.mouse.move(x + 0.35 * width * Math.cos(turn), y + 0.3 * height * Math.sin(turn))
    await frames(page, 1)
  }
}

async function zoom(page: Page, by: number): Promise<void> {
  for (let step = 0; step < 10; step++) {
    await page.mouse.wheel(0, by)
    await frames(page, 2)
  }
}

/** Drags to and fro, by up to these pixels. */
async function drag(page: Page, view: Locator, steps: number, [byX, byY]: readonly [number, number]) {
  const { x, y } = await pointAt(page, view)
  await page.mouse.down()
  for (let step = 0; step < steps; step++) {
    const share = Math.sin((2 * Math.PI * step) / 40)
    await page.mouse.move(x + share * byX, y + share * byY)
    await frames(page, 1)
  }
  await page.mouse.up()
}
