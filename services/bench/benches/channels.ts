import type { Page } from 'playwright-core'
import { allowed, type BenchContext, type Line } from '../bench.ts'
import { bigFile } from '../big-file.ts'
import type { RealPage } from '../real-page.ts'
import { median } from '../rounds.ts'
import { taskTimes } from '../task-times.ts'

const FILE_MIB = 100
/** Charts of the page on which the pointer moves, and pages between which a driver changes. */
const CHARTS = 30
const PAGES = 30
/** The page keeps 40 pages at most. */
const ROUND_PAGES = 9

const STANDS_MS = 150
const HOVER_MS = 1
/** 55 frames a second. */
const FRAME_MS = 1000 / 55
const LONGEST_TASK_MS = 50

const NAMES = {
  stands: `a channel of ${FILE_MIB} MiB and 299 variables drawn`,
  hover: `script of one move over ${CHARTS} charts of channels, with its frame`,
  pan: `frame, drag of ${CHARTS} charts of channels`,
  pages: `longest task, ${PAGES} pages of channels one after another`,
}

/** Measures charts of any channel of a large file. */
export async function channelLines(context: BenchContext, realPage: RealPage): Promise<Line[]> {
  const { log, rounds: count } = context
  const file = bigFile(context, FILE_MIB)
  log(`library: ${count} rounds of channels of a file of ${FILE_MIB} MiB`)
  const page = await realPage.open()
  try {
    await storePages(page)
    await page.reload()
    await page.waitForLoadState('networkidle')
    await page.getByLabel('Telemetry file (.ibt)').setInputFiles(file)
    await page.getByRole('button', { name: 'Any channel' }).click()
    await charts(page).first().waitFor()
    const stands: number[] = []
    const hovers: number[] = []
    const pans: number[] = []
    const tasks: number[] = []
    for (let round = 0; round < count; round++) {
      stands.push(await addChannel(page, round))
      await pageChoice(page).selectOption('All')
      await charts(page).first().waitFor()
      hovers.push(await hover(page))
      pans.push(await pan(page))
      tasks.push(Math.max(...(await taskTimes(page, () => changePages(page)))))
    }
    return [
      allowed(NAMES.stands, 'ms', median(stands), STANDS_MS),
      allowed(NAMES.hover, 'ms', median(hovers), HOVER_MS),
      allowed(NAMES.pan, 'ms', median(pans), FRAME_MS),
      allowed(NAMES.pages, 'ms', median(tasks), LONGEST_TASK_MS),
    ]
  } finally {
    await page.close()
  }
}

const card = (page: Page) => page.getByRole('region', { name: 'Channels', exact: true })
const charts = (page: Page) => card(page).getByRole('slider')
const pageChoice = (page: Page) => card(page).getByRole('combobox', { name: 'Page' })

/**
 * Stores pages of six charts each, one of `CHARTS`, all of other channels, and pages with a single chart. Only charts in
 * sight are drawn, so each round adds its channel to a page of its own.
 */
async function storePages(page: Page): Promise<void> {
  const chartOf = (i: number) => ({ kind: 'lines', channels: [`Wave_float_${i % 190}`] })
  const pages = [
    ...Array.from({ length: ROUND_PAGES }, (_, i) => ({ name: `Round ${i}`, charts: [chartOf(0)] })),
    { name: 'All', charts: Array.from({ length: CHARTS }, (_, i) => chartOf(i)) },
    ...Array.from({ length: PAGES }, (_, i) => ({
      name: `Page ${i}`,
      charts: Array.from({ length: 6 }, (_, at) => chartOf(6 * i + at)),
    })),
  ]
  await page.evaluate(
    text => localStorage.setItem('lapwing.channel-pages', text),
    JSON.stringify({ version: 1, pages }),
  )
}

/** Returns the milliseconds from the press that adds a chart until its channel, read for the first time, is drawn. */
async function addChannel(page: Page, round: number): Promise<number> {
  await pageChoice(page).selectOption(`Round ${round % ROUND_PAGES}`)
  await card(page).getByRole('button', { name: 'Add a chart' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a chart' })
  const name = `Wave_float_${189 - round}`
  await dialog.getByRole('combobox', { name: 'Search channels' }).fill(name)
  await dialog.getByRole('option', { name }).first().click()
  return dialog.getByRole('button', { name: 'Add the chart' }).evaluate(async button => {
    const frame = () => new Promise(resolve => requestAnimationFrame(resolve))
    // Both charts of the page are new then: a chart is made again if another one is added.
    performance.clearMarks('lapwing:channels-drawn')
    const start = performance.now()
    ;(button as HTMLElement).click()
    const isDrawn = () => performance.getEntriesByName('lapwing:channels-drawn').length > 0
    while (!isDrawn()) {
      if (performance.now() - start > 10_000) throw new Error('The chart was not drawn.')
      await frame()
    }
    // The next frame begins after the chart went to the screen.
    await frame()
    return performance.now() - start
  })
}

/** Returns the median script time of a move of the pointer over a chart and of the frame that follows. */
async function hover(page: Page): Promise<number> {
  const times = await charts(page)
    .first()
    .evaluate(async element => {
      const request = window.requestAnimationFrame.bind(window)
      let scriptMs = 0
      window.requestAnimationFrame = callback =>
        request(time => {
          const start = performance.now()
          callback(time)
          scriptMs += performance.now() - start
        })
      // Like the browser's own events, after the frame was laid out and painted.
      const afterFrame = () => new Promise(resolve => request(() => setTimeout(resolve)))
      const box = element.getBoundingClientRect()
      const times: number[] = []
      for (let i = 0; i < 135; i++) {
        const clientX = box.left + box.width * (0.5 + 0.3 * Math.cos((2 * Math.PI * i) / 40))
        const place = { bubbles: true, clientX, clientY: box.top + box.height / 2 }
        await afterFrame()
        scriptMs = 0
        const start = performance.now()
        element.dispatchEvent(
          new PointerEvent('pointermove', { ...place, pointerId: 1, pointerType: 'mouse' }),
        )
        scriptMs += performance.now() - start
        await afterFrame()
        // The first moves warm up the code.
        if (i >= 15) times.push(scriptMs)
      }
      window.requestAnimationFrame = request
      return times
    })
  return median(times)
}

/** Zooms in, drags, and returns the median time from frame to frame. */
async function pan(page: Page): Promise<number> {
  const chart = charts(page).first()
  await chart.press('+')
  await chart.press('+')
  const times = await chart.evaluate(async element => {
    const frame = () => new Promise<number>(resolve => requestAnimationFrame(resolve))
    const box = element.getBoundingClientRect()
    // The browser knows no pointer of this id.
    element.setPointerCapture = () => {}
    const send = (type: string, i: number) =>
      element.dispatchEvent(
        new PointerEvent(type, {
          bubbles: true,
          clientX: box.left + box.width * (0.5 + 0.3 * Math.sin((2 * Math.PI * i) / 60)),
          clientY: box.top + box.height / 2,
          pointerId: 1,
          pointerType: 'mouse',
        }),
      )
    const times: number[] = []
    send('pointerdown', 0)
    let last = await frame()
    for (let i = 0; i < 135; i++) {
      send('pointermove', i)
      const now = await frame()
      if (i >= 15) times.push(now - last)
      last = now
    }
    send('pointerup', 0)
    return times
  })
  await chart.press('0')
  return median(times)
}

async function changePages(page: Page): Promise<void> {
  for (let i = 0; i < PAGES; i++) {
    await pageChoice(page).selectOption(`Page ${i}`)
    await card(page)
      .getByText(`Wave_float_${(6 * i) % 190}`, { exact: true })
      .first()
      .waitFor()
    await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve))))
  }
}
