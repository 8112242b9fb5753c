import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { FakeBoardCall, FakeBoards } from '../../frontend/src/testing/fake-boards.ts'
import { runUntilVisible, stopClock } from './accounts.ts'
import {
  card,
  fullBoard,
  lapwingWithStore,
  openFullBoard,
  openRanked,
  rankColours,
  ring,
  ringDrivers,
} from './boards.ts'
import { pressBeside } from './screen.ts'

const { visit, visitTogether, store } = await lapwingWithStore()

const monza = { ...ring, track_slug: 'monza', layout: 'gp', track_label: 'Monza, Grand Prix' }
const single = { car_slug: 'training-single', car_label: 'Training Single-Seater' }

const track = (board: Locator) => board.getByRole('combobox', { name: 'Track' })
const car = (board: Locator) => board.getByRole('combobox', { name: 'Car' })
const rows = (board: Locator) => board.getByRole('row').filter({ has: board.page().getByRole('cell') })
const row = (board: Locator, name: string) => rows(board).filter({ hasText: name })

let farBehind: FakeBoards
/** For tests that close the board of a driver with rank 144 of 151: they share one window. */
const visitFarBehind = visitTogether(
  async page => {
    farBehind = await openRanked(page, store, 0, boards => boards.addEntries(ring, ringDrivers(150, 19_200)))
  },
  { reducedMotion: 'no-preference' },
)

async function close(page: Page): Promise<void> {
  // Escape would only close a tooltip.
  await fullBoard(page).getByRole('button', { name: 'Close', exact: true }).click()
  await fullBoard(page).waitFor({ state: 'detached' })
}

let ofBoard: FakeBoards
/** For tests that leave the open board as it is: they share one window. */
const visitBoard = visitTogether(async page => {
  ofBoard = await openRanked(page, store, 60, boards => boards.addEntries(monza, ringDrivers(3)))
  await openFullBoard(page)
})

test(
  'shows the title, the columns and the tooltips of the specification',
  visitBoard(async page => {
    const board = fullBoard(page)
    await board.getByRole('heading', { name: 'Leaderboard for Lapwing Ring, Short and Lapwing GT' }).waitFor()
    assert.deepEqual(await board.getByRole('columnheader').allTextContents(), [
      'Rank',
      'Driver',
      'Best Lap',
      'Delta',
      'Driven',
      'Session',
      'Conditions',
      'Actions',
    ])
    const head = (name: string) => board.getByRole('button', { name, exact: true })
    const hints: [Locator, string][] = [
      [track(board), 'Select a track to view its leaderboards'],
      [car(board), 'Select a car to view its leaderboard for the selected track'],
      [board.getByRole('button', { name: 'Refresh leaderboard' }), 'Refresh leaderboard'],
      [head('Rank'), 'Position in leaderboard for this car and track combination'],
      [head('Driver'), 'User who achieved this lap time'],
      [head('Best Lap'), 'Fastest lap time recorded by this driver'],
      [head('Delta'), 'Time difference relative to your personal best lap'],
      [head('Actions'), 'Use this lap as a reference for comparison against your own times'],
    ]
    for (const [control, hint] of hints) {
      const { x, y, width, height } = (await control.boundingBox())!
      // Move in steps like a hand: a jump counts as still moving to the previous tooltip.
      await page.mouse.move(x + width / 2, y + height / 2, { steps: 10 })
      await page.mouse.move(x + width / 2 + 2, y + height / 2, { steps: 2 })
      await page.getByRole('tooltip', { name: hint, exact: true }).waitFor()
    }
    // No tooltip is visible before the pointer arrives.
    await page.mouse.move(5, 5, { steps: 10 })
    await page.getByRole('tooltip').waitFor({ state: 'detached' })
  }),
)

test(
  'shows rank, driver, time and delta to the own lap, which has a badge and a label',
  visitBoard(async page => {
    const board = fullBoard(page)
    const texts = async (name: string) =>
      (
        await row(board, name).getByRole('cell').or(row(board, name).getByRole('rowheader')).allTextContents()
      ).map(text => text.trim())
    const facts = ['28 Feb 2026', 'Race', 'air 71 °F · Partly Cloudy']
    assert.deepEqual(await texts('slipstream'), [
      '1',
      'slipstream',
      '0:19.900',
      '−0.300',
      ...facts,
      'Use as Reference',
    ])
    assert.deepEqual(await texts('driver_44'), [
      '45',
      'driver_44',
      '0:20.201',
      '+0.001',
      ...facts,
      'Use as Reference',
    ])
    assert.deepEqual(await texts('apexhunter'), [
      '44',
      'apexhunterYOU',
      '0:20.200',
      '–',
      ...facts,
      'YOUR LAP',
    ])
    // A press takes the own lap as the reference.
    assert.equal(await row(board, 'apexhunter').getByRole('button').count(), 1)
    await board.getByText('Showing 50 of 61 drivers').waitFor()
  }),
)

test(
  'colours ranks 1, 2 and 3 purple, silver and bronze, those up to 10 green',
  visitBoard(async page => {
    const board = fullBoard(page)
    const colours = await rows(board).evaluateAll(list =>
      list.slice(0, 11).map(element => getComputedStyle(element.querySelector('td')!).color),
    )
    const tokens = await rankColours(page)
    const [first, second, third, green, other] = tokens
    assert.deepEqual(colours, [first, second, third, ...Array.from({ length: 7 }, () => green), other])
    assert.equal(new Set(tokens).size, 5)
  }),
)

test(
  'turns pages of 50 forwards and back, each from its top',
  visitFarBehind(async page => {
    const board = await openFullBoard(page)
    const [previous, next] = ['Previous', 'Next'].map(name => board.getByRole('button', { name }))
    assert.equal(await previous!.isEnabled(), false)
    await rows(board).last().scrollIntoViewIfNeeded()
    await next!.click()
    await row(board, 'driver_51').waitFor()
    await board.getByText('51–100').waitFor()
    assert.equal(await rows(board).count(), 50)
    assert.ok(await row(board, 'driver_51').isVisible())
    for (let turn = 0; turn < 2; turn++) await next!.click()
    await board.getByText('151–151').waitFor()
    await board.getByText('Showing 1 of 151 drivers').waitFor()
    assert.equal(await next!.isEnabled(), false)
    await previous!.click()
    await board.getByText('101–150').waitFor()
    const asked = farBehind.calls.filter(
      ({ what, query }) => what === 'GET /leaderboards' && query.limit === '50',
    )
    assert.deepEqual(
      asked.map(({ query }) => query.offset),
      ['0', '50', '100', '150'],
    )
    await close(page)
  }),
)

test(
  'opens the page of the own row with Find Me, scrolls to it and focuses it',
  visitFarBehind(async page => {
    const board = await openFullBoard(page)
    await board.getByRole('button', { name: 'Find Me' }).click()
    const own = row(board, 'apexhunter')
    await own.getByText('YOUR LAP').waitFor()
    await board.getByText('101–150').waitFor()
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('YOUR LAP'))
    // The row is lit for a moment.
    const lit = await own.evaluate(element => element.getAnimations().map(({ id }) => id))
    assert.deepEqual(lit, ['found'])
    const { y, height } = (await own.boundingBox())!
    const area = (await board.boundingBox())!
    assert.ok(y > area.y && y + height < area.y + area.height)

    // Also if the row is already on the page, out of sight.
    await rows(board).first().scrollIntoViewIfNeeded()
    await board.getByRole('button', { name: 'Find Me' }).click()
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('YOUR LAP'))
    await close(page)
  }),
)

test(
  'says with Find Me if there is no own row',
  visitBoard(async page => {
    const board = fullBoard(page)
    await track(board).click()
    await page.getByRole('option', { name: 'Monza, Grand Prix' }).click()
    // The only car of a track is chosen by itself, also after coming back.
    await board.getByRole('heading', { name: 'Leaderboard for Monza, Grand Prix and Lapwing GT' }).waitFor()
    await track(board).click()
    await page.getByRole('option', { name: 'Lapwing Ring, Short' }).click()
    await board.getByRole('heading', { name: 'Leaderboard for Lapwing Ring, Short and Lapwing GT' }).waitFor()
    await track(board).click()
    await page.getByRole('option', { name: 'Monza, Grand Prix' }).click()
    await board.getByRole('heading', { name: 'Leaderboard for Monza, Grand Prix and Lapwing GT' }).waitFor()
    await board.getByRole('button', { name: 'Find Me' }).click()
    await board.getByText('You have no lap on this leaderboard yet.').waitFor()
    await track(board).click()
    await page.getByRole('option', { name: 'Lapwing Ring, Short' }).click()
    await row(board, 'apexhunter').waitFor()
  }),
)

test(
  'clears the car and starts at the top for another track, and says why its laps cannot be references',
  visit(async page => {
    const boards = await openRanked(page, store, 120, boards => {
      boards.addEntries(monza, ringDrivers(7))
      boards.addEntries({ ...monza, ...single }, ringDrivers(2))
      boards.addEntries({ ...ring, ...single }, ringDrivers(2))
    })
    const board = await openFullBoard(page)
    await board.getByRole('button', { name: 'Next' }).click()
    await board.getByText('51–100').waitFor()
    await track(board).click()
    await page.getByRole('option').nth(1).waitFor()
    assert.deepEqual(await page.getByRole('option').allTextContents(), [
      'Lapwing Ring, Short',
      'Monza, Grand Prix',
    ])
    await page.getByRole('option', { name: 'Monza, Grand Prix' }).click()
    await board.getByText('Select a car to view its leaderboard for the selected track').waitFor()
    assert.equal(await rows(board).count(), 0)
    assert.equal(await board.getByRole('button', { name: 'Find Me' }).isEnabled(), false)
    const before = boards.count(/^GET \/leaderboards(\/context-id)?$/)

    await car(board).click()
    await page.getByRole('option').nth(1).waitFor()
    assert.deepEqual(await page.getByRole('option').allTextContents(), [
      'Lapwing GT',
      'Training Single-Seater',
    ])
    await page.getByRole('option', { name: 'Lapwing GT' }).click()
    await board.getByText('Showing 7 of 7 drivers').waitFor()
    assert.equal(boards.count(/^GET \/leaderboards(\/context-id)?$/), before + 2)
    await board.getByRole('heading', { name: 'Leaderboard for Monza, Grand Prix and Lapwing GT' }).waitFor()
    const unusable = row(board, 'trailbrake').getByRole('button', { name: 'Not Available' })
    await unusable.hover()
    await page
      .getByRole('tooltip', {
        name: 'To use this lap as a reference, upload a file with Monza, Grand Prix : Lapwing GT combination',
      })
      .waitFor()
    assert.equal(await board.getByRole('button', { name: 'Use as Reference' }).count(), 0)

    // The next opening shows the board of the file.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await fullBoard(page).waitFor({ state: 'detached' })
    const again = await openFullBoard(page)
    await again.getByRole('heading', { name: 'Leaderboard for Lapwing Ring, Short and Lapwing GT' }).waitFor()
    await again.getByText('1–50').waitFor()
  }),
)

test(
  'reports a driver to the moderators, and says why a report is refused',
  visitBoard(
    async page => {
      const board = fullBoard(page)
      await board.getByRole('button', { name: 'Report a driver' }).click()
      await board.getByText('Choose the driver to report.').waitFor()
      assert.equal(
        await row(board, 'apexhunter')
          .getByRole('button', { name: /^Report/ })
          .count(),
        0,
      )
      ofBoard.answerNext('POST /leaderboards/reports', {
        problem: [429, 'leaderboard.too_many_reports', 'You have sent many reports today.'],
      })
      const report = row(board, 'trailbrake').getByRole('button', { name: 'Report: trailbrake' })
      await report.click()
      await page.getByRole('button', { name: 'The name is offensive' }).click()
      await board.getByText('You have sent many reports today.').waitFor()
      await report.click()
      await page.getByRole('button', { name: 'The lap cannot be real' }).click()
      await board.getByText('Reported. A moderator will look at it.').waitFor()
      await row(board, 'trailbrake').getByRole('button', { name: 'Use as Reference: trailbrake' }).waitFor()
      const reported = ofBoard.calls.filter(({ what }) => what === 'POST /leaderboards/reports')
      assert.deepEqual(
        reported.map(({ body }) => (body as { reason: string }).reason),
        ['name', 'lap'],
      )
    },
    { expected: [/\b429\b/] },
  ),
)

test(
  'shows a separate board of clean laps, and says if it has no drivers',
  visitBoard(async page => {
    const board = fullBoard(page)
    await board.getByText('Showing 50 of 61 drivers').waitFor()
    await board.getByRole('radio', { name: 'Clean' }).click()
    // Two of three, and the driver.
    await board.getByText('Showing 41 of 41 drivers').waitFor()
    assert.equal(await rows(board).count(), 41)
    await board.getByRole('radio', { name: 'All laps' }).click()
    await board.getByText('Showing 50 of 61 drivers').waitFor()
  }),
)

test(
  'says that no drivers were found on an empty board',
  visit(async page => {
    const boards = await openRanked(page, store, 3)
    boards.answerNext(/^GET \/leaderboards\?.*limit=50/, () =>
      Response.json({
        ok: true,
        context_id: 1,
        p1_ms: null,
        delta_reference: 'user',
        user_lap_ms: null,
        rows: [],
        total: 0,
        limit: 50,
        offset: 0,
        next_offset: null,
        next_cursor: null,
      }),
    )
    await page.getByRole('button', { name: 'Show Full Leaderboard' }).click()
    await fullBoard(page).getByText('No drivers found matching your search.').waitFor()
    await fullBoard(page).getByText('Showing 0 of 0 drivers').waitFor()
  }),
)

test(
  'reports a page that cannot be loaded, and loads it with Retry',
  visit(
    async page => {
      const boards = await openRanked(page, store, 5)
      const broken = { problem: [500, 'leaderboard.failed', 'Something went wrong.'] } as const
      boards.answerNext(/^GET \/leaderboards\?.*limit=50/, broken, broken, broken)
      await page.getByRole('button', { name: 'Show Full Leaderboard' }).click()
      await fullBoard(page).getByText('Failed to load leaderboard data.').waitFor()
      await fullBoard(page).getByRole('button', { name: 'Retry' }).click()
      await row(fullBoard(page), 'slipstream').waitFor()
    },
    { expected: [/\b500\b/] },
  ),
)

test(
  'fetches the page again with Refresh, then blocks it for 30 s, even after closing the dialog',
  visit(async page => {
    await page.clock.install()
    const boards = await openRanked(page, store, 5)
    const board = await openFullBoard(page)
    const pages = () => boards.calls.filter(({ query }) => query.limit === '50').length
    const refresh = board.getByRole('button', { name: /^Refresh leaderboard/ })
    boards.addEntries(ring, [{ userId: 'user-new', name: 'newcomer', timeMs: 19_000 }])
    const before = pages()
    // The test advances each second, so a slow machine does not matter.
    await stopClock(page)
    await refresh.click()
    await row(board, 'newcomer').waitFor()
    await refresh.getByText('30 s').waitFor()
    await page.clock.fastForward(1000)
    await refresh.getByText('29 s').waitFor()
    await refresh.click({ force: true })
    await page.clock.resume()
    await page.keyboard.press('Escape')
    await board.waitFor({ state: 'detached' })
    await openFullBoard(page)
    await refresh.getByText(/^\d\d? s$/).waitFor()
    assert.equal(pages(), before + 1)
    await page.clock.fastForward(30_000)
    await board.getByRole('button', { name: 'Refresh leaderboard', exact: true }).waitFor()
  }),
)

test(
  'caches a page and the own rank for 30 s, the board for 60 s, tracks and cars for 300 s',
  visit(async page => {
    await page.clock.install()
    const boards = await openRanked(page, store, 5)
    const kinds: readonly [string, (call: FakeBoardCall) => boolean][] = [
      ['page', ({ query }) => query.limit === '50'],
      ['me', ({ what, query }) => what.endsWith('/me') && query.window === '10'],
      ['context', ({ what }) => what.endsWith('/context-id')],
      ['tracks', ({ what }) => what.endsWith('/tracks')],
      ['cars', ({ what }) => what.endsWith('/cars')],
    ]
    const counts = () => kinds.map(([, isIt]) => boards.calls.filter(isIt).length)
    await stopClock(page)
    /** For each kind, the openings of the board that fetched it. */
    const asked = new Map<string, number[]>(kinds.map(([name]) => [name, []]))
    const pageMs = () => page.evaluate(() => Date.now())
    const firstMs = await pageMs()
    for (let opening = 0; opening <= 22; opening++) {
      await page.clock.runFor(firstMs + opening * 14_000 - (await pageMs()))
      const before = counts()
      await page.getByRole('button', { name: 'Show Full Leaderboard' }).click()
      const board = fullBoard(page)
      await runUntilVisible(page, row(board, 'slipstream'))
      // A request after theirs, so that all earlier ones have arrived.
      await page.evaluate(() => fetch('/config.json').then(answer => answer.text()))
      await page.keyboard.press('Escape')
      await board.waitFor({ state: 'detached' })
      const now = counts()
      for (const [index, [name]] of kinds.entries()) {
        if (now[index]! > before[index]!) asked.get(name)!.push(opening)
      }
    }
    // Every 14 s: the first opening that is more than the lifetime after the previous fetch.
    assert.deepEqual(Object.fromEntries(asked), {
      page: [0, 3, 6, 9, 12, 15, 18, 21],
      me: [0, 3, 6, 9, 12, 15, 18, 21],
      context: [5, 10, 15, 20],
      tracks: [0, 22],
      cars: [0, 22],
    })
  }),
)

test(
  'closes a list first and then the dialog on a press outside or Escape, and returns the focus',
  visitBoard(async page => {
    const board = fullBoard(page)
    const options = page.getByRole('option')
    await track(board).click()
    await options.first().waitFor()
    await board.getByRole('heading').click()
    await options.first().waitFor({ state: 'detached' })
    await car(board).click()
    await options.first().waitFor()
    await page.keyboard.press('Escape')
    await options.first().waitFor({ state: 'detached' })
    assert.ok(await board.isVisible())
    await page.keyboard.press('Escape')
    await board.waitFor({ state: 'detached' })
    // The focus returns in a task after the one that closes the dialog.
    const focusIsBack = () =>
      page.waitForFunction(() => document.activeElement?.textContent === 'Show Full Leaderboard')
    await focusIsBack()

    await page.keyboard.press('Enter')
    await row(fullBoard(page), 'slipstream').waitFor()
    await pressBeside(page, 8, 400)
    await board.waitFor({ state: 'detached' })
    await focusIsBack()
    await openFullBoard(page)
  }),
)

test(
  'chooses a board and turns its pages by keys alone, with the focus in the dialog',
  visitFarBehind(async page => {
    await page.getByRole('button', { name: 'Show Full Leaderboard' }).press('Enter')
    const board = fullBoard(page)
    await row(board, 'slipstream').waitFor()
    await board.getByRole('button', { name: 'Next' }).press('Enter')
    await board.getByText('51–100').waitFor()
    await page.waitForFunction(() => document.activeElement?.textContent === 'Next')
    for (let presses = 0; presses < 70; presses++) {
      await page.keyboard.press('Tab')
      assert.ok(await board.evaluate(element => element.contains(document.activeElement)))
    }
    await close(page)
  }),
)

test(
  'marks a lap that its driver does not share as Not Available before a press, in dialog and card',
  visit(async page => {
    const boards = await openRanked(page, store, 0, boards => {
      const [first, second] = ringDrivers(2)
      boards.addEntries(ring, [first!, { ...second!, isShared: false }])
    })
    await page.getByRole('switch', { name: 'Compare Laps' }).click()
    await card(page)
      .getByRole('button', { name: /slipstream.*Use as Reference/ })
      .waitFor()
    assert.equal(
      await card(page)
        .getByRole('button', { name: /kerbside_kate/ })
        .count(),
      0,
    )
    const board = await openFullBoard(page)
    await row(board, 'slipstream').getByRole('button', { name: 'Use as Reference' }).waitFor()
    const unshared = row(board, 'kerbside_kate').getByRole('button', { name: 'Not Available' })
    await unshared.hover()
    await page.getByRole('tooltip', { name: 'This lap is not shared, or it is gone.' }).waitFor()
    // The button is disabled, so the press has to be forced.
    await unshared.click({ force: true })
    assert.equal(boards.count(/\/reference$/), 0)
  }),
)
