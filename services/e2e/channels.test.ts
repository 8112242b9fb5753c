import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import type { Page } from 'playwright-core'
import { testInBothThemes } from './axe-in-both-themes.ts'
import { openSampleAsDriver, turnOn } from './compare.ts'
import { chooseFile } from './give-file.ts'
import { lapwing } from './harness.ts'
import { recordingProxy } from './recording-proxy.ts'
import { openFirstVisit, openSample, screen, shownLaps } from './screen.ts'
import { anIbt } from './testing/an-ibt.ts'

/** Chart pages of any channel of the file. They share lap, reference, cursor and zoom with the other views. */
const { visit, visitTogether, url } = lapwing({ reach: 'accounts', ownAddresses: true })

const card = (page: Page) => page.getByRole('region', { name: 'Channels', exact: true })
const openCard = (page: Page) =>
  page.getByRole('region', { name: 'Lap traces' }).getByRole('button', { name: 'Any channel' })
const pages = (page: Page) => card(page).getByRole('combobox', { name: 'Page' })
const chart = (page: Page, name: string | RegExp) => card(page).getByRole('slider', { name })
const value = (page: Page, channel: string) =>
  card(page).getByRole('status', { name: channel, exact: true }).first()
const picker = (page: Page) => page.getByRole('dialog', { name: 'Add a chart' })
const search = (page: Page) => picker(page).getByRole('combobox', { name: 'Search channels' })
const addChart = (page: Page) => card(page).getByRole('button', { name: 'Add a chart' })
const menu = (page: Page) => page.getByRole('dialog', { name: 'Pages' })
const openMenu = (page: Page) => card(page).getByRole('button', { name: 'Pages', exact: true })

/** Chooses channels in the picker by the keyboard. */
async function pick(page: Page, ...words: string[]): Promise<void> {
  for (const word of words) {
    await search(page).fill(word)
    await picker(page).locator('[data-active="true"]').getByText(word, { exact: true }).waitFor()
    await search(page).press('Enter')
  }
}

async function removeCharts(page: Page, name: string): Promise<void> {
  await card(page).getByRole('button', { name, exact: true }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
}

async function openChannels(page: Page): Promise<void> {
  await openCard(page).click()
  await chart(page, /LFtempM/).waitFor()
}

const comparing = visitTogether(async page => {
  await openSampleAsDriver(page)
  await turnOn(page)
  await openChannels(page)
  await until(async () => (await value(page, 'LFtempM').textContent())!.includes(' / '))
})

test(
  'shares the cursor and the zoom with the other views, in both directions',
  comparing(async page => {
    const difference = chart(page, /LFtempM − RFtempM/)
    await difference.press('End')
    await until(async () => (await screen.traces(page).getAttribute('aria-valuenow')) === '100.0')
    const atEnd = await value(page, 'LFtempM').textContent()
    // The lap's own value, and that of the reference at the same place.
    assert.match(atEnd!, /^\d+\.\d+ \/ \d+\.\d+$/)
    assert.match((await difference.getAttribute('aria-valuetext'))!, /^\d+ m, LFtempM − RFtempM −?\d/)
    await screen.traces(page).press('Home')
    await until(async () => (await value(page, 'LFtempM').textContent()) !== atEnd)

    await difference.press('+')
    const wholeLap = page.getByRole('button', { name: 'Whole lap' })
    await wholeLap.waitFor()
    await difference.dblclick()
    await wholeLap.waitFor({ state: 'detached' })
    await difference.hover({ position: { x: 200, y: 60 } })
    await page.mouse.wheel(0, -400)
    await wholeLap.click()
  }),
)

test(
  'draws speeds and temperatures in the units of the driver, and the file’s own units otherwise',
  comparing(async page => {
    await card(page).getByText('°F').first().waitFor()
    await pages(page).selectOption('Car')
    await chart(page, 'Lap 5, RPM, Gear').waitFor()
    for (const unit of ['rpm', 'g', '°']) await card(page).getByText(unit, { exact: true }).first().waitFor()
    await pages(page).selectOption('Tyres')
  }),
)

test(
  'limits scatter and histogram to the chosen corner',
  comparing(async page => {
    await pages(page).selectOption('Car')
    const third = page
      .getByRole('toolbar', { name: 'Corners on the traces' })
      .getByRole('button', { name: 'Turn 3', exact: true })
    await third.click()
    const limited = card(page).locator('[data-of="Turn 3"]')
    // Only charts in sight are drawn, and a press on the corner scrolls away from them.
    const lookAtScatter = () =>
      card(page).getByRole('listitem', { name: 'LatAccel, LongAccel' }).last().scrollIntoViewIfNeeded()
    await lookAtScatter()
    await limited.first().waitFor()
    await third.click()
    await lookAtScatter()
    await until(async () => (await limited.count()) === 0)
    await pages(page).selectOption('Tyres')
  }),
)

test(
  'adds a chart of channels that were searched with the keyboard, their sum or difference, and removes it',
  comparing(async page => {
    await addChart(page).click()
    await picker(page).getByRole('group', { name: 'Engine and fuel' }).waitFor()
    await search(page).fill('no such channel')
    await picker(page).getByText('No channel matches.').waitFor()
    await pick(page, 'WaterTemp', 'RPM')
    await picker(page)
      .getByText('WaterTemp is in °F and RPM in rpm. Only channels of one unit can be added.')
      .waitFor()
    await pick(page, 'FuelLevel')
    await picker(page).getByText('Give it a chart of its own.').waitFor()
    await picker(page).getByRole('button', { name: 'Without FuelLevel' }).click()
    await picker(page).getByRole('button', { name: 'Without RPM' }).click()
    await pick(page, 'OilTemp')
    await picker(page).getByRole('button', { name: 'WaterTemp − OilTemp' }).click()
    await picker(page).getByRole('button', { name: 'Add the chart' }).click()
    await chart(page, /WaterTemp − OilTemp$/).press('End')
    await until(async () => /^−\d/.test((await value(page, 'WaterTemp − OilTemp').textContent())!))
    await removeCharts(page, 'Menu of WaterTemp − OilTemp')
    await chart(page, /WaterTemp/).waitFor({ state: 'detached' })
  }),
)

test(
  'offers the four wheels of a channel together, as small charts',
  comparing(async page => {
    await addChart(page).click()
    await pick(page, 'LF RF LR RR tempM')
    assert.equal(await picker(page).getByRole('combobox', { name: 'Kind of chart' }).inputValue(), 'each')
    await picker(page).getByRole('button', { name: 'Add the chart' }).click()
    await until(
      async () => (await card(page).getByRole('status', { name: 'RRtempM', exact: true }).count()) === 2,
    )
    const names = 'Menu of LFtempM, RFtempM, LRtempM, RRtempM'
    await card(page).getByRole('button', { name: names }).last().click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await until(
      async () => (await card(page).getByRole('status', { name: 'RRtempM', exact: true }).count()) === 1,
    )
  }),
)

test(
  'makes, names, exports, deletes and imports pages, and remembers them',
  comparing(async page => {
    await openMenu(page).click()
    await menu(page).getByRole('button', { name: 'New page' }).click()
    await card(page).getByText('This page has no charts yet.').waitFor()
    await menu(page).getByRole('textbox', { name: 'Name of the page' }).fill('Tyres')
    await menu(page).getByText('Another page has this name.').waitFor()
    await menu(page).getByRole('textbox', { name: 'Name of the page' }).fill('晩 heat')
    await page.keyboard.press('Enter')
    await pages(page).getByRole('option', { name: '晩 heat' }).waitFor({ state: 'attached' })
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      menu(page).getByRole('button', { name: 'Export all pages' }).click(),
    ])
    const exported = JSON.parse(readFileSync((await download.path())!, 'utf8'))
    assert.deepEqual(
      exported.pages.map(({ name }: { name: string }) => name),
      ['Tyres', 'Car', 'Suspension', '晩 heat'],
    )
    await menu(page).getByRole('button', { name: 'Delete the page' }).click()
    await menu(page).getByRole('button', { name: 'Press again to delete it' }).click()
    await pages(page).getByRole('option', { name: '晩 heat' }).waitFor({ state: 'detached' })

    const file = page.getByLabel('File of chart pages')
    const give = (text: string) =>
      file.setInputFiles({ name: 'pages.json', mimeType: 'application/json', buffer: Buffer.from(text) })
    await give('{"version":2,"pages":[]}')
    await menu(page).getByText('This file has no chart pages of Lapwing.').waitFor()
    const imported = {
      version: 1,
      pages: [{ name: 'Tyres', charts: [{ kind: 'lines', channels: ['OilTemp', 'Wings'] }] }],
    }
    await give(JSON.stringify(imported))
    await menu(page).getByText('Imported 1 page.').waitFor()
    await page.keyboard.press('Escape')
    await chart(page, 'Lap 5, OilTemp').waitFor()
    await card(page).getByText('This file has no Wings.').waitFor()
    assert.equal(await pages(page).locator('option:checked').textContent(), 'Tyres 2')

    await page.reload()
    await chart(page, /OilTemp$/).waitFor()
    await openMenu(page).click()
    await menu(page).getByRole('button', { name: 'Back to the first pages' }).click()
    await page.keyboard.press('Escape')
    await chart(page, /LFtempM/).waitFor()
  }),
)

test(
  'closes, and stays closed until it is opened again',
  comparing(async page => {
    await card(page).getByRole('button', { name: 'Close the channels' }).click()
    await card(page).waitFor({ state: 'detached' })
    await openChannels(page)
    await until(() => card(page).evaluate(element => element === document.activeElement))
  }),
)

const directory = mkdtempSync(join(tmpdir(), 'lapwing-channels-'))
after(() => rmSync(directory, { recursive: true, force: true }))

test('sends nothing of the file, and says when it has changed on disk', async t => {
  const proxy = await recordingProxy(url())
  t.after(() => proxy.close())
  const path = join(directory, 'my-secret-session.ibt')
  const bytes = anIbt({ lapTimesS: [21.4, 20.2] })
  writeFileSync(path, bytes)
  const sendsNothing = async (page: Page) => {
    await openFirstVisit(page)
    await chooseFile(page, path)
    await shownLaps(page)
    await openCard(page).click()
    await chart(page, /LatAccel/)
      .first()
      .press('End')
    await until(async () => /\d/.test((await value(page, 'LatAccel').textContent())!))
    await page.waitForLoadState('networkidle')
    const sent = proxy.sent().toString('latin1')
    assert.deepEqual(new Set(sent.match(/^[A-Z]+ (?=\/\S* HTTP\/1\.1\r$)/gm)), new Set(['GET ']))
    assert.equal(sent.includes('my-secret-session'), false)

    appendFileSync(path, new Uint8Array(1000))
    // Browsers compare times in whole seconds.
    const later = new Date(Date.now() + 10_000)
    utimesSync(path, later, later)
    await screen.laps(page).nth(1).click()
    await card(page)
      .getByText(
        'The file has changed since it was chosen (is the simulator still writing it?). Choose it again.',
      )
      .waitFor()
    // What was read before is still there.
    await chart(page, /LatAccel/)
      .first()
      .waitFor()
    writeFileSync(path, bytes)
  }
  await visit(sendsNothing, { baseURL: proxy.url })(t)
})

testInBothThemes(
  {
    'the charts of any channel': async page => {
      await pages(page).selectOption('Car')
      await chart(page, /RPM, Gear/).press('End')
    },
    'the picker of channels': async page => {
      await addChart(page).click()
      await pick(page, 'WaterTemp', 'RPM')
    },
  },
  { visit, visitTogether },
  {
    async start(page) {
      await openSample(page)
      await openChannels(page)
    },
  },
)
