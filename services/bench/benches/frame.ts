import { openSampleAsDriver, turnOn } from '@lapwing/e2e/compare'
import type { Page } from 'playwright-core'
import type { Bench, BenchContext, Line } from '../bench.ts'
import { GESTURES, type Gesture } from '../gestures.ts'
import { LONG_LAP_ROWS, longLapFile } from '../long-lap-file.ts'
import { NO_CHROMIUM, type RealPage, withRealPage } from '../real-page.ts'
import { median } from '../rounds.ts'
import { taskTimes } from '../task-times.ts'

/** How much slower a computer is that must not stop for longer than a driver notices. */
const SLOWER = 4
const LONGEST_TASK_MS = 50

/** Measures how smoothly the views follow a driver: on a lap with 100,000 points, and on a slow computer. */
export const frameBench: Bench = {
  name: 'frame',
  how:
    `Time from one animation frame to the next while each brings a pointer or wheel event, over a lap ` +
    `of ${LONG_LAP_ROWS} points; a screen of 60 Hz allows no less than 16.7 ms. Then the CPU time of the main thread's ` +
    `longest task during each gesture over the sample session, times ${SLOWER}.`,
  async run(context) {
    const path = longLapFile(context)
    const measured = await withRealPage(context, async realPage => {
      const page = await realPage.open()
      await page.getByLabel('Telemetry file (.ibt)').setInputFiles(path)
      const lines: Line[] = []
      for (const movement of MOVEMENTS) lines.push(...(await measure(context, page, movement)))
      await page.close()
      return [...lines, ...(await longestTasks(context, realPage))]
    })
    const missing = [
      ...MOVEMENTS.map(({ name }) => lineOf(name, null, ATMOST)),
      ...SESSIONS.flatMap(session => GESTURES.map(gesture => taskLine(session, gesture, null))),
    ]
    return measured ?? missing.map(line => ({ ...line, reason: NO_CHROMIUM }))
  },
}

interface Movement {
  readonly name: string
  /** The accessible name of the view under the pointer. */
  readonly over: RegExp
  readonly kind: 'hover' | 'zoom'
}

const MOVEMENTS: readonly Movement[] = [
  { name: 'hover over the outline', over: /on the track outline/, kind: 'hover' },
  { name: 'zoom of the outline', over: /on the track outline/, kind: 'zoom' },
  { name: 'hover over the traces', over: /on the traces/, kind: 'hover' },
  { name: 'zoom of the traces', over: /on the traces/, kind: 'zoom' },
]

/** 55 frames a second. */
const FRAME_MS = 1000 / 55
const ATMOST = 1
const FRAMES = 120

async function measure(
  { log, rounds: count }: BenchContext,
  page: Page,
  movement: Movement,
): Promise<Line[]> {
  log(`frame: ${movement.name}, ${count} rounds of ${FRAMES} frames`)
  const medians: number[] = []
  const slow: number[] = []
  for (let round = 0; round < count; round++) {
    const frames = await move(page, movement)
    medians.push(median(frames))
    slow.push(frames.toSorted((a, b) => a - b)[Math.floor(frames.length * 0.95)]!)
  }
  return [
    lineOf(movement.name, median(medians), ATMOST),
    lineOf(`${movement.name}, 95th percentile`, median(slow), null),
  ]
}

function lineOf(name: string, ours: number | null, atMost: number | null): Line {
  const ratio = ours === null ? null : ours / FRAME_MS
  return { name: `frame, ${name}`, unit: 'ms', ours, peerName: '55 a second', peer: FRAME_MS, ratio, atMost }
}

interface Session {
  readonly name: string
  readonly width: number
  readonly height: number
  readonly hasReference: boolean
}

const SESSIONS: readonly Session[] = [
  { name: 'one lap', width: 1440, height: 900, hasReference: false },
  { name: 'two laps', width: 1440, height: 900, hasReference: true },
  { name: 'two laps, 390 px', width: 390, height: 844, hasReference: true },
]

async function longestTasks({ log, rounds: count }: BenchContext, realPage: RealPage): Promise<Line[]> {
  const lines: Line[] = []
  for (const session of SESSIONS) {
    log(`frame: ${session.name}, ${count} rounds of ${GESTURES.length} gestures`)
    const page = await realPage.open({ signsIn: true })
    await page.setViewportSize(session)
    await openSampleAsDriver(page)
    if (session.hasReference) await turnOn(page)
    await page.waitForLoadState('networkidle')
    // Warms up the code, as a driver who has moved the pointer for a second.
    for (const { perform } of GESTURES) await perform(page)
    for (const gesture of GESTURES) {
      const longest: number[] = []
      for (let round = 0; round < count; round++) {
        longest.push(Math.max(...(await taskTimes(page, () => gesture.perform(page)))))
      }
      lines.push(taskLine(session, gesture, SLOWER * median(longest)))
    }
    await page.close()
  }
  return lines
}

function taskLine(session: Session, gesture: Gesture, ours: number | null): Line {
  return {
    name: `longest task × ${SLOWER}, ${gesture.name}, ${session.name}`,
    unit: 'ms',
    ours,
    peerName: 'allowed',
    peer: LONGEST_TASK_MS,
    ratio: ours === null ? null : ours / LONGEST_TASK_MS,
    atMost: 1,
  }
}

/** Moves over a view, one event per frame. Returns the time of each frame, ms. */
async function move(page: Page, { over, kind }: Movement): Promise<number[]> {
  const view = page.getByRole('slider', { name: over })
  await view.waitFor()
  await view.scrollIntoViewIfNeeded()
  return view.evaluate(
    async (element, { kind, frames }) => {
      const frame = () => new Promise<number>(resolve => requestAnimationFrame(resolve))
      const box = element.getBoundingClientRect()
      const times: number[] = []
      const warmUp = 15
      let last = await frame()
      for (let i = 0; i < frames + warmUp; i++) {
        // In circles, so that every event finds another sample.
        const turn = (2 * Math.PI * i) / 40
        const common = {
          bubbles: true,
          cancelable: true,
          clientX: box.left + box.width * (0.5 + 0.35 * Math.cos(turn)),
          clientY: box.top + box.height * (0.5 + 0.35 * Math.sin(turn)),
        }
        element.dispatchEvent(
          kind === 'hover'
            ? new PointerEvent('pointermove', { ...common, pointerId: 1, pointerType: 'mouse' })
            : new WheelEvent('wheel', { ...common, deltaY: Math.sin(turn) < 0 ? 90 : -90 }),
        )
        const now = await frame()
        if (i >= warmUp) times.push(now - last)
        last = now
      }
      return times
    },
    { kind, frames: FRAMES },
  )
}
