import type { Page } from 'playwright-core'
import type { Bench, Line } from '../bench.ts'
import { MANY_ROWS, manyLapsFile } from '../many-laps-file.ts'
import { NO_CHROMIUM, type RealPage, withRealPage } from '../real-page.ts'
import { median } from '../rounds.ts'

/** Measures the 2D and 3D views without network, 2D also over a session of 300,000 samples. */
export const mapBench: Bench = {
  name: 'map',
  how:
    'In headless Chromium that draws WebGL in software, without network. From the press of 2D, and of 3D, until the frame ' +
    `after the lap is drawn, in a new window. Then script time of the main thread over ${MANY_ROWS} samples: ` +
    'of the animation frames while the map is dragged, and of one move of the pointer.',
  async run(context) {
    const path = manyLapsFile(context)
    const measured = await withRealPage(context, async realPage => {
      const opened: number[] = []
      const opened3d: number[] = []
      const figures: Figures[] = []
      for (let round = 0; round < context.rounds; round++) {
        context.log(`map: round ${round + 1} of ${context.rounds}`)
        opened.push(await openSample(realPage, '2D', 'lapwing:map-drawn'))
        opened3d.push(await openSample(realPage, '3D (Photo)', 'lapwing:scene-drawn'))
        figures.push(await dragAndHover(realPage, path))
      }
      return [
        lineOf(OPENED, median(opened)),
        lineOf(OPENED_3D, median(opened3d)),
        lineOf(DRAGGED, median(figures.map(({ dragMs }) => dragMs))),
        lineOf(HOVERED, median(figures.map(({ hoverMs }) => hoverMs))),
        lineOf(KEPT, median(figures.map(({ keptMb }) => keptMb))),
      ]
    })
    return measured ?? ALL.map(goal => ({ ...lineOf(goal, null), reason: NO_CHROMIUM }))
  },
}

interface Goal {
  readonly name: string
  readonly unit: string
  readonly allowed: number
}

const OPENED: Goal = { name: '2D pressed, lap drawn', unit: 'ms', allowed: 700 }
const OPENED_3D: Goal = { name: '3D pressed, lap drawn', unit: 'ms', allowed: 1500 }
const DRAGGED: Goal = { name: 'script of a frame while dragged, 95th percentile', unit: 'ms', allowed: 8 }
const HOVERED: Goal = { name: 'script of one move of the pointer', unit: 'ms', allowed: 1 }
const KEPT: Goal = { name: 'heap after twenty changes of the view', unit: 'MB', allowed: 5 }
const ALL = [OPENED, OPENED_3D, DRAGGED, HOVERED, KEPT]

function lineOf({ name, unit, allowed }: Goal, ours: number | null): Line {
  const ratio = ours === null ? null : ours / allowed
  return { name, unit, ours, peerName: 'allowed', peer: allowed, ratio, atMost: 1 }
}

/** Opens the sample session and then a view. Returns milliseconds from the press until the lap is drawn. */
async function openSample(realPage: RealPage, view: '2D' | '3D (Photo)', mark: string): Promise<number> {
  const page = await openWithoutNetwork(realPage)
  try {
    await page.getByRole('button', { name: 'Try a sample session' }).click()
    await page.getByRole('slider', { name: /on the traces/ }).waitFor()
    await page.waitForLoadState('networkidle')
    return await page.getByRole('radio', { name: view }).evaluate(async (button, mark) => {
      const frame = () => new Promise(resolve => requestAnimationFrame(resolve))
      const start = performance.now()
      ;(button as HTMLElement).click()
      while (performance.getEntriesByName(mark).length === 0) await frame()
      await frame()
      return performance.now() - start
    }, mark)
  } finally {
    await page.close()
  }
}

interface Figures {
  readonly dragMs: number
  readonly hoverMs: number
  readonly keptMb: number
}

async function dragAndHover(realPage: RealPage, path: string): Promise<Figures> {
  const page = await openWithoutNetwork(realPage)
  try {
    await page.getByLabel('Telemetry file (.ibt)').setInputFiles(path)
    await page.getByRole('radio', { name: '2D' }).click()
    const map = page.getByRole('slider', { name: /on the map/ })
    await page.waitForFunction(() => performance.getEntriesByName('lapwing:map-drawn').length > 0)
    for (let press = 0; press < 3; press++) await map.press('+')
    const frames = await map.evaluate(async canvas => {
      const measured = window as unknown as { scriptMs: number }
      const box = canvas.getBoundingClientRect()
      const event = (type: string, i: number) => {
        const turn = (2 * Math.PI * i) / 40
        const place = {
          clientX: box.left + box.width * (0.5 + 0.3 * Math.cos(turn)),
          clientY: box.top + box.height * (0.5 + 0.3 * Math.sin(turn)),
        }
        return new MouseEvent(type, { bubbles: true, cancelable: true, button: 0, buttons: 1, ...place })
      }
      const frame = () => new Promise(resolve => requestAnimationFrame(resolve))
      canvas.dispatchEvent(event('mousedown', 0))
      const times: number[] = []
      for (let i = 0; i < 135; i++) {
        measured.scriptMs = 0
        const start = performance.now()
        canvas.dispatchEvent(event('mousemove', i))
        const moveMs = performance.now() - start
        await frame()
        await new Promise(resolve => setTimeout(resolve))
        // The first frames warm up.
        if (i >= 15) times.push(moveMs + measured.scriptMs)
      }
      canvas.dispatchEvent(event('mouseup', 0))
      return times
    })
    const hoverMs = await map.evaluate(canvas => {
      const box = canvas.getBoundingClientRect()
      const count = 400
      const start = performance.now()
      for (let i = 0; i < count; i++) {
        const turn = (2 * Math.PI * i) / 40
        const clientX = box.left + box.width * (0.5 + 0.3 * Math.cos(turn))
        const clientY = box.top + box.height * (0.5 + 0.3 * Math.sin(turn))
        canvas.dispatchEvent(new MouseEvent('mousemove', { bubbles: true, clientX, clientY }))
      }
      return (performance.now() - start) / count
    })
    const before = await heapMb(page)
    for (let change = 0; change < 20; change++) {
      await page.getByRole('radio', { name: 'Outline' }).click()
      await page.getByRole('radio', { name: '2D' }).click()
      await map.waitFor()
    }
    return {
      dragMs: frames.toSorted((a, b) => a - b)[Math.floor(frames.length * 0.95)]!,
      hoverMs,
      keptMb: Math.max(0, (await heapMb(page)) - before),
    }
  } finally {
    await page.close()
  }
}

/** Opens the page; requests to other servers fail, and the script time of animation frames is added up. */
async function openWithoutNetwork(realPage: RealPage): Promise<Page> {
  const page = await realPage.open()
  await page.route(/^https:/, route => route.abort())
  await page.evaluate(() => {
    const measured = Object.assign(window, { scriptMs: 0 })
    const request = window.requestAnimationFrame.bind(window)
    window.requestAnimationFrame = callback =>
      request(time => {
        const start = performance.now()
        callback(time)
        measured.scriptMs += performance.now() - start
      })
  })
  return page
}

/** Returns megabytes of the heap after a garbage collection. */
async function heapMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1024 / 1024
}
