import { linkSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { library, storeSessions } from '@lapwing/e2e/library'
import { openFirstVisit } from '@lapwing/e2e/screen'
import type { Page } from 'playwright-core'
import { allowed, type Bench, type BenchContext, type Line } from '../bench.ts'
import { bigFile, MIB } from '../big-file.ts'
import { peakMemory } from '../page-memory.ts'
import { readInSlices } from '../read-in-slices.ts'
import { NO_CHROMIUM, type RealPage, withRealPage } from '../real-page.ts'
import { median, pairedRatio, rounds } from '../rounds.ts'
import { taskTimes } from '../task-times.ts'
import { channelLines } from './channels.ts'

/** Measures a telemetry folder of 200 files of 20 MB as a library, larger ones, and the channels of a large file. */
export const libraryBench: Bench = {
  name: 'library',
  how:
    'Wall time in Chromium, on the built page behind the gateway, from the choice of a folder until the last of its ' +
    'files is listed. Tasks are in processor time of the main thread.',
  async run(context) {
    const warmUp = bigFile(context, 1)
    const file = bigFile(context, FILE_MIB)
    const folder = mkdtempSync(join(context.root, '.lapwing', 'bench', 'library-'))
    try {
      const folders = {
        warmUp,
        first: folderOf(file, join(folder, 'first'), FILES),
        more: folderOf(file, join(folder, 'more'), MORE_FILES),
      }
      const measured = await withRealPage(context, async page => [
        ...(await listing(context, page, folders)),
        await longList(context, page),
        ...(await channelLines(context, page)),
      ])
      return measured ?? [{ ...allowed(LISTED, 'ms', null, 1), peer: null, reason: NO_CHROMIUM }]
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

const FILES = 200
/** Added before a session is opened. */
const MORE_FILES = 300
const FILE_MIB = 20
/** Sessions of a driver after years. */
const MANY_SESSIONS = 5000
/** As many as the library has. */
const WORKERS = 4

const LISTED = `${FILES} files of ${FILE_MIB} MiB listed`
const MEMORY = 'memory of the page meanwhile'
const MOST_MEMORY_MIB = 300
/** A driver notices a longer task of the main thread. */
const LONGEST_TASK_MS = 50
const OPEN_MS = 300
const SECOND_VISIT_MS = 500

interface Folders {
  /** A file that is read before anything is measured, so that the code is loaded. */
  readonly warmUp: string
  readonly first: string
  readonly more: string
}

/** Returns a folder of links to one file. Other names are other files to the library, and the disk has one. */
function folderOf(file: string, folder: string, count: number): string {
  mkdirSync(folder)
  for (let i = 0; i < count; i++) linkSync(file, join(folder, `${count} files ${i}.ibt`))
  return folder
}

async function listing(
  { log, rounds: count }: BenchContext,
  realPage: RealPage,
  folders: Folders,
): Promise<Line[]> {
  log(`library: ${count} rounds of listing ${FILES} files, and of only reading them`)
  const values: Listed[] = []
  const [ours = [], peer = []] = await rounds(count, [
    async () => {
      const listed = await listFolder(realPage, folders)
      values.push(listed)
      return listed.ms
    },
    () => readInSlices(realPage, folders.first, { isFolder: true, workers: WORKERS }),
  ])
  const sentBytes = Math.max(...values.map(listed => listed.sentBytes))
  const filesBytes = FILES * FILE_MIB * MIB
  const memoryBytes = values.flatMap(listed => listed.memoryBytes ?? [])
  return [
    {
      name: LISTED,
      unit: 'ms',
      ours: median(ours),
      peerName: 'reading them in slices',
      peer: median(peer),
      ratio: pairedRatio(ours, peer),
      // 70 % of the speed of reading.
      atMost: 1 / 0.7,
    },
    memoryBytes.length > 0
      ? allowed(MEMORY, 'MiB', Math.max(...memoryBytes) / MIB, MOST_MEMORY_MIB)
      : { ...allowed(MEMORY, 'MiB', null, MOST_MEMORY_MIB), reason: 'only Linux reports it' },
    allowed(
      'longest task of the main thread meanwhile',
      'ms',
      median(values.map(listed => listed.longestTaskMs)),
      LONGEST_TASK_MS,
    ),
    {
      name: 'bytes sent by the browser meanwhile',
      unit: 'B',
      ours: sentBytes,
      peerName: 'the files',
      peer: filesBytes,
      ratio: sentBytes / filesBytes,
      atMost: 0,
    },
    allowed(
      `session of ${FILES + MORE_FILES} opened, outline drawn`,
      'ms',
      median(values.map(listed => listed.openMs)),
      OPEN_MS,
    ),
    allowed(
      `list of ${FILES + MORE_FILES} sessions on the second visit`,
      'ms',
      median(values.map(listed => listed.secondVisitMs)),
      SECOND_VISIT_MS,
    ),
  ]
}

interface Listed {
  readonly ms: number
  /** Null if the system does not report it. */
  readonly memoryBytes: number | null
  readonly longestTaskMs: number
  readonly sentBytes: number
  readonly openMs: number
  readonly secondVisitMs: number
}

async function listFolder(realPage: RealPage, { warmUp, first, more }: Folders): Promise<Listed> {
  const page = await realPage.open()
  try {
    await library.entrance(page).click()
    await page.getByLabel('Telemetry files').setInputFiles(warmUp)
    await library.status(page).getByText('1 file', { exact: true }).waitFor()
    const sentBefore = realPage.sentBytes()
    let ms = 0
    let memoryBytes: number | null = null
    const tasks = await taskTimes(page, async () => {
      memoryBytes = await peakMemory(page, async () => {
        ms = await addFolder(page, first, 1 + FILES)
      })
    })
    const sentBytes = realPage.sentBytes() - sentBefore
    await addFolder(page, more, 1 + FILES + MORE_FILES)
    const openMs = await page.evaluate(async () => {
      const frame = () => new Promise(resolve => requestAnimationFrame(resolve))
      const start = performance.now()
      document.querySelector<HTMLElement>('[data-row][title*=" files "]')!.click()
      while (performance.getEntriesByName('lapwing:outline-drawn').length === 0) await frame()
      // The next frame begins after the outline went to the screen.
      await frame()
      return performance.now() - start
    })
    return {
      ms,
      memoryBytes,
      longestTaskMs: Math.max(...tasks),
      sentBytes,
      openMs,
      secondVisitMs: await visitAgain(page),
    }
  } finally {
    await page.close()
  }
}

/** Returns the milliseconds from the choice of a folder until the library lists as many files. */
async function addFolder(page: Page, path: string, files: number): Promise<number> {
  const watch = await page.evaluateHandle(text => {
    const chosen = new Promise<number>(resolve => {
      addEventListener('change', () => resolve(performance.now()), { capture: true, once: true })
    })
    const isListed = () => document.querySelector('[role=dialog] [role=status]')?.textContent === text
    const ms = chosen.then(async start => {
      while (!isListed()) await new Promise(resolve => requestAnimationFrame(resolve))
      return performance.now() - start
    })
    return { ms }
  }, `${files} files`)
  await page.getByLabel('Telemetry folder', { exact: true }).setInputFiles(path)
  return watch.evaluate(({ ms }) => ms)
}

/** Returns the milliseconds from the press in a new tab until the list is on the screen. */
async function visitAgain(page: Page): Promise<number> {
  const tab = await openTab(page)
  return tab.evaluate(async () => {
    const isEntrance = ({ textContent }: Element) => textContent === 'Open your telemetry folder'
    const start = performance.now()
    ;[...document.querySelectorAll('button')].find(isEntrance)!.click()
    while (document.querySelector('[data-row]') === null) {
      await new Promise(resolve => requestAnimationFrame(resolve))
    }
    return performance.now() - start
  })
}

async function openTab(page: Page): Promise<Page> {
  const tab = await page.context().newPage()
  await openFirstVisit(tab)
  await tab.waitForLoadState('networkidle')
  return tab
}

/** Opens a list of thousands of sessions, scrolls through it, filters, groups and searches. */
async function longList({ log, rounds: count }: BenchContext, realPage: RealPage): Promise<Line> {
  log(`library: ${count} rounds of a list of ${MANY_SESSIONS} sessions`)
  const [longest = []] = await rounds(count, [() => useLongList(realPage)])
  return allowed(
    `longest task, ${MANY_SESSIONS} sessions scrolled, filtered and searched`,
    'ms',
    median(longest),
    LONGEST_TASK_MS,
  )
}

async function useLongList(realPage: RealPage): Promise<number> {
  const first = await realPage.open()
  try {
    await storeSessions(first, MANY_SESSIONS)
    const page = await openTab(first)
    const dialog = library.dialog(page)
    const tasks = await taskTimes(page, async () => {
      await library.entrance(page).click()
      await library.status(page).getByText('5,000 files', { exact: true }).waitFor()
      await library.rows(page).first().hover()
      for (let i = 0; i < 40; i++) {
        await page.mouse.wheel(0, 900)
        await page.evaluate(() => new Promise(resolve => requestAnimationFrame(resolve)))
      }
      await dialog.getByRole('combobox', { name: 'Groups' }).selectOption('By track')
      await dialog.getByRole('combobox', { name: 'Order' }).selectOption('Fastest lap')
      await dialog.getByRole('combobox', { name: 'Track' }).selectOption('Circuit 12')
      await dialog.getByRole('combobox', { name: 'Track' }).selectOption('All tracks')
      await dialog.getByRole('searchbox').pressSequentially('session 4321')
      await dialog.getByTitle('session 4321.ibt').waitFor()
    })
    return Math.max(...tasks)
  } finally {
    await first.close()
  }
}
