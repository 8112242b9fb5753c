import { readFileSync } from 'node:fs'
import { aDrivenFile } from '@lapwing/ingest/test/a-driven-file'
import { bestLapAsFile } from '@lapwing/telemetry/testing/cut-file'
import { allowed, type Bench, type BenchContext, type Line } from '../bench.ts'
import { bigFile, MIB } from '../big-file.ts'
import { generatedFile } from '../generated-file.ts'
import { peakMemory } from '../page-memory.ts'
import { readInSlices } from '../read-in-slices.ts'
import { NO_CHROMIUM, type RealPage, withRealPage } from '../real-page.ts'
import { median, pairedRatio, rounds } from '../rounds.ts'

/** Measures a file of 1 GiB that is opened without saving, and the bytes of a lap that is cut out of a file. */
export const largeFileBench: Bench = {
  name: 'large-file',
  how:
    'Wall time in Chromium, on the built page behind the gateway, from the press of "Open here without saving" until ' +
    'the laps are on the screen.',
  async run(context) {
    const path = bigFile(context, FILE_MIB)
    const measured = await withRealPage(context, page => opening(context, page, path))
    return [
      ...(measured ?? [{ ...allowed(LAPS, 'ms', null, 1), reason: NO_CHROMIUM }]),
      await cutting(context),
    ]
  },
}

const FILE_MIB = 1024
const LAPS = 'laps of 1 GiB, opened without saving'
const OPEN_MS = 5000
const MOST_MEMORY_MIB = 400
/** A driver notices a longer task of the main thread. */
const LONGEST_TASK_MS = 50
const CUT_LAPS = 30
const MOST_OF_FILE = 0.08

interface Opened {
  readonly ms: number
  readonly longestTaskMs: number
  readonly sentBytes: number
  /** Null if the system does not report it. */
  readonly memoryBytes: number | null
}

async function opening({ log, rounds: count }: BenchContext, page: RealPage, path: string): Promise<Line[]> {
  log(`large-file: ${count} rounds of opening 1 GiB`)
  const opened: Opened[] = []
  const [ours = [], peer = []] = await rounds(count, [
    async () => {
      const result = await open(page, path)
      opened.push(result)
      return result.ms
    },
    () => readInSlices(page, path),
  ])
  const memory = opened.flatMap(({ memoryBytes }) => memoryBytes ?? [])
  return [
    allowed(LAPS, 'ms', median(ours), OPEN_MS),
    {
      name: LAPS,
      unit: 'ms',
      ours: median(ours),
      peerName: 'reading it in slices',
      peer: median(peer),
      ratio: pairedRatio(ours, peer),
      atMost: null,
    },
    memory.length > 0
      ? allowed('memory of the page meanwhile', 'MiB', Math.max(...memory) / MIB, MOST_MEMORY_MIB)
      : {
          ...allowed('memory of the page meanwhile', 'MiB', null, MOST_MEMORY_MIB),
          reason: 'only Linux reports it',
        },
    allowed(
      'longest task of the main thread meanwhile, of 50 ms or more',
      'ms',
      Math.max(...opened.map(({ longestTaskMs }) => longestTaskMs)),
      LONGEST_TASK_MS,
    ),
    {
      name: 'bytes sent by the browser meanwhile, requests for code',
      unit: 'B',
      ours: Math.max(...opened.map(({ sentBytes }) => sentBytes)),
      peerName: 'the file',
      peer: FILE_MIB * MIB,
      ratio: Math.max(...opened.map(({ sentBytes }) => sentBytes)) / (FILE_MIB * MIB),
      atMost: 0.00001,
    },
  ]
}

async function open(realPage: RealPage, path: string): Promise<Opened> {
  const page = await realPage.open()
  try {
    await page.getByLabel('Telemetry file (.ibt)').setInputFiles(path)
    await page.getByRole('button', { name: 'Open here without saving' }).waitFor()
    const sentBefore = realPage.sentBytes()
    let result = { ms: 0, longestTaskMs: 0 }
    const memoryBytes = await peakMemory(page, async () => {
      result = await page.evaluate(async () => {
        const tasks: PerformanceEntry[] = []
        new PerformanceObserver(list => tasks.push(...list.getEntries())).observe({ type: 'longtask' })
        const isOffer = ({ textContent }: Element) => textContent === 'Open here without saving'
        const start = performance.now()
        ;[...document.querySelectorAll('button')].find(isOffer)!.click()
        while (document.querySelector('ul[aria-label="Laps"] button') === null) {
          await new Promise(resolve => requestAnimationFrame(resolve))
        }
        const ms = performance.now() - start
        // Traces and gauges come after the laps and must not block the page either.
        await new Promise(resolve => setTimeout(resolve, 1000))
        return { ms, longestTaskMs: Math.max(0, ...tasks.map(({ duration }) => duration)) }
      })
    })
    return { ...result, memoryBytes, sentBytes: realPage.sentBytes() - sentBefore }
  } finally {
    await page.close()
  }
}

async function cutting(context: BenchContext): Promise<Line> {
  const path = generatedFile(context, 'thirty-driven-laps.ibt', () => [
    aDrivenFile({ seeds: Array.from({ length: CUT_LAPS }, (_, lap) => lap + 1) }),
  ])
  const bytes = readFileSync(path)
  const cut = await bestLapAsFile(bytes)
  return {
    name: `best lap of ${CUT_LAPS}, cut out of its file`,
    unit: 'B',
    ours: cut.byteLength,
    peerName: 'the file',
    peer: bytes.byteLength,
    ratio: cut.byteLength / bytes.byteLength,
    atMost: MOST_OF_FILE,
  }
}
