import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { stopClock } from './accounts.ts'
import {
  card,
  dropRing,
  heldBack,
  lapwingWithStore,
  noLapsYet,
  openAsDriver,
  openRanked,
  ring,
  ringDrivers,
} from './boards.ts'
import { sampleBoard } from './compare.ts'
import { dropFiles } from './give-file.ts'
import { screen } from './screen.ts'
import { anIbt } from './testing/an-ibt.ts'

const { visit, store } = await lapwingWithStore()

const contextId = 'GET /leaderboards/context-id'
const ingest = 'POST /laps/ingest-best-from-session'
const retry = (page: Page) => card(page).getByRole('button', { name: 'Retry' })

/** The texts of the rows around the driver, a blank between their parts. */
async function shownRows(page: Page): Promise<string[]> {
  const rows = await card(page).getByRole('listitem').all()
  // biome-ignore lint/performance/useDomNodeTextContent: the parts stand apart only as they are laid out
  return Promise.all(rows.map(async row => (await row.innerText()).replace(/\s+/g, ' ').trim()))
}

test(
  'a first lap of a combination is waited for while it is judged, and then leads without a delta',
  visit(async page => {
    const { released, release } = heldBack()
    const boards = await openAsDriver(page, store)
    boards.answerNext(ingest, { after: released })
    await dropRing(page)
    await card(page).getByText('Fetching latest leaderboard data...').waitFor()
    release()
    await card(page).getByText('#1', { exact: true }).waitFor()
    assert.equal(await card(page).getByText('to P1').isVisible(), false)
    assert.deepEqual(await shownRows(page), ['1 apexhunter YOU 0:20.200'])
    await card(page).getByText('of 1', { exact: true }).waitFor()
  }, noLapsYet),
)

test(
  'a lap among others is processed, and then stands with its delta between the leader and the neighbours',
  visit(async page => {
    const { released, release } = heldBack()
    const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(1203)))
    boards.answerNext(ingest, { after: released })
    await dropRing(page)
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
  'who stands there already sees the place at once, while the newer lap is processed',
  visit(async page => {
    const boards = await openRanked(page, store, 60)
    const { released, release } = heldBack()
    boards.answerNext(ingest, { after: released })
    boards.settings.drive = { combination: ring, timeMs: 19_950 }
    await dropFiles(page, { name: 'better.ibt', bytes: anIbt({ lapTimesS: [19.95] }) })
    await screen.loadedFile(page).getByText('better.ibt').waitFor()
    await card(page).getByText('Processing lap data...').waitFor()
    await card(page).getByText('#44', { exact: true }).waitFor()
    release()
    await card(page).getByText('#9', { exact: true }).waitFor()
    await card(page).getByText('Processing lap data...').waitFor({ state: 'detached' })
  }),
)

test(
  'an entry that does not come takes too long after 60 s, and Retry brings it',
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
  'an entry that has left the board is not waited for',
  visit(async page => {
    await page.clock.install()
    const boards = await openRanked(page, store, 60)
    await page.clock.fastForward(65_000)
    boards.answerNext(/^GET .*\/me(\?|$)/, () =>
      Response.json({ ok: true, context_id: 1, me: null, window: [], total: 60 }),
    )
    await card(page).getByRole('button', { name: 'Refresh' }).click()
    await card(page).getByText('None of your laps stands on this leaderboard.').waitFor()
    assert.equal(await retry(page).count(), 0)
  }),
)

test(
  'an entry that comes late is found without a press',
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
  'with a top row but no own entry the card asks to wait for the leaderboard',
  visit(async page => {
    await openAsDriver(page, store, boards => {
      boards.addEntries(ring, ringDrivers(3))
      boards.settings.drive = null
    })
    await dropRing(page)
    await card(page).getByText('Please wait for leaderboard to update.').waitFor()
    assert.deepEqual(await shownRows(page), ['1 slipstream 0:19.900 Use as Reference'])
  }),
)

test(
  'of the sample session, which is never saved, the card says so',
  visit(async page => {
    await openAsDriver(page, store, boards => boards.addEntries(sampleBoard, ringDrivers(3)))
    // Before a file that is saved it says so, too.
    await page.getByText('You are signed in: the file is saved, and its best lap ranked.').waitFor()
    await screen.trySample(page).click()
    await card(page).getByText('The sample session is not saved, so you have no place here.').waitFor()
    assert.deepEqual(await shownRows(page), ['1 slipstream 0:19.900 Use as Reference'])
  }),
)

test(
  'a combination that nobody has a lap of says so',
  visit(async page => {
    await openAsDriver(page, store, boards => {
      boards.settings.drive = null
    })
    await dropRing(page)
    await card(page).getByText('No laps yet for this combination.').waitFor()
  }, noLapsYet),
)

test(
  'a lap that could not be saved is said in the card, with the way to try again',
  visit(
    async page => {
      const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
      boards.answerNext(ingest, {
        problem: [503, 'ingest.busy', 'The queue is full. Try again in a minute.'],
      })
      await dropRing(page)
      await card(page).getByText('Your best lap of this file is not saved.').waitFor()
      await retry(page).click()
      await card(page).getByText(/^#\d/).waitFor()
    },
    { expected: [/\b503\b/] },
  ),
)

test(
  'a board that cannot be had says so, after the repetitions of the specification, and Refresh brings it',
  visit(
    async page => {
      const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
      const broken = { problem: [500, 'leaderboard.failed', 'Something went wrong.'] } as const
      boards.answerNext(contextId, broken, broken, broken)
      // What is judged would have the board fetched anew.
      boards.answerNext('POST /v1/upload/init', { after: new Promise(() => {}) })
      await dropRing(page)
      await card(page).getByText('Failed to load leaderboard data', { exact: true }).waitFor()
      assert.equal(boards.count(contextId), 3)
      await card(page).getByRole('button', { name: 'Refresh leaderboard' }).click()
      await card(page).getByText('Processing lap data...').waitFor()
    },
    { expected: [/\b500\b/] },
  ),
)

test(
  'Refresh fetches the board anew and then rests for 30 s, counted down',
  visit(async page => {
    await page.clock.install()
    const boards = await openRanked(page, store, 60)
    const places = () => boards.count(/\/me$/)
    const before = places()
    const refresh = card(page).getByRole('button', { name: /^Refresh leaderboard/ })
    boards.addEntries(ring, [{ userId: 'user-new', name: 'newcomer', timeMs: 19_000 }])
    // Each second is counted, however long the machine takes.
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
  'until the first answer the card is as high as what comes, and nothing below it moves',
  visit(async page => {
    const { released, release } = heldBack()
    const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(60)))
    boards.answerNext(contextId, { after: released })
    await dropRing(page)
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
  'the card keeps the top row and the own place fresh for 15 s',
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
      // Another screen and back: the card is drawn anew, with what it still believes.
      await page.evaluate(() => history.pushState(null, '', '/terms'))
      await page.goBack()
      await page.goForward()
      await page.getByRole('link', { name: 'Back to Home' }).waitFor()
      await page.goBack()
      do await page.clock.runFor(50)
      while (!(await card(page).getByText(/^#\d/).isVisible()))
      // An answer that was asked for after theirs.
      await page.evaluate(() => fetch('/config.json').then(answer => answer.text()))
      const [topNow, ownNow] = counts()
      if (topNow! > top!) asked.top.push(look)
      if (ownNow! > own!) asked.own.push(look)
    }
    // Every 7 s: from one that asks, the first look that is more than 15 s later is the third.
    for (const looks of [asked.top, asked.own]) {
      const [first = 0] = looks
      assert.ok(first === 2 || first === 3, `first asked at look ${first}`)
      assert.deepEqual(looks, [first, first + 3, first + 6])
    }
  }),
)
