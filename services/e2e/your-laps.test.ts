import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { aSavedLap } from '../../frontend/src/testing/a-saved-lap.ts'
import { openSettings } from './accounts.ts'
import { card, fullBoard, lapwingWithStore, openRanked } from './boards.ts'
import { screen, untilFocused } from './screen.ts'

const { visit, visitWithBoards, store } = await lapwingWithStore()

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Your saved laps' })
const laps = (page: Page) => dialog(page).getByRole('listitem')

const withBoards = visitWithBoards(async page => {
  await dialog(page).getByRole('button', { name: 'Close', exact: true }).click()
  await dialog(page).waitFor({ state: 'detached' })
})

async function openFromSettings(page: Page): Promise<void> {
  await (await openSettings(page)).getByRole('button', { name: 'Your saved laps' }).click()
  await laps(page).first().waitFor()
}

test(
  'lists saved laps newest first, with their verdicts in plain words',
  withBoards(async (page, boards) => {
    boards.laps.push(
      aSavedLap(5, { on_board: ['complete', 'clean'] }),
      aSavedLap(4, {
        time_fmt: '0:51.290',
        is_clean: false,
        reasons: ['INCIDENT'],
        on_board: [],
        driven_at: null,
      }),
      aSavedLap(3, {
        time_ms: null,
        time_fmt: null,
        time_source: null,
        is_completed: false,
        is_clean: false,
        reasons: ['NO_OPEN', 'OUT'],
        has_reference: false,
      }),
    )
    await openFromSettings(page)
    const [best, unclean, out] = await laps(page).all()
    const group = dialog(page).getByRole('region', { name: 'Summit Point, Jefferson — Ray FF1600' })
    await group.getByText('28 Feb 2026 · Practice · air 71 °F · Partly Cloudy').waitFor()
    assert.equal(await group.getByRole('listitem').count(), 3)
    await best!.getByText('Complete and clean').waitFor()
    await best!.getByText('Lap 5 · driven').waitFor()
    assert.equal(await best!.locator('time').getAttribute('datetime'), '2026-02-28T19:30:00.000Z')
    await unclean!.getByText('Lap 4 · saved').waitFor()
    assert.equal(await unclean!.locator('time').getAttribute('datetime'), '2026-03-01T12:00:00.000Z')
    await best!.getByText('Your entry on the leaderboard, and among the clean laps').waitFor()
    await unclean!.getByText('0:51.290').waitFor()
    await unclean!.getByText('Complete, not clean: Touched a wall or lost control (1x or more).').waitFor()
    await out!.getByText('No time').waitFor()
    await out!.getByText('Not a complete lap: Out lap: started from the pits.').waitFor()
    assert.equal(await out!.getByRole('switch').count(), 0)
    await out!.getByText('Its telemetry is not stored, so it cannot be opened.').waitFor()
    assert.equal(await out!.getByRole('button', { name: 'Open' }).count(), 0)
  }),
)

test(
  'explains to a driver without saved laps how to save them',
  withBoards(async page => {
    await (await openSettings(page)).getByRole('button', { name: 'Your saved laps' }).click()
    await dialog(page)
      .getByText('No laps are saved yet. Load a session while you are signed in, and its laps appear here.')
      .waitFor()
  }),
)

test(
  'loads more laps on request, until there are no more',
  withBoards(async (page, boards) => {
    boards.laps.push(...Array.from({ length: 60 }, (_, index) => aSavedLap(index + 1)))
    await openFromSettings(page)
    assert.equal(await laps(page).count(), 50)
    await dialog(page).getByRole('button', { name: 'Load more' }).click()
    await laps(page).nth(59).waitFor()
    await dialog(page).getByRole('button', { name: 'Load more' }).waitFor({ state: 'detached' })
  }),
)

test(
  'hides a lap from references, and shows it again',
  withBoards(async (page, boards) => {
    boards.laps.push(aSavedLap(1), aSavedLap(2))
    await openFromSettings(page)
    const reference = laps(page).first().getByRole('switch', { name: 'Reference' })
    assert.equal(await reference.isChecked(), true)
    const asked = page.waitForRequest(request => request.method() === 'PATCH')
    await reference.click()
    await dialog(page).getByRole('switch', { checked: false }).waitFor()
    assert.deepEqual((await asked).postDataJSON(), { reference_allowed: false })
    await reference.click()
    await page.waitForFunction(
      () => document.querySelectorAll('[role=switch][aria-checked=false]').length === 0,
    )
  }),
)

test(
  'deletes a lap only after it is confirmed, and fetches the boards again',
  visit(async page => {
    const boards = await openRanked(page, store, 60, ({ laps }) => {
      laps.push(aSavedLap(1, { on_board: ['complete'] }), aSavedLap(2, { time_fmt: '0:51.290' }))
    })
    await card(page).getByRole('button', { name: 'Your saved laps' }).click()
    const first = laps(page).first()
    await first.getByRole('button', { name: 'Delete lap' }).click()
    await first.getByText('It leaves the leaderboard, and your next best lap takes its place.').waitFor()
    await page.waitForFunction(() => document.activeElement?.textContent === 'Keep it')
    await page.keyboard.press('Enter')
    await first.getByText('Nothing brings it back.').waitFor({ state: 'detached' })
    assert.equal(boards.count(/^DELETE/), 0)

    const placeAsked = page.waitForRequest(/\/me(\?|$)/)
    await first.getByRole('button', { name: 'Delete lap' }).click()
    await first.getByRole('group').getByRole('button', { name: 'Delete lap' }).click()
    await screen.toast(page).getByText('Lap deleted.').waitFor()
    await laps(page).nth(1).waitFor({ state: 'detached' })
    assert.equal(boards.count(/^DELETE \/laps\/10000000-0000-4000-8000-000000000001$/), 1)
    await placeAsked
  }),
)

test(
  'reports why a list cannot be loaded, and retries it',
  withBoards(
    async (page, boards) => {
      boards.laps.push(aSavedLap(1))
      boards.answerNext('GET /laps', { problem: [503, 'ingest.busy', 'Too much is going on.'] })
      await (await openSettings(page)).getByRole('button', { name: 'Your saved laps' }).click()
      await dialog(page).getByRole('alert').getByText('Too much is going on.').waitFor()
      await dialog(page).getByRole('button', { name: 'Try again' }).click()
      await laps(page).first().waitFor()
    },
    { expected: [/\b503\b/] },
  ),
)

test(
  'reports in Your saved laps and in the full board that their code cannot be loaded; Retry opens each',
  visit(
    async page => {
      await openRanked(page, store, 60, ({ laps }) => {
        laps.push(aSavedLap(1))
      })
      for (const [name, code, title, opened] of [
        ['Your saved laps', /\/YourLapsDialog[^/]*\.js/, 'Your saved laps', laps(page)],
        ['Show Full Leaderboard', /\/LeaderboardDialog[^/]*\.js/, 'Leaderboard', fullBoard(page)],
      ] as const) {
        await page.route(code, route => route.abort())
        await card(page).getByRole('button', { name }).click()
        const failed = page.getByRole('dialog', { name: title, exact: true })
        await failed.getByRole('alert').getByText('This part of the page could not be loaded.').waitFor()
        await page.unroute(code)
        await failed.getByRole('button', { name: 'Retry' }).click()
        await opened.first().waitFor()
        await untilFocused(page.getByRole('dialog'))
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await card(page).getByText('#44', { exact: true }).waitFor()
      }
    },
    { expected: [/\/assets\//, /Failed to load resource/, /ERR_FAILED/, /dynamically imported module/] },
  ),
)
