import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { FakeBoards } from '../../frontend/src/testing/fake-boards.ts'
import { runUntilVisible, stopClock } from './accounts.ts'
import {
  card,
  dropRing,
  heldBack,
  lapwingWithStore,
  noLapsYet,
  openAsDriver,
  openRanked,
  rankColours,
  ring,
  ringBestMs,
  ringDrivers,
} from './boards.ts'
import { sampleBoard } from './compare.ts'
import { dropFiles } from './give-file.ts'
import { closeFile, screen } from './screen.ts'
import { anIbt } from './testing/an-ibt.ts'

const { visit, visitTogether, store } = await lapwingWithStore()

const contextId = 'GET /leaderboards/context-id'
const ingest = 'POST /laps/ingest-best-from-session'
const retry = (page: Page) => card(page).getByRole('button', { name: 'Retry' })

let boards: FakeBoards
const visitAsDriver = visitTogether(
  async page => {
    boards = await openAsDriver(page, store)
  },
  { leave: closeFile },
)

/** A circuit that no test before has seen: its board, with so many drivers, and the file of a session there. */
function newRing(drivers: number) {
  rings++
  const name = `Lapwing Ring ${rings}`
  const combination = { ...ring, track_slug: `lapwing-ring-${rings}`, track_label: `${name}, Short` }
  boards.addEntries(combination, ringDrivers(drivers))
  boards.settings.drive = { combination, timeMs: ringBestMs }
  const bytes = anIbt({ lapTimesS: [21.4, 20.2, 20.9], names: { 'Lapwing Ring': name } })
  return { combination, file: { name: 'ring.ibt', bytes } }
}

let rings = 0

/** Returns the texts of the rows around the driver, with spaces between their parts. */
async function shownRows(page: Page): Promise<string[]> {
  const rows = await card(page).getByRole('listitem').all()
  // biome-ignore lint/performance/useDomNodeTextContent: only the layout separates the parts
  return Promise.all(rows.map(async row => (await row.innerText()).replace(/\s+/g, ' ').trim()))
}

test(
  'waits for a first lap of a combination while it is judged, then shows it as leader without a delta',
  visitAsDriver(async page => {
    const { file } = newRing(0)
    const { released, release } = heldBack()
    boards.answerNext(ingest, { after: released })
    await dropFiles(page, file)
    await card(page).getByText('Fetching latest leaderboard data...').waitFor()
    release()
    await card(page).getByText('#1', { exact: true }).waitFor()
    assert.equal(await card(page).getByText('to P1').isVisible(), false)
    assert.deepEqual(await shownRows(page), ['1 apexhunter YOU 0:20.200'])
    await card(page).getByText('of 1', { exact: true }).waitFor()
  }, noLapsYet),
)

test(
  'processes a lap among others, then shows it with its delta between the leader and the neighbours',
  visitAsDriver(async page => {
    const { file } = newRing(1203)
    const { released, release } = heldBack()
    boards.answerNext(ingest, { after: released })
    await dropFiles(page, file)
    await card(page).getByText('Processing lap data...').waitFor()
    release()
    await card(page).getByText('#44', { exact: true }).waitFor()
    await card(page).getByText('of 1,204', { exact: true }).waitFor()
    await card(page).getByText('+0.300 to P1').waitFor()
    assert.deepEqual(await shownRows(page), [
      '1 slipstream 0:19.900 −0.300 Use as Reference',
      '43 driver_43 0:20.194 −0.006 Use as Reference',
      '44 apexhunter YOU 0:20.200',
      '45 driver_44 0:20.201 +0.001 Use as Reference',
    ])
  }),
)

test(
  'shows an existing entry immediately, while the newer lap is processed',
  visitAsDriver(async page => {
    const { combination, file } = newRing(60)
    await dropFiles(page, file)
    await card(page).getByText('#44', { exact: true }).waitFor()
    const { released, release } = heldBack()
    boards.answerNext(ingest, { after: released })
    boards.settings.drive = { combination, timeMs: 19_950 }
    await dropFiles(page, { ...file, name: 'better.ibt' })
    await screen.loadedFile(page).getByText('better.ibt').waitFor()
    await card(page).getByText('Processing lap data...').waitFor()
    await card(page).getByText('#44', { exact: true }).waitFor()
    release()
    await card(page).getByText('#9', { exact: true }).waitFor()
    await card(page).getByText('Processing lap data...').waitFor({ state: 'detached' })
  }),
)

test(
  'colours the own rank in the card purple, silver and bronze for 1, 2 and 3, and green up to 10',
  visitAsDriver(async page => {
    const { combination, file } = newRing(60)
    const colours: Record<number, string> = {}
    for (const [rank, timeMs] of [
      [11, 19_965],
      [10, 19_960],
      [3, 19_910],
      [2, 19_905],
      [1, 19_890],
    ] as const) {
      boards.settings.drive = { combination, timeMs }
      await dropFiles(page, { ...file, name: `rank-${rank}.ibt` })
      const shown = card(page).getByText(`#${rank}`, { exact: true })
      await shown.waitFor()
      colours[rank] = await shown.evaluate(element => getComputedStyle(element).color)
    }
    const [first, second, third, green, other] = await rankColours(page)
    assert.deepEqual(colours, { 1: first, 2: second, 3: third, 10: green, 11: other })
  }),
)

test(
  'reports a missing entry after 60 s, and loads it with Retry',
  visit(async page => {
    await page.clock.install()
    const boards = await openAsDriver(page, store, boards => {
      boards.addEntries(ring, ringDrivers(3))
      boards.settings.isBoardLate = true
    })
    await dropRing(page)
    await screen.toast(page).getByText('Best lap saved to leaderboard!').waitFor()
    await card(page).getByText('Processing lap data...').waitFor()
    await page.clock.fastForward(40_000)
    await card(page).getByText('Processing lap data...').waitFor()
    assert.equal(await retry(page).isVisible(), false)
    await page.clock.fastForward(25_000)
    await card(page).getByText('Taking longer than expected...').waitFor()
    await card(page).getByText('Still waiting for leaderboard update...').waitFor()

    boards.settings.isBoardLate = false
    await retry(page).click()
    await card(page).getByText(/^#\d/).waitFor()
    assert.equal(boards.count(ingest), 2)
    assert.equal(boards.count('POST /v1/upload/init'), 1)
  }),
)

test(
  'does not wait for an entry that has left the board',
  visit(async page => {
    await page.clock.install()
    const boards = await openRanked(page, store, 60)
    await page.clock.fastForward(65_000)
    boards.answerNext(/^GET .*\/me(\?|$)/, () =>
      Response.json({ ok: true, context_id: 1, me: null, window: [], total: 60 }),
    )
    await card(page).getByRole('button', { name: 'Refresh' }).click()
    await card(page).getByText('You have no lap on this leaderboard yet.').waitFor()
    assert.equal(await retry(page).count(), 0)
  }),
)

test(
  'finds a late entry without a press',
  visit(async page => {
    await page.clock.install()
    const boards = await openAsDriver(page, store, boards => {
      boards.addEntries(ring, ringDrivers(3))
      boards.settings.isBoardLate = true
    })
    await dropRing(page)
    await card(page).getByText('Processing lap data...').waitFor()
    await screen.toast(page).getByText('Best lap saved to leaderboard!').waitFor()
    boards.settings.isBoardLate = false
    const saved = boards.calls.find(({ what }) => what === ingest)!
    const { sub } = JSON.parse(
      Buffer.from(saved.headers.get('authorization')!.split('.')[1]!, 'base64url').toString(),
    ) as { sub: string }
    boards.addEntries(ring, [{ userId: sub, name: 'apexhunter', timeMs: 20_200 }])
    await page.clock.fastForward(6000)
    await card(page).getByText(/^#\d/).waitFor()
  }),
)

test(
  'asks to wait for the leaderboard with a top row but no own entry',
  visitAsDriver(async page => {
    const { file } = newRing(3)
    boards.settings.drive = null
    await dropFiles(page, file)
    await card(page).getByText('Please wait for leaderboard to update.').waitFor()
    assert.deepEqual(await shownRows(page), ['1 slipstream 0:19.900 Use as Reference'])
  }),
)

test(
  'says in the card that the sample session is never saved',
  visitAsDriver(async page => {
    boards.addEntries(sampleBoard, ringDrivers(3))
    // Before a file is saved, the card says that too.
    await page.getByText('You are signed in: the file is saved, and its best lap ranked.').waitFor()
    await screen.trySample(page).click()
    await card(page).getByText('The sample session is not saved, so you have no place here.').waitFor()
    assert.deepEqual(await shownRows(page), ['1 slipstream 0:19.900 Use as Reference'])
  }),
)

test(
  'says that a combination has no laps',
  visitAsDriver(async page => {
    const { file } = newRing(0)
    boards.settings.drive = null
    await dropFiles(page, file)
    await card(page).getByText('No laps yet for this combination.').waitFor()
  }, noLapsYet),
)

test(
  'reports a lap that could not be saved in the card, with a way to retry',
  visitAsDriver(
    async page => {
      const { file } = newRing(3)
      boards.answerNext(ingest, {
        problem: [503, 'ingest.busy', 'The queue is full. Try again in a minute.'],
      })
      await dropFiles(page, file)
      await card(page).getByText('Your best lap of this file is not saved.').waitFor()
      await retry(page).click()
      await card(page).getByText(/^#\d/).waitFor()
    },
    { expected: [/\b503\b/] },
  ),
)

test(
  'reports a board that cannot be loaded after the specified retries, and loads it with Refresh',
  visitAsDriver(
    async page => {
      const { file } = newRing(3)
      const before = boards.count(contextId)
      const broken = { problem: [500, 'leaderboard.failed', 'Something went wrong.'] } as const
      boards.answerNext(contextId, broken, broken, broken)
      // A judged lap would fetch the board again.
      boards.answerNext('POST /v1/upload/init', { after: new Promise(() => {}) })
      await dropFiles(page, file)
      await card(page).getByText('Failed to load leaderboard data', { exact: true }).waitFor()
      assert.equal(boards.count(contextId), before + 3)
      await card(page).getByRole('button', { name: 'Refresh leaderboard' }).click()
      await card(page).getByText('Processing lap data...').waitFor()
    },
    { expected: [/\b500\b/] },
  ),
)

test(
  'fetches the board again with Refresh, then blocks it for 30 s with a countdown',
  visit(async page => {
    await page.clock.install()
    const boards = await openRanked(page, store, 60)
    const places = () => boards.count(/\/me$/)
    const before = places()
    const refresh = card(page).getByRole('button', { name: /^Refresh leaderboard/ })
    boards.addEntries(ring, [{ userId: 'user-new', name: 'newcomer', timeMs: 19_000 }])
    // The test advances each second, so a slow machine does not matter.
    await stopClock(page)
    await refresh.click()
    await card(page).getByText('newcomer').waitFor()
    assert.equal(places(), before + 1)
    await refresh.getByText('30 s').waitFor()
    await refresh.click({ force: true })
    await page.clock.fastForward(12_000)
    await refresh.getByText('18 s').waitFor()
    await page.clock.fastForward(18_000)
    await card(page).getByRole('button', { name: 'Refresh leaderboard', exact: true }).waitFor()
    assert.equal(places(), before + 1)
  }),
)

test(
  'keeps the card’s height before and after the first answer, and moves nothing below it',
  visitAsDriver(async page => {
    const { file } = newRing(60)
    const { released, release } = heldBack()
    boards.answerNext(contextId, { after: released })
    await dropFiles(page, file)
    const button = page.getByRole('button', { name: 'Show Full Leaderboard' })
    await button.waitFor()
    await screen.toast(page).getByText('Best lap saved to leaderboard!').waitFor()
    const before = await button.boundingBox()
    release()
    await card(page).getByText('#44', { exact: true }).waitFor()
    assert.deepEqual(await button.boundingBox(), before)
  }),
)

test(
  'caches the top row and the own rank in the card for 15 s',
  visit(async page => {
    await page.clock.install()
    const boards = await openRanked(page, store, 60)
    const counts = () => [
      boards.calls.filter(({ query }) => query.limit === '1').length,
      boards.calls.filter(({ what, query }) => what.endsWith('/me') && query.window === '5').length,
    ]
    await stopClock(page)
    const pageMs = () => page.evaluate(() => Date.now())
    const firstMs = await pageMs()
    const asked: { readonly top: number[]; readonly own: number[] } = { top: [], own: [] }
    for (let look = 1; look <= 10; look++) {
      await page.clock.runFor(firstMs + look * 7_000 - (await pageMs()))
      const [top, own] = counts()
      // Another screen and back: the card is drawn again, from its cache.
      await page.evaluate(() => history.pushState(null, '', '/terms'))
      await page.goBack()
      await page.goForward()
      // The screen loads late, and React shows it in a frame.
      await runUntilVisible(page, page.getByRole('link', { name: 'Back to Home' }))
      await page.goBack()
      await runUntilVisible(page, card(page).getByText(/^#\d/))
      // The card asks in the frames after it is drawn.
      await page.clock.runFor(200)
      // A request after theirs, so that all earlier ones have arrived.
      await page.evaluate(() => fetch('/config.json').then(answer => answer.text()))
      const [topNow, ownNow] = counts()
      if (topNow! > top!) asked.top.push(look)
      if (ownNow! > own!) asked.own.push(look)
    }
    // Every 7 s: after a fetch, the third drawing is the first one more than 15 s later.
    for (const looks of [asked.top, asked.own]) {
      const [first = 0] = looks
      assert.ok(first === 2 || first === 3, `first asked at look ${first}`)
      assert.deepEqual(looks, [first, first + 3, first + 6])
    }
  }),
)
