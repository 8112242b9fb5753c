import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildIbt } from '@lapwing/simulator/build-ibt'
import { wideVariables } from '@lapwing/simulator/testing/wide-variables'
import type { Page } from 'playwright-core'
import { dropFiles } from './give-file.ts'
import { lapwing } from './harness.ts'
import { openFirstVisit, screen } from './screen.ts'
import { type AnIbt, anIbt } from './testing/an-ibt.ts'

/** Files that nobody drove: each opens or gets a sentence, and the page can be used. */
const { visit } = lapwing({ reach: 'page' })

const COMPLETE = [21.4, 20.2, 21]

/** Three complete laps, and after them a car without speed that crosses the line in every second row. */
const crossing = (seconds: number): AnIbt => ({
  lapTimesS: [...COMPLETE, seconds],
  replaced: {
    LapDistPct: laps => (laps < 4 ? laps % 1 : Math.round((laps - 4) * seconds * 60) % 2 ? 0.95 : 0.05),
    Speed: laps => (laps < 4 ? 50 : 0),
  },
})

async function open(page: Page, bytes: Uint8Array): Promise<void> {
  await openFirstVisit(page)
  await dropFiles(page, { name: 'odd.ibt', bytes })
}

const sessionDialog = (page: Page) => page.getByRole('dialog', { name: 'Session' })
async function openSession(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Session', exact: true }).click()
  await sessionDialog(page).locator('tbody tr').first().waitFor()
}

test(
  'lists 18,000 laps in parts, with the selected one always among them',
  visit(async page => {
    await open(page, anIbt(crossing(600)))
    await screen.laps(page).first().waitFor()
    await screen.validLapsOnly(page).click()
    const more = screen.laps(page).filter({ hasText: 'Show 500 more' })
    await more.waitFor()
    await screen.laps(page).nth(500).waitFor()
    assert.equal(await screen.laps(page).count(), 501)
    await more.click()
    await screen.laps(page).nth(1000).waitFor()

    await openSession(page)
    await sessionDialog(page).getByRole('button', { name: 'Show 100 more' }).waitFor()
    // The last laps of the file are far behind the first thousand of the list.
    await sessionDialog(page).getByRole('button', { name: 'Lap', exact: true }).click()
    await sessionDialog(page).locator('tbody [data-row]').first().click()
    await sessionDialog(page).waitFor({ state: 'detached' })
    const selected = screen.laps(page).and(page.locator('[aria-pressed="true"]'))
    assert.equal(await selected.count(), 1)
  }),
)

test(
  'says that a file crosses the line too often',
  visit(async page => {
    await open(page, anIbt(crossing(1000)))
    await page.getByText('This file crosses the line more often than any session can.').first().waitFor()
  }),
)

const LONG = 'Ring 名前 '.repeat(1250)

test(
  'opens a file with 10 MB of session text and names of 10,000 characters, and never scrolls sideways',
  visit(async page => {
    const sessionText = [
      '---\nWeekendInfo:',
      ...['TrackName', 'TrackDisplayName', 'TrackConfigName', 'TrackSkies'].map(name => ` ${name}: ${LONG}`),
      ' TrackID: 1\n TrackLength: 1.00 km\nSessionInfo:\n Sessions:\n - SessionNum: 0',
      `   SessionType: Practice\n   SessionName: ${LONG}`,
      'DriverInfo:\n DriverCarIdx: 0\n DriverUserID: 424242\n Drivers:\n - CarIdx: 0\n   UserID: 424242',
      ...['UserName', 'CarPath', 'CarScreenName'].map(name => `   ${name}: ${LONG}`),
      `CarSetup:\n${' Left: 1\n'.repeat(1_200_000)}...\n`,
    ].join('\n')
    await open(page, anIbt({ lapTimesS: COMPLETE, sessionText }))
    await screen.laps(page).first().waitFor()
    await page.getByRole('banner').getByText('Ring').first().waitFor()
    const isWider = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    assert.equal(await isWider(), false)
    await page.setViewportSize({ width: 360, height: 640 })
    assert.equal(await isWider(), false)
    await openSession(page)
    assert.equal(await isWider(), false)
  }),
)

test(
  'says that a file without any number has no complete lap',
  visit(async page => {
    const names = ['SessionTime', 'LapDistPct', 'LapDist', 'LapLastLapTime', 'Lat', 'Lon', 'Alt', 'Speed']
    const replaced = Object.fromEntries(names.map(name => [name, () => Number.NaN]))
    await open(page, anIbt({ lapTimesS: COMPLETE, replaced }))
    await page
      .getByText('No complete valid lap found. Please try uploading another file with valid laps.')
      .first()
      .waitFor()
    await screen.chooseFile(page).waitFor()
  }),
)

test(
  'finds one of 1,000 channels by its name',
  visit(async page => {
    const variables = wideVariables()
    for (let i = variables.length; i < 1000; i++) {
      variables.push({ name: `Extra${i}`, type: 'bool', values: row => row % 2 })
    }
    await open(
      page,
      buildIbt({ variables, rows: 13_000, sessionText: '---\nWeekendInfo:\n TrackName: ring\n...\n' }),
    )
    await screen.laps(page).first().waitFor()
    await page.getByRole('button', { name: 'Any channel' }).click()
    await page.getByRole('button', { name: 'Add a chart' }).click()
    const search = page.getByRole('combobox', { name: 'Search channels' })
    await search.fill('Extra999')
    await page.getByRole('option', { name: /^Extra999/ }).waitFor()
    await search.press('End')
    await search.press('Enter')
    await page.getByRole('list', { name: 'Chosen channels' }).getByText('Extra999').waitFor()
  }),
)
