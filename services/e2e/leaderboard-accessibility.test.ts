import type { Locator, Page } from 'playwright-core'
import { aSavedLap } from '../../frontend/src/testing/a-saved-lap.ts'
import type { FakeBoards } from '../../frontend/src/testing/fake-boards.ts'
import { openSettings } from './accounts.ts'
import { type Screens, testInBothThemes } from './axe-in-both-themes.ts'
import { card, dropRing, lapwingWithStore, openAsDriver, openFullBoard, ring, ringDrivers } from './boards.ts'
import { closeFile, screen } from './screen.ts'

const { store, ...stack } = await lapwingWithStore()

const never = { after: new Promise<void>(() => {}) }
const broken = { problem: [500, 'leaderboard.failed', 'Something went wrong.'] } as const
const monza = { ...ring, track_slug: 'monza', layout: 'gp', track_label: 'Monza, Grand Prix' }
const init = 'POST /v1/upload/init'

let boards: FakeBoards

/** Opens the full board of Monza before its car is chosen. */
async function openMonza(page: Page): Promise<Locator> {
  const board = await openFullBoard(page)
  await board.getByRole('combobox', { name: 'Track' }).click()
  await page.getByRole('option', { name: 'Monza, Grand Prix' }).click()
  await board.getByText('Select a car to view').waitFor()
  return board
}

/** States of boards and saved laps, with the steps that lead from one to the next. */
const screens: Screens = {
  'a lap that is not saved': async page => {
    boards.answerNext(init, broken)
    await dropRing(page)
    await card(page).getByText('Your best lap of this file is not saved.').waitFor()
  },
  'a file that is being sent': async page => {
    await closeFile(page)
    boards.answerNext(init, never)
    await dropRing(page)
    await card(page).getByText('Processing lap data...').waitFor()
  },
  'a place on the board': async page => {
    await closeFile(page)
    await dropRing(page)
    await card(page).getByText(/^#\d/).waitFor()
  },
  'the full board': async page => {
    const board = await openFullBoard(page)
    await board.getByRole('button', { name: 'Find Me' }).click()
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('YOUR LAP'))
  },
  'the open list of tracks': async page => {
    await (await openFullBoard(page)).getByRole('combobox', { name: 'Track' }).click()
    await page.getByRole('option').first().waitFor()
  },
  'an empty choice': openMonza,
  'a board whose laps cannot be references': async page => {
    const board = await openMonza(page)
    await board.getByRole('combobox', { name: 'Car' }).click()
    await page.getByRole('option', { name: 'Lapwing GT' }).click()
    await board.getByText('Not Available').first().waitFor()
  },
  'the saved laps': async page => {
    boards.laps.push(
      aSavedLap(1, { on_board: ['complete', 'clean'] }),
      aSavedLap(2, { is_clean: false, reasons: ['INCIDENT'], reference_allowed: false }),
      aSavedLap(3, {
        is_completed: false,
        is_clean: false,
        reasons: ['OUT'],
        time_fmt: null,
        time_ms: null,
      }),
      ...Array.from({ length: 60 }, (_, index) => aSavedLap(index + 10)),
    )
    await (await openSettings(page)).getByRole('button', { name: 'Your saved laps' }).click()
    await page.getByRole('button', { name: 'Delete lap' }).first().click()
    await page.getByText('Nothing brings it back.').waitFor()
  },
}

/** An answer that fails causes some of the states. */
const expected = [/\b500\b/, /\b404\b/]

testInBothThemes(screens, stack, {
  expected,
  async start(page) {
    boards = await openAsDriver(page, store, boards => {
      // The own row is in the middle of its page.
      boards.addEntries(ring, ringDrivers(60, 20_060))
      boards.addEntries(monza, ringDrivers(5))
      // A single car would be chosen by itself.
      boards.addEntries({ ...monza, car_slug: 'other', car_label: 'Other' }, ringDrivers(1))
    })
  },
})

/** States that an answer from before, or the clock after them, would change. */
const others: Screens = {
  'a board that takes too long': async page => {
    await page.clock.install()
    await openAsDriver(page, store, boards => {
      boards.addEntries(ring, ringDrivers(3))
      boards.settings.isBoardLate = true
    })
    await dropRing(page)
    await screen.toast(page).getByText('Best lap saved to leaderboard!').waitFor()
    await page.clock.fastForward(65_000)
    await card(page).getByText('Taking longer than expected...').waitFor()
  },
  'a board that cannot be had': async page => {
    const boards = await openAsDriver(page, store)
    boards.answerNext(init, never)
    boards.answerNext('GET /leaderboards/context-id', broken, broken, broken)
    await dropRing(page)
    await card(page).getByText('Failed to load leaderboard data').waitFor()
  },
}

testInBothThemes(others, stack, { expected })
