import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { testInBothThemes } from './axe-in-both-themes.ts'
import { chooseFile } from './give-file.ts'
import { lapwing } from './harness.ts'
import { openFirstVisit, openSample, screen, untilFocused } from './screen.ts'
import { anIbt } from './testing/an-ibt.ts'

/** All laps of the open session side by side. */
const { visit, visitTogether } = lapwing({ reach: 'page' })

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Session' })
const rows = (page: Page) => dialog(page).locator('tbody tr')
const row = (page: Page, lap: string) => rows(page).filter({ has: page.getByRole('button', { name: lap }) })
const view = (page: Page, name: string) => dialog(page).getByRole('radio', { name }).click()
const figure = (page: Page, name: string) =>
  dialog(page).locator('div', { has: page.getByText(name, { exact: true }) })

const choose = (page: Page, name: string, option: string) =>
  dialog(page).getByRole('combobox', { name }).selectOption(option)

async function openSession(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Session', exact: true }).click()
  await untilFocused(dialog(page))
}

/** Opens the dialog on the sample session, if the test before did not leave it open. */
const onSample = visitTogether(openSample)

test(
  'shows sectors and kinds of all laps, the best marked, and says whether a lap is the theoretical best',
  onSample(async page => {
    await openSession(page)
    const text = async (lap: string) => (await row(page, lap).textContent())!
    assert.match(await text('Lap 0'), /out lap/)
    assert.match(await text('Lap 3'), /1:16\.889\+2\.643.*incident/)
    assert.match(await text('Lap 4'), /1:15\.391\+1\.145.*clean/)
    assert.equal(await row(page, 'Lap 5').getByRole('img', { name: 'Best' }).count(), 4)
    await dialog(page)
      .getByRole('row', { name: /Theoretical best 1:14\.246/ })
      .waitFor()
    await dialog(page).getByText('Lap 5 has all of them.').waitFor()
    // The channels of the file arrive a moment later.
    await figure(page, 'Laps left').getByText('L at the end').waitFor()
    await dialog(page).getByText('Traffic is not recorded in this file.').waitFor()

    const lapsShown = async () =>
      (await dialog(page).locator('tbody [data-row]').allTextContents()).join(', ')
    await dialog(page).getByRole('button', { name: 'S2' }).click()
    assert.equal(await lapsShown(), 'Lap 5, Lap 4, Lap 2, Lap 1, Lap 3, Lap 0, Lap 6')
    await choose(page, 'Laps shown', 'Clean laps (4)')
    assert.equal(await lapsShown(), 'Lap 5, Lap 4, Lap 2, Lap 1')
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
  }),
)

test(
  'leads to a lap with the keyboard alone, also to a partial one',
  onSample(async page => {
    await page.getByRole('button', { name: 'Session', exact: true }).focus()
    await page.keyboard.press('Enter')
    await untilFocused(dialog(page))
    await row(page, 'Lap 0').getByRole('button').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await dialog(page).waitFor({ state: 'detached' })
    await screen.selectedLap(page).getByText('Lap 2').waitFor()

    await openSession(page)
    await row(page, 'Lap 6').getByRole('button').click()
    await dialog(page).waitFor({ state: 'detached' })
    await screen.selectedLap(page).getByText('Lap 6 (partial)').waitFor()
    await screen.validLapsOnly(page).click()
  }),
)

test(
  'shows how even the corners are, and where a lap loses time to the best mini-sectors',
  onSample(async page => {
    await openSession(page)
    await view(page, 'Corners')
    await dialog(page)
      .getByRole('table', { name: /over 4 clean laps/ })
      .waitFor()
    assert.ok((await rows(page).count()) > 5)
    const spreads = async () => (await rows(page).locator('td:nth-of-type(3)').allTextContents()).map(Number)
    await dialog(page).getByRole('button', { name: 'Spread' }).click()
    await dialog(page).getByRole('button', { name: 'Spread' }).click()
    const widest = await spreads()
    assert.deepEqual(
      widest,
      widest.toSorted((a, b) => b - a),
    )

    await view(page, 'Mini-sectors')
    await choose(page, 'Lap of the mini-sectors', 'Lap 3')
    const parts = dialog(page).getByRole('list', { name: 'Mini-sectors of Lap 3' }).getByRole('listitem')
    assert.equal(await parts.count(), 25)
    // The driver of the sample leaves the track at 54 % of this lap.
    await dialog(page)
      .getByText(/Lap 3: \+2\.\d{3} s on the best of each mini-sector\. Most of it in 1[456]/)
      .waitFor()

    await view(page, 'Stints')
    const stint = dialog(page).getByRole('article', { name: 'Stint 1' })
    await stint.getByText('laps 0 to 6 · 4 clean').waitFor()
    await stint.getByText(/^\d+\.\d → \d+\.\d L$/).waitFor()
    await page.keyboard.press('Escape')
  }),
)

const directory = mkdtempSync(join(tmpdir(), 'lapwing-session-'))
after(() => rmSync(directory, { recursive: true, force: true }))

test(
  'tells stints and sessions of a file apart, sends nothing, and says what is unknown of a file that is gone',
  visit(async page => {
    const sent: string[] = []
    page.on('request', request => request.method() !== 'GET' && sent.push(request.url()))
    const path = join(directory, 'evening.ibt')
    const replaced = {
      // Into the pits at the end of lap 2, and out in lap 3.
      OnPitRoad: (driven: number) => Number(driven > 2.95 && driven < 3.05),
      SessionNum: (driven: number) => Number(driven > 5.2),
    }
    writeFileSync(path, anIbt({ lapTimesS: [20.4, 21, 21.2, 20.1, 20.3], replaced }))
    await openFirstVisit(page)
    await chooseFile(page, path)
    await screen.laps(page).first().waitFor()
    rmSync(path)
    await openSession(page)
    await view(page, 'Stints')
    await dialog(page)
      .getByText(/Fuel left, tread and weather could not be read\. The file has changed/)
      .waitFor()
    for (const [stint, laps] of [
      ['Stint 1', 'Practice · laps 0 to 2 · 1 complete'],
      ['Stint 2', 'Practice · laps 3 to 5 · 1 complete'],
      ['Stint 3', 'Heat 1 · laps 5 to 6 · no complete lap'],
    ] as const) {
      await dialog(page).getByRole('article', { name: stint }).getByText(laps).waitFor()
    }
    await choose(page, 'Session of the file', 'Practice')
    await dialog(page).getByRole('article', { name: 'Stint 3' }).waitFor({ state: 'detached' })
    assert.deepEqual(sent, [])

    // One lap has nothing to be compared with.
    await page.keyboard.press('Escape')
    await chooseFile(page, { name: 'short.ibt', bytes: anIbt({ lapTimesS: [20.4] }) })
    await screen.loadedFile(page).getByText('short.ibt').waitFor()
    await openSession(page)
    await view(page, 'Corners')
    await dialog(page).getByText('One complete lap: there is nothing to compare it with.').waitFor()
  }),
)

const openView = (name: string) => async (page: Page) => {
  await openSession(page)
  await view(page, 'Laps')
  await dialog(page).getByText('L at the end').waitFor()
  await view(page, name)
}

testInBothThemes(
  {
    'the laps of a session with their sectors': openView('Laps'),
    'the spread of each corner': openView('Corners'),
    'the mini-sectors of a lap': async page => {
      await openView('Mini-sectors')(page)
      await choose(page, 'Lap of the mini-sectors', 'Lap 3')
    },
    'the stints of a session': openView('Stints'),
  },
  { visit, visitTogether },
  { start: openSample, otherPalette: true },
)
