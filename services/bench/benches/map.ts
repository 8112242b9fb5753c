import type { Page } from 'playwright-core'
import type { Bench, Line } from '../bench.ts'
import { MANY_ROWS, manyLapsFile } from '../many-laps-file.ts'
import { NO_CHROMIUM, type RealPage, withRealPage } from '../real-page.ts'
import { median } from '../rounds.ts'

/** Measures the 2D and 3D views without network, also over a session of 300,000 samples. */
export const mapBench: Bench = {
  name: 'map',
  how:
    'In headless Chromium that draws WebGL in software, without network. From the press of 2D, and of 3D, until the frame ' +
    `after the lap is drawn, in a new window. Then script time of the main thread over ${MANY_ROWS} samples: ` +
    'of the animation frames while the view is dragged, and of one move of the pointer.',
  async run(context) {
    const path = manyLapsFile(context)
    const measured = await withRealPage(context, async realPage => {
      const opened: number[] = []
      const opened3d: number[] = []
      const figures: Record<ViewName, Figures[]> = { '2D': [], '3D (Photo)': [] }
      for (let round = 0; round < context.rounds; round++) {
        context.log(`map: round ${round + 1} of ${context.rounds}`)
        opened.push(await openSample(realPage, '2D'))
        opened3d.push(await openSample(realPage, '3D (Photo)'))
        for (const name of VIEW_NAMES) figures[name].push(await dragAndHover(realPage, path, name))
      }
      return [
        lineOf(OPENED, median(opened)),
        lineOf(OPENED_3D, median(opened3d)),
        ...VIEW_NAMES.flatMap(name => [
          lineOf(draggedIn(name), median(figures[name].map(({ dragMs }) => dragMs))),
          lineOf(hoveredIn(name), median(figures[name].map(({ hoverMs }) => hoverMs))),
          lineOf(keptBy(name), median(figures[name].map(({ keptMb }) => keptMb))),
        ]),
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
const draggedIn = (view: ViewName): Goal => ({
  name: `${view}: script of a frame while dragged, 95th percentile`,
  unit: 'ms',
  allowed: 8,
})
const hoveredIn = (view: ViewName): Goal => ({
  name: `${view}: script of one move of the pointer`,
  unit: 'ms',
  allowed: 1,
})
const keptBy = (view: ViewName): Goal => ({
  name: `${view}: heap after twenty changes of the view`,
  unit: 'MB',
  allowed: 5,
})

/** Each view, with the mark of its first drawing, the name of its slider and the events that it listens to. */
const VIEWS = {
  '2D': { mark: 'lapwing:map-drawn', slider: /on the map/, events: ['mousedown', 'mousemove', 'mouseup'] },
  '3D (Photo)': {
    mark: 'lapwing:scene-drawn',
    slider: /in 3D/,
    events: ['pointerdown', 'pointermove', 'pointerup'],
  },
} as const
type ViewName = keyof typeof VIEWS
const VIEW_NAMES = Object.keys(VIEWS) as ViewName[]

const ALL = [
  OPENED,
  OPENED_3D,
  ...VIEW_NAMES.flatMap(name => [draggedIn(name), hoveredIn(name), keptBy(name)]),
]

function lineOf({ name, unit, allowed }: Goal, ours: number | null): Line {
  const ratio = ours === null ? null : ours / allowed
  return { name, unit, ours, peerName: 'allowed', peer: allowed, ratio, atMost: 1 }
}

/** Opens the sample session and then a view. Returns milliseconds from the press until the lap is drawn. */
async function openSample(realPage: RealPage, view: ViewName): Promise<number> {
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
    }, VIEWS[view].mark)
  } finally {
    await page.close()
  }
}

interface Figures {
  readonly dragMs: number
  readonly hoverMs: number
  readonly keptMb: number
}

async function dragAndHover(realPage: RealPage, path: string, view: ViewName): Promise<Figures> {
  const { mark, slider, events } = VIEWS[view]
  const page = await openWithoutNetwork(realPage)
  try {
    await page.getByLabel('Telemetry file (.ibt)').setInputFiles(path)
    await page.getByRole('radio', { name: view }).click()
    const map = page.getByRole('slider', { name: slider })
    await page.waitForFunction(mark => performance.getEntriesByName(mark).length > 0, mark)
    for (let press = 0; press < 3; press++) await map.press('+')
    const frames = await map.evaluate(async (canvas, [down, move, up]) => {
      const measured = window as unknown as { scriptMs: number }
      const box = canvas.getBoundingClientRect()
      const event = (type: string, i: number) => {
        const turn = (2 * Math.PI * i) / 40
        const place = {
          clientX: box.left + box.width * (0.5 + 0.3 * Math.cos(turn)),
          clientY: box.top + box.height * (0.5 + 0.3 * Math.sin(turn)),
        }
        const all = { bubbles: true, cancelable: true, button: 0, buttons: 1, ...place }
        return type.startsWith('pointer') ? new PointerEvent(type, all) : new MouseEvent(type, all)
      }
      const frame = () => new Promise(resolve => requestAnimationFrame(resolve))
      canvas.dispatchEvent(event(down, 0))
      const times: number[] = []
      for (let i = 0; i < 135; i++) {
        measured.scriptMs = 0
        const start = performance.now()
        canvas.dispatchEvent(event(move, i))
        const moveMs = performance.now() - start
        await frame()
        await new Promise(resolve => setTimeout(resolve))
        // The first frames warm up.
        if (i >= 15) times.push(moveMs + measured.scriptMs)
      }
      canvas.dispatchEvent(event(up, 0))
      return times
    }, events)
    const hoverMs = await map.evaluate((canvas, [, move]) => {
      const box = canvas.getBoundingClientRect()
      const count = 400
      const start = performance.now()
      for (let i = 0; i < count; i++) {
        const turn = (2 * Math.PI * i) / 40
        const clientX = box.left + box.width * (0.5 + 0.3 * Math.cos(turn))
        const clientY = box.top + box.height * (0.5 + 0.3 * Math.sin(turn))
        const place = { bubbles: true, clientX, clientY }
        canvas.dispatchEvent(
          move === 'pointermove' ? new PointerEvent(move, place) : new MouseEvent(move, place),
        )
      }
      return (performance.now() - start) / count
    }, events)
    const before = await heapMb(page)
    for (let change = 0; change < 20; change++) {
      await page.getByRole('radio', { name: 'Outline' }).click()
      await page.getByRole('radio', { name: view }).click()
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
