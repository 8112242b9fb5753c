import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { aSavedLap } from '../../frontend/src/testing/a-saved-lap.ts'
import type { FakeBoards } from '../../frontend/src/testing/fake-boards.ts'
import { aDriverWhoComesBack, openSettings, untilSignedIn } from './accounts.ts'
import {
  answerReference,
  boardsOfSample,
  compare,
  gapAtLine,
  openSampleAsDriver,
  sample,
  sampleBoard,
  sampleLaps,
  toast,
  trackOf,
  turnOn,
} from './compare.ts'
import { dropFiles } from './give-file.ts'
import { lapwing } from './harness.ts'
import { openFirstVisit, screen, shownLaps } from './screen.ts'
import { anIbt } from './testing/an-ibt.ts'

const { visit } = lapwing({ reach: 'accounts', ownAddresses: true })

const [fastest, second] = sampleLaps
const msOf = (lap: (typeof sampleLaps)[number]) => Math.round(1000 * lap.time_s!)
const gapMs = msOf(second!) - msOf(fastest!)

const ofSample = (lap: (typeof sampleLaps)[number], number: number) =>
  aSavedLap(number, {
    lap: lap.lap,
    combination: sampleBoard,
    time_ms: msOf(lap),
    time_fmt: lap.time_fmt,
    is_clean: lap.is_clean,
  })

/** Opens the start page of a driver with two saved laps of the sample's circuit and one of another. */
async function openStart(page: Page): Promise<FakeBoards> {
  const boards = await boardsOfSample(page)
  boards.laps.push(
    aSavedLap(9, { has_reference: false, time_fmt: '0:59.999' }),
    ofSample(second!, 2),
    ofSample(fastest!, 1),
    ...[3, 4, 5, 6].map(number => aSavedLap(number)),
  )
  await aDriverWhoComesBack(page)
  await openFirstVisit(page)
  await untilSignedIn(page)
  return boards
}

const recent = (page: Page) => page.getByRole('list', { name: 'Saved last' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Your saved laps' })

test(
  'shows the last five laps that open again on the start page; one opens with its verdict and conditions',
  visit(async page => {
    const boards = await openStart(page)
    const rows = recent(page).getByRole('button')
    await rows.first().waitFor()
    assert.equal(await rows.count(), 5)
    assert.equal(await rows.filter({ hasText: '0:59.999' }).count(), 0)
    answerReference(boards, trackOf(sample, second!))
    await rows.first().click()
    assert.deepEqual(await shownLaps(page), [`Lap ${second!.lap} ${second!.time_fmt}`])
    const card = screen.loadedFile(page)
    await card.getByText(`Lap ${second!.lap} · 28 Feb 2026`).waitFor()
    await card.getByText('saved lap', { exact: true }).waitFor()
    await page.getByText('Air 71 °F · Partly Cloudy').waitFor()
    // Nothing is sent, and the board of that lap is there.
    await page.getByText('You have no lap on this leaderboard yet. “Your saved laps” shows why.').waitFor()
    assert.equal(boards.count(/^POST/), 0)
    await card.getByRole('button', { name: 'Close file' }).click()
    await rows.first().waitFor()
  }),
)

test(
  'compares an opened lap with another saved lap of that track and car, and offers no other',
  visit(async page => {
    const boards = await openStart(page)
    answerReference(boards, trackOf(sample, second!))
    await recent(page).getByRole('button').first().click()
    await shownLaps(page)
    await (await openSettings(page)).getByRole('button', { name: 'Your saved laps' }).click()
    const own = dialog(page).getByRole('listitem').filter({ hasText: fastest!.time_fmt! })
    await dialog(page).getByText('Open now').waitFor()
    assert.equal(await dialog(page).getByRole('button', { name: 'Use as Reference' }).count(), 1)
    answerReference(boards, trackOf(sample, fastest!))
    await own.getByRole('button', { name: 'Use as Reference' }).click()
    await toast(page, `Loaded reference lap from Your Lap ${fastest!.lap} · 28 Feb 2026`)
    await dialog(page).waitFor({ state: 'detached' })
    await compare.gauges(page).waitFor()
    assert.equal(await gapAtLine(page), gapMs)
  }),
)

test(
  'opens a saved lap again after a reload, until it is closed',
  visit(async page => {
    const boards = await openStart(page)
    answerReference(boards, trackOf(sample, second!))
    await recent(page).getByRole('button').first().click()
    const shown = await shownLaps(page)
    answerReference(boards, trackOf(sample, second!))
    await page.reload()
    await screen.loadedFile(page).getByText('saved lap', { exact: true }).waitFor()
    assert.deepEqual(await shownLaps(page), shown)
    await page.getByText('Air 71 °F · Partly Cloudy').waitFor()
    await screen.loadedFile(page).getByRole('button', { name: 'Close file' }).click()
    await recent(page).getByRole('button').first().waitFor()
    await page.reload()
    await recent(page).getByRole('button').first().waitFor()
    assert.equal(await screen.loadedFile(page).count(), 0)
    assert.equal(boards.count(/\/reference$/), 2)
  }),
)

test(
  'says that a lap cannot be opened, and keeps the session that is open',
  visit(
    async page => {
      const boards = await openStart(page)
      boards.answerNext(/\/reference$/, {
        problem: [503, 'ingest.store_unavailable', 'The store is away. Please try again.'],
      })
      await recent(page).getByRole('button').first().click()
      await screen.toast(page).getByText('The lap could not be opened.').waitFor()
      await screen.toast(page).getByText('The store is away. Please try again.').waitFor()
      await screen.chooseFile(page).waitFor()
    },
    { expected: [/\b503\b/] },
  ),
)

test(
  'takes the own best lap as the reference, from the card and from YOUR LAP in the full board',
  visit(async page => {
    const boards = await openSampleAsDriver(page)
    await turnOn(page)
    answerReference(boards, trackOf(sample, fastest!))
    await compare.card(page).getByRole('button', { name: 'My best' }).click()
    await toast(page, 'Loaded reference lap from apexhunter')
    await page.getByRole('button', { name: 'Show Full Leaderboard' }).click()
    const board = page.getByRole('dialog', { name: /^Leaderboard for/ })
    await board.getByRole('button', { name: 'Use as Reference: YOUR LAP' }).click()
    await board.waitFor({ state: 'detached' })
    // A loaded reference is cached.
    assert.equal(boards.count(/\/reference$/), 1)
  }),
)

test(
  'says that there is no own best lap to compare with',
  visit(async page => {
    await boardsOfSample(page)
    await aDriverWhoComesBack(page)
    await openFirstVisit(page)
    await untilSignedIn(page)
    await screen.trySample(page).click()
    await shownLaps(page)
    await turnOn(page)
    await compare.card(page).getByRole('button', { name: 'My best' }).click()
    await screen.toast(page).getByText('You have no lap on this leaderboard yet.').waitFor()
    assert.ok(await compare.card(page).getByRole('button', { name: 'My best' }).isEnabled())
  }),
)

const partial = { name: 'partial.ibt', bytes: anIbt({ lapTimesS: [] }) }

test(
  'shows the partial laps of a file without a complete one, from its toast, and sends nothing',
  visit(
    async page => {
      const boards = await openStart(page)
      await dropFiles(page, partial)
      await toast(page, 'No complete valid lap found. Please try uploading another file with valid laps.')
      await screen.toast(page).getByRole('button', { name: 'Show the partial laps' }).click()
      assert.deepEqual(await shownLaps(page), ['Lap 0', 'Lap 1'])
      assert.equal(await screen.validLapsOnly(page).isChecked(), false)
      await screen.traces(page).waitFor()
      assert.equal(boards.count(/^POST/), 0)
      // Also after a reload.
      await page.reload()
      assert.deepEqual(await shownLaps(page), ['Lap 0', 'Lap 1'])
    },
    { expected: [/\b404\b/] },
  ),
)

test(
  'offers the partial laps in the drop area, too, after the toast has gone',
  visit(async page => {
    await openFirstVisit(page)
    await dropFiles(page, partial)
    await screen.toast(page).first().waitFor()
    await screen.toast(page).first().waitFor({ state: 'detached' })
    await screen.dropArea(page).getByRole('button', { name: 'Show the partial laps' }).click()
    assert.deepEqual(await shownLaps(page), ['Lap 0', 'Lap 1'])
  }),
)
