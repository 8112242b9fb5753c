import type { Page } from 'playwright-core'
import type { Bench, BenchContext, Line } from '../bench.ts'
import { LONG_LAP_ROWS, longLapFile } from '../long-lap-file.ts'
import { NO_CHROMIUM, withRealPage } from '../real-page.ts'
import { median } from '../rounds.ts'

/** Measures how smoothly outline and traces follow the pointer on a lap with 100,000 points. */
export const frameBench: Bench = {
  name: 'frame',
  how:
    `Time from one animation frame to the next while each brings a pointer or wheel event, over a lap ` +
    `of ${LONG_LAP_ROWS} points; a screen of 60 Hz allows no less than 16.7 ms.`,
  async run(context) {
    const path = longLapFile(context)
    const measured = await withRealPage(context, async realPage => {
      const page = await realPage.open()
      await page.getByLabel('Telemetry file (.ibt)').setInputFiles(path)
      const lines: Line[] = []
      for (const movement of MOVEMENTS) lines.push(...(await measure(context, page, movement)))
      await page.close()
      return lines
    })
    return measured ?? MOVEMENTS.map(({ name }) => ({ ...lineOf(name, null, ATMOST), reason: NO_CHROMIUM }))
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
