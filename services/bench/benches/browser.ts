import type { Bench, BenchContext, Line } from '../bench.ts'
import { bigFile } from '../big-file.ts'
import { readInSlices } from '../read-in-slices.ts'
import { NO_CHROMIUM, type RealPage, withRealPage } from '../real-page.ts'
import { median, pairedRatio, rounds } from '../rounds.ts'

/** Measures from the choice of a file to its outline on the screen. */
export const browserBench: Bench = {
  name: 'browser',
  how:
    'Wall time in Chromium, on the built page behind the gateway, from the change event of the file ' +
    'input until the frame after the one in which the whole outline was drawn.',
  async run(context) {
    const hundred = bigFile(context, 100)
    return (await withRealPage(context, page => firstSight(context, page, hundred))) ?? NOT_MEASURED
  },
}

const OUTLINE = 'file of 100 MB picked, outline drawn'

const NOT_MEASURED: readonly Line[] = [
  {
    name: OUTLINE,
    unit: 'ms',
    ours: null,
    peerName: '',
    peer: null,
    ratio: null,
    atMost: 1,
    reason: NO_CHROMIUM,
  },
]

/** Milliseconds allowed beyond reading the file once. */
const BEYOND_READING_MS = 500
/** A driver notices a longer task of the main thread. */
const LONGEST_TASK_MS = 50

async function firstSight(
  { log, rounds: count }: BenchContext,
  page: RealPage,
  path: string,
): Promise<Line[]> {
  log(`browser: ${count} rounds of picking 100 MB and of only reading them`)
  const subjects = [() => pickFile(page, path), () => readOnce(page, path)]
  // Warms up the browser's own code and caches.
  await rounds(1, subjects)
  const [picked = [], read = []] = await rounds<Picked>(count, subjects)
  const ours = picked.map(({ ms }) => ms)
  const allowed = read.map(({ ms }) => ms + BEYOND_READING_MS)
  const longestMs = Math.max(...picked.map(({ longestTaskMs }) => longestTaskMs))
  const sentBytes = Math.max(...picked.map(each => each.sentBytes))
  return [
    {
      name: OUTLINE,
      unit: 'ms',
      ours: median(ours),
      peerName: 'reading it once + 500',
      peer: median(allowed),
      ratio: pairedRatio(ours, allowed),
      atMost: 1,
    },
    {
      name: 'longest task of the main thread meanwhile, of 50 ms or more',
      unit: 'ms',
      ours: longestMs,
      peerName: 'allowed',
      peer: LONGEST_TASK_MS,
      ratio: longestMs / LONGEST_TASK_MS,
      atMost: 1,
    },
    {
      name: 'bytes sent by the browser meanwhile',
      unit: 'B',
      ours: sentBytes,
      peerName: 'the file',
      peer: 100 * 1024 * 1024,
      ratio: sentBytes / (100 * 1024 * 1024),
      atMost: 0,
    },
  ]
}

interface Picked {
  readonly ms: number
  /** 0 if no task took 50 ms or more; the browser reports no shorter ones. */
  readonly longestTaskMs: number
  readonly sentBytes: number
}

async function pickFile(realPage: RealPage, path: string): Promise<Picked> {
  const page = await realPage.open()
  try {
    const sentBefore = realPage.sentBytes()
    const watch = await page.evaluateHandle(() => {
      const frame = () => new Promise<number>(resolve => requestAnimationFrame(resolve))
      const tasks: PerformanceEntry[] = []
      new PerformanceObserver(list => tasks.push(...list.getEntries())).observe({ type: 'longtask' })
      const picked = new Promise<number>(resolve => {
        addEventListener('change', () => resolve(performance.now()), { capture: true, once: true })
      })
      const result = picked.then(async start => {
        while (performance.getEntriesByName('lapwing:outline-drawn').length === 0) await frame()
        // The outline was drawn in this frame or the one before. The next frame begins after it went to the
        // screen.
        await frame()
        const ms = performance.now() - start
        // Traces and gauges come after the outline and must not block the page either.
        await new Promise(resolve => setTimeout(resolve, 1000))
        const longestTaskMs = Math.max(
          0,
          ...tasks.filter(task => task.startTime + task.duration > start).map(({ duration }) => duration),
        )
        return { ms, longestTaskMs }
      })
      return { result }
    })
    await page.getByLabel('Telemetry file (.ibt)').setInputFiles(path)
    const result = await watch.evaluate(({ result }) => result)
    return { ...result, sentBytes: realPage.sentBytes() - sentBefore }
  } finally {
    await page.close()
  }
}

async function readOnce(realPage: RealPage, path: string): Promise<Picked> {
  return { ms: await readInSlices(realPage, path), longestTaskMs: 0, sentBytes: 0 }
}
