import { aSavedLap } from '../../frontend/src/testing/a-saved-lap.ts'
import { openSettings } from './accounts.ts'
import { type Screens, testInBothThemes } from './axe-in-both-themes.ts'
import {
  card,
  dropRing,
  fullBoard,
  lapwingWithStore,
  openAsDriver,
  openFullBoard,
  openRanked,
  ring,
  ringDrivers,
} from './boards.ts'
import { screen } from './screen.ts'

const { visit, store } = await lapwingWithStore()

const never = { after: new Promise<void>(() => {}) }
const broken = { problem: [500, 'leaderboard.failed', 'Something went wrong.'] } as const
const monza = { ...ring, track_slug: 'monza', layout: 'gp', track_label: 'Monza, Grand Prix' }

/** Every state of boards and saved laps, with the steps that open it. */
const screens: Screens = {
  'a file that is being sent': async page => {
    const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
    boards.answerNext('POST /v1/upload/init', never)
    await dropRing(page)
    await card(page).getByText('Processing lap data...').waitFor()
  },
  'a place on the board': page => openRanked(page, store, 60),
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
  'a lap that is not saved': async page => {
    const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
    boards.answerNext('POST /v1/upload/init', broken)
    await dropRing(page)
    await card(page).getByText('Your best lap of this file is not saved.').waitFor()
  },
  'a board that cannot be had': async page => {
    const boards = await openAsDriver(page, store)
    boards.answerNext('POST /v1/upload/init', never)
    boards.answerNext('GET /leaderboards/context-id', broken, broken, broken)
    await dropRing(page)
    await card(page).getByText('Failed to load leaderboard data').waitFor()
  },
  'the full board': async page => {
    // The own row is in the middle of its page.
    await openRanked(page, store, 0, boards => boards.addEntries(ring, ringDrivers(60, 20_060)))
    const board = await openFullBoard(page)
    await board.getByRole('button', { name: 'Find Me' }).click()
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('YOUR LAP'))
  },
  'the open list of tracks': async page => {
    await openRanked(page, store, 60)
    await (await openFullBoard(page)).getByRole('combobox', { name: 'Track' }).click()
    await page.getByRole('option').first().waitFor()
  },
  'a board whose laps cannot be references': async page => {
    await openRanked(page, store, 3, boards => {
      boards.addEntries(monza, ringDrivers(5))
      // A single car would be chosen by itself.
      boards.addEntries({ ...monza, car_slug: 'other', car_label: 'Other' }, ringDrivers(1))
    })
    const board = await openFullBoard(page)
    await board.getByRole('combobox', { name: 'Track' }).click()
    await page.getByRole('option', { name: 'Monza, Grand Prix' }).click()
    await board.getByRole('combobox', { name: 'Car' }).click()
    await page.getByRole('option', { name: 'Lapwing GT' }).click()
    await board.getByText('Not Available').first().waitFor()
  },
  'an empty choice': async page => {
    await openRanked(page, store, 3, boards => {
      boards.addEntries(monza, ringDrivers(5))
      // A single car would be chosen by itself.
      boards.addEntries({ ...monza, car_slug: 'other', car_label: 'Other' }, ringDrivers(1))
    })
    const board = await openFullBoard(page)
    await board.getByRole('combobox', { name: 'Track' }).click()
    await page.getByRole('option', { name: 'Monza, Grand Prix' }).click()
    await fullBoard(page).getByText('Select a car to view').waitFor()
  },
  'the saved laps': async page => {
    await openAsDriver(page, store, ({ laps }) => {
      laps.push(
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
    })
    await (await openSettings(page)).getByRole('button', { name: 'Your saved laps' }).click()
    await page.getByRole('button', { name: 'Delete lap' }).first().click()
    await page.getByText('Nothing brings it back.').waitFor()
  },
}

/** An answer that fails causes some of the states. */
const expected = [/\b500\b/, /\b404\b/]

testInBothThemes(screens, { visit }, { expected })
