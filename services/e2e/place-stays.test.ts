import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { openDialog, openSettings, stopClock } from './accounts.ts'
import {
  card,
  dropRing,
  fullBoard,
  lapwingWithStore,
  openAsDriver,
  openFullBoard,
  openRanked,
  ring,
  ringBestMs,
} from './boards.ts'
import { desktop, phone } from './harness.ts'
import { openFirstVisit, screen } from './screen.ts'

/** Content on the page neither moves nor contradicts itself when something beside it changes. */
const { visit, store } = await lapwingWithStore()

const top = async (control: Locator) => (await control.boundingBox())!.y

for (const [name, viewport] of Object.entries({ desktop, phone })) {
  test(
    `${name}: moves nothing above the button of the auth dialog on an error, and clears the notice at the next change`,
    visit(
      async page => {
        await openFirstVisit(page)
        const dialog = await openDialog(page, 'Sign up')
        const field = (label: string) => dialog.getByRole('textbox', { name: label, exact: true })
        const name = field('Username')
        const before = [await top(name), await top(dialog.getByRole('checkbox'))]
        await dialog.getByRole('button', { name: 'Create account' }).click()
        await dialog.getByRole('alert').getByText('Enter email and password', { exact: true }).waitFor()
        assert.deepEqual([await top(name), await top(dialog.getByRole('checkbox'))], before)
        await field('Email').fill('driver@lapwing.test')
        await dialog.getByRole('alert').waitFor({ state: 'detached' })
        assert.equal(await top(name), before[0])
        await name.fill('1')
        await dialog.getByText('Username must be at least 3 characters long').waitFor()
        assert.equal(await top(name), before[0])

        await dialog.getByRole('tab', { name: 'Log in' }).click()
        const tab = await top(dialog.getByRole('tab', { name: 'Log in' }))
        await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
        await dialog.getByRole('alert').waitFor()
        await field('Password').fill('a')
        await dialog.getByRole('alert').waitFor({ state: 'detached' })
        assert.equal(await top(dialog.getByRole('tab', { name: 'Log in' })), tab)
      },
      { viewport },
    ),
  )
}

test(
  'shows where the link for a new password was sent, even after the toast',
  visit(async page => {
    await openFirstVisit(page)
    const dialog = await openDialog(page, 'Log in')
    await dialog.getByRole('button', { name: 'Forgot Password' }).click()
    await dialog.getByLabel('Email').fill('driver@lapwing.test')
    await page.keyboard.press('Enter')
    await dialog.getByRole('status').getByText('A mail is on its way to driver@lapwing.test.').waitFor()
    await dialog.getByLabel('Email').fill('other@lapwing.test')
    await dialog.getByText('A mail is on its way').waitFor({ state: 'detached' })
  }),
)

test(
  'counts down in place of Refresh, in the card and over the board',
  visit(async page => {
    await page.clock.install()
    await openRanked(page, store, 60)
    await stopClock(page)
    const button = page.getByRole('button', { name: 'Show Full Leaderboard' })
    const place = await button.boundingBox()
    await card(page)
      .getByRole('button', { name: /^Refresh/ })
      .click()
    await card(page).getByText('30 s').waitFor()
    assert.deepEqual(await button.boundingBox(), place)
    await page.clock.resume()

    const board = await openFullBoard(page)
    const find = board.getByRole('button', { name: 'Find Me' })
    const at = await find.boundingBox()
    await board.getByRole('button', { name: /^Refresh/ }).click()
    await board.getByText(/^\d\d s$/).waitFor()
    assert.deepEqual(await find.boundingBox(), at)
  }),
)

test(
  'shows the own name in full on a phone’s board, with YOU and YOUR LAP beside it',
  visit(
    async page => {
      await openRanked(page, store, 5)
      const board = await openFullBoard(page)
      const own = board.getByRole('row').filter({ hasText: 'YOUR LAP' })
      await own.getByText('YOU', { exact: true }).waitFor()
      const name = own.getByText('apexhunter', { exact: true })
      const cell = own.getByRole('rowheader')
      // The name has the whole cell.
      const { x, width } = (await cell.boundingBox())!
      assert.ok((await name.boundingBox())!.width <= width)
      assert.ok((await cell.getByText('YOU', { exact: true }).boundingBox())!.x > x + width)
    },
    { viewport: { width: 360, height: 740 } },
  ),
)

test(
  'shows the longest name in full in the card, without a higher row',
  visit(async page => {
    const name = 'kerbrider_of_the_100'
    await openRanked(page, store, 5, boards =>
      boards.addEntries(ring, [{ userId: 'user-long', name, timeMs: ringBestMs - 1 }]),
    )
    const shown = card(page).getByText(name, { exact: true })
    const isCut = await shown.evaluate(
      element => element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight,
    )
    assert.equal(isCut, false)
    const heights = await Promise.all(
      (await card(page).getByRole('listitem').all()).map(async item => (await item.boundingBox())!.height),
    )
    assert.deepEqual(new Set(heights).size, 1)
  }),
)

test(
  'shows a new name in the leaderboard as soon as it is saved',
  visit(async page => {
    await openRanked(page, store, 5)
    await card(page).getByText('apexhunter').waitFor()
    const settings = await openSettings(page)
    await settings.getByRole('button', { name: 'Edit username' }).click()
    const dialog = page.getByRole('dialog', { name: /username/i })
    await dialog.getByLabel('Username').fill('late_apex')
    await dialog.getByText('Username available').waitFor()
    await page.keyboard.press('Enter')
    await screen.toast(page).getByText('Username updated successfully!').waitFor()
    // The board itself receives it later.
    await card(page).getByText('late_apex').waitFor()
    await openFullBoard(page)
    await fullBoard(page).getByText('late_apex').waitFor()
    assert.equal(await page.getByText('apexhunter').count(), 0)
  }),
)

test(
  'offers Retry where a board that cannot be loaded says so',
  visit(
    async page => {
      const boards = await openAsDriver(page, store)
      const broken = { problem: [500, 'leaderboard.failed', 'Something went wrong.'] } as const
      boards.answerNext('GET /leaderboards/context-id', broken, broken, broken)
      boards.answerNext('POST /v1/upload/init', { after: new Promise(() => {}) })
      await dropRing(page)
      await card(page).getByText('Failed to load leaderboard data', { exact: true }).waitFor()
      await card(page).getByRole('button', { name: 'Retry' }).click()
      await card(page).getByText('Fetching latest leaderboard data...').waitFor()
    },
    { expected: [/\b(500|404)\b/] },
  ),
)
