import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { aSavedLap } from '../../frontend/src/testing/a-saved-lap.ts'
import { aDriver, openSettings, signIn, signInHere } from './accounts.ts'
import {
  boardsBehind,
  card,
  dropRing,
  heldBack,
  lapwingWithStore,
  noLapsYet,
  openAsDriver,
  ring,
  ringDrivers,
  ringFile,
} from './boards.ts'
import { dropFiles } from './give-file.ts'
import { openFirstVisit, screen, shownLaps } from './screen.ts'
import { anIbt } from './testing/an-ibt.ts'

const { visit, store } = await lapwingWithStore()

const init = 'POST /v1/upload/init'
const complete = 'POST /v1/upload/complete'
const ingest = 'POST /laps/ingest-best-from-session'
const saved = 'Best lap saved to leaderboard!'
const toast = (page: Page, sentence: string) =>
  screen.toast(page).getByText(sentence, { exact: true }).first()
const status = (page: Page) => screen.loadedFile(page).getByRole('status')
/** Waits until the page aborts a request, so that no answer can follow. */
const givenUp = (page: Page, address: string) =>
  page.waitForEvent('requestfailed', request => request.url().includes(address))

/**
 * Drops the file and waits until it is being posted. Returns a function that waits for the end of the post.
 */
async function postUnderWay(page: Page): Promise<() => Promise<unknown>> {
  const posted = page.waitForRequest(request => request.url().startsWith(store.url))
  await dropRing(page)
  await posted
  const ended = givenUp(page, store.url)
  return () => ended
}
/** Returns the classes of elements that would move for ever. */
const endlessMotions = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY)
      .map(({ effect }) => (effect as KeyframeEffect).target?.className),
  )
const progress = (page: Page) => page.getByRole('progressbar', { name: 'Saving your best lap' })

test(
  'announces a file, posts it to the store, has it checked and judged, and shows the toast',
  visit(async page => {
    const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
    const postsBefore = store.posts.length
    await dropRing(page)
    await toast(page, saved).waitFor()
    await status(page).getByText('Best lap saved: came in at #4').waitFor()

    const calls = boards.calls.filter(({ what }) => what.startsWith('POST'))
    assert.deepEqual(
      calls.map(({ what }) => what),
      [init, complete, ingest],
    )
    const [announced, checked, judged] = calls.map(({ body }) => body as Record<string, string>)
    assert.deepEqual(announced, {
      filename: 'ring.ibt',
      size: ringFile.bytes.length,
      contentType: 'application/octet-stream',
      track: 'unknown',
    })
    const { sessionId, key } = judged!
    assert.deepEqual(checked, { sessionId, key, originalName: 'ring.ibt' })
    for (const { headers } of calls) {
      assert.equal(headers.get('x-requested-with'), 'XMLHttpRequest')
      assert.equal(headers.get('x-client-version'), '1.0.0')
      assert.equal(headers.get('content-type'), 'application/json')
      assert.match(headers.get('authorization') ?? '', /^Bearer .+\..+\./)
    }
    // First the form's own fields, the file last, and nothing that names or authorises the person.
    assert.deepEqual(store.posts.slice(postsBefore), [
      {
        parts: ['key', 'policy', 'file'],
        fileName: 'session.ibt',
        sizeBytes: ringFile.bytes.length,
        authorization: undefined,
      },
    ])
  }),
)

test(
  'sends nothing for a visitor, and saves the loaded file after sign-in',
  visit(async page => {
    const boards = await boardsBehind(page, store)
    boards.addEntries(ring, ringDrivers(3))
    const before = store.posts.length
    await openFirstVisit(page)
    await dropRing(page)
    assert.deepEqual([boards.calls.length, store.posts.length], [0, before])
    await signIn(page)
    await toast(page, saved).waitFor()
    // Exactly once, so it was not sent before sign-in either.
    assert.deepEqual([boards.count(init), store.posts.length], [1, before + 1])
  }),
)

test(
  'sends nothing of the sample session',
  visit(async page => {
    const boards = await openAsDriver(page, store)
    const before = store.posts.length
    await screen.trySample(page).click()
    await shownLaps(page)
    await card(page).getByText('No laps yet for this combination.').waitFor()
    assert.deepEqual([boards.count(/^POST/), store.posts.length], [0, before])
    assert.equal(await status(page).count(), 0)
  }, noLapsYet),
)

for (const [reason, sentence] of [
  ['not_faster', 'Your fastest lap already exists in leaderboard.'],
  ['already_ingested', 'Your fastest lap already exists in leaderboard.'],
  ['no_complete_lap', 'No complete valid lap found. Please try uploading another file with valid laps.'],
] as const) {
  test(
    `explains a file that is skipped as ${reason}: ${sentence}`,
    visit(async page => {
      const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
      boards.answerNext(ingest, () => Response.json({ ok: true, ingest_id: 'i', skipped: reason }))
      await dropRing(page)
      await toast(page, sentence).waitFor()
    }),
  )
}

test(
  'reports a file whose laps have no score with that reason, sends nothing, and waits for no entry',
  visit(async page => {
    const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
    const noScores = anIbt({ lapTimesS: [21.4, 20.2], replaced: { LapLastLapTime: () => 0 } })
    await dropFiles(page, { name: 'no-scores.ibt', bytes: noScores })
    await toast(
      page,
      'No complete valid lap found. Please try uploading another file with valid laps.',
    ).waitFor()
    await toast(page, 'Found in this file: joined halfway, not scored × 2, unfinished.').waitFor()
    await card(page).getByText('Please upload IBT file to view Leaderboard for this track.').waitFor()
    assert.equal(await card(page).getByText('Processing lap data...').count(), 0)
    assert.equal(boards.count(init), 0)
  }),
)

test(
  'reports a lap held for review in toast and card without Retry, even after a reload',
  visit(async page => {
    const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
    const sentence = 'Your lap is held for review.'
    const held = aSavedLap(1, { review: 'held', combination: ring })
    boards.answerNext(ingest, () => {
      boards.laps.push(held)
      return Response.json({ ok: true, ingest_id: 'i', skipped: 'held_for_review', held_lap_id: held.lap_id })
    })
    await dropRing(page)
    await toast(page, sentence).waitFor()
    await card(page).getByText(sentence).waitFor()
    await status(page).getByText('Your lap is held for review').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Retry' }).count(), 0)
    assert.equal(await card(page).getByText('Processing lap data...').count(), 0)

    await page.reload()
    boards.answerNext(ingest, () => Response.json({ ok: true, ingest_id: 'i', skipped: 'already_ingested' }))
    await dropRing(page)
    await status(page).getByText('This file was saved before').waitFor()
    await card(page).getByText(sentence).waitFor()

    // The moderator has released it.
    boards.laps[0] = { ...held, review: 'released' }
    boards.addEntries(ring, ringDrivers(3))
    await card(page)
      .getByRole('button', { name: /Refresh/ })
      .click()
    await card(page).getByText(sentence).waitFor({ state: 'detached' })
  }),
)

test(
  'retries a broken connection with a toast that counts, and repeats only the post',
  visit(
    async page => {
      const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
      store.answerNext('cut', 'cut')
      await dropRing(page)
      await toast(page, 'Upload failed, retrying... (1/3)').waitFor()
      await toast(page, 'Upload failed, retrying... (2/3)').waitFor()
      await toast(page, saved).waitFor()
      assert.deepEqual([boards.count(init), boards.count(complete)], [1, 1])
    },
    { expected: [/ERR_/, /Failed to load resource/] },
  ),
)

test(
  'gives up after three retries; Retry of the toast begins with the failed step',
  visit(
    async page => {
      const late = { problem: [504, 'gateway.upstream_timeout', 'The answer took too long.'] } as const
      const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
      boards.answerNext(ingest, late, late, late, late)
      await dropRing(page)
      await toast(page, 'Upload failed, retrying... (3/3)').waitFor()
      // In parallel, because the toast with the button disappears after 4 s.
      await Promise.all([
        toast(page, 'Upload failed: Request timed out').waitFor(),
        status(page).getByText('Upload failed: Request timed out').waitFor(),
      ])
      assert.equal(boards.count(ingest), 4)
      await screen.toast(page).getByRole('button', { name: 'Retry' }).click()
      await toast(page, saved).waitFor()
      assert.deepEqual([boards.count(init), boards.count(ingest)], [1, 5])
    },
    { expected: [/\b504\b/] },
  ),
)

test(
  'does not retry other failures by itself, and reports a Retry that fails too',
  visit(
    async page => {
      const busy = { problem: [503, 'upload.busy', 'Too much is going on. Try again in a minute.'] } as const
      const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
      boards.answerNext(init, busy, busy)
      await dropRing(page)
      await toast(page, 'Upload failed: Please try again.').waitFor()
      await toast(page, 'Too much is going on. Try again in a minute.').waitFor()
      assert.equal(boards.count(init), 1)
      await screen.loadedFile(page).getByRole('button', { name: 'Retry' }).click()
      await toast(page, 'Retry failed, please try uploading again.').waitFor()
      assert.equal(boards.count(init), 2)
    },
    { expected: [/\b503\b/] },
  ),
)

test(
  'reports a refusal of the server in its own words',
  visit(
    async page => {
      const sentence = 'This file belongs to another driver, so its laps are not saved.'
      const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
      boards.answerNext(ingest, { problem: [422, 'upload.belongs_to_another_driver', sentence] })
      await dropRing(page)
      await toast(page, sentence).waitFor()
      await status(page).getByText(sentence).waitFor()
      await card(page).getByText('Your best lap of this file is not saved.').waitFor()
      // The file stays as it is.
      assert.equal(await page.getByRole('button', { name: 'Retry' }).count(), 0)
      assert.equal(boards.count(ingest), 1)
    },
    { expected: [/\b422\b/] },
  ),
)

const anotherNumber = {
  sim: 'iracing',
  driver_number: '5',
  bound_at: '2026-05-01T12:00:00Z',
  is_disputed: false,
  can_undo: true,
} as const

test(
  'opens a file of another driver number, and sends it only after the driver confirms it',
  visit(async page => {
    const boards = await openAsDriver(page, store, boards => {
      boards.addEntries(ring, ringDrivers(3))
      boards.driverNumbers.push(anotherNumber)
    })
    const before = store.posts.length
    await dropRing(page)
    const line = screen
      .loadedFile(page)
      .getByText('Not saved yet: this file has driver number 424242, and yours is 5.')
    await line.waitFor()
    // It is a line, not a dialog: the laps stay visible.
    assert.equal(await page.getByRole('dialog').count(), 0)
    assert.deepEqual([boards.count(/^POST/), store.posts.length], [0, before])
    const button = screen.loadedFile(page).getByRole('button', { name: 'It is mine' })
    await button.focus()
    await page.keyboard.press('Enter')
    await toast(page, saved).waitFor()
    assert.deepEqual([boards.count(init), store.posts.length], [1, before + 1])
    assert.equal(await line.count(), 0)
  }),
)

test(
  'reports a save that binds the driver number, and frees it with Undo',
  visit(async page => {
    const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
    const { released, release } = heldBack()
    boards.answerNext(ingest, { after: released })
    await dropRing(page)
    await page.getByText('Processing lap data...').waitFor()
    boards.driverNumbers.push({ ...anotherNumber, driver_number: '424242' })
    release()
    const file = screen.loadedFile(page)
    await file.getByText('Driver number 424242 is bound to your account now.').waitFor()
    await file.getByRole('button', { name: 'Undo' }).click()
    await file.getByText('Driver number 424242 is not bound to your account any more.').waitFor()
    assert.equal(boards.count('DELETE /laps/driver-numbers/iracing/424242'), 1)
    assert.deepEqual(boards.driverNumbers, [])
  }),
)

const refusedToken = {
  problem: [401, 'session.expired', 'Session expired. Please sign in again.'],
} as const
const unauthorised = /\b401\b/

for (const step of [complete, ingest]) {
  test(
    `renews a token that expires before ${step}, and the driver does not notice`,
    visit(
      async page => {
        const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
        const before = store.posts.length
        boards.answerNext(step, refusedToken)
        await dropRing(page)
        await toast(page, saved).waitFor()
        const [refused, repeated] = boards.calls.filter(({ what }) => what === step)
        assert.notEqual(repeated?.headers.get('authorization'), refused?.headers.get('authorization'))
        assert.deepEqual(repeated?.body, refused?.body)
        assert.deepEqual([boards.count(init), store.posts.length], [1, before + 1])
      },
      { expected: [unauthorised] },
    ),
  )
}

test(
  'asks to sign in if the session ends before a file is judged, then saves the file',
  visit(
    async page => {
      const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
      boards.answerNext(ingest, refusedToken, refusedToken, refusedToken)
      const driver = await aDriver(page)
      await dropRing(page)
      await toast(page, 'Your session has expired. Please sign in again.').waitFor()
      assert.equal(boards.count(ingest), 3)
      await signInHere(page, driver)
      await toast(page, saved).waitFor()
      assert.equal(boards.count(ingest), 4)
    },
    { expected: [unauthorised] },
  ),
)

test(
  'follows slow judging to its end',
  visit(async page => {
    const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
    const running = (progress: number) => () =>
      Response.json(
        { ok: true, ingest_id: 'i-1', state: 'running', progress, status_url: '/api/laps/ingests/i-1' },
        { status: 202 },
      )
    boards.answerNext(ingest, running(0.25))
    boards.answerNext('GET /laps/ingests/i-1', running(0.75), () =>
      Response.json({ ok: true, ingest_id: 'i-1', skipped: 'not_faster', context_id: 1 }),
    )
    await dropRing(page)
    await status(page).getByText('Judging your laps on the server').waitFor()
    await screen.loadedFile(page).getByText('25 %').waitFor()
    await screen.loadedFile(page).getByText('75 %').waitFor()
    await toast(page, 'Your fastest lap already exists in leaderboard.').waitFor()
    assert.equal(boards.count('GET /laps/ingests/i-1'), 2)
  }),
)

test(
  'shows the progress of an upload, stops it on Cancel, and resumes it on Save',
  visit(async page => {
    const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
    const held = store.hold()
    const before = store.posts.length
    // More than the buffers in between can hold.
    const big = anIbt({ lapTimesS: Array.from({ length: 240 }, (_, lap) => 21 + (lap % 7) / 10) })
    await dropFiles(page, { name: 'big.ibt', bytes: big })
    await shownLaps(page)
    await page.waitForFunction(() => {
      const bar = document.querySelector('[aria-label="Saving your best lap"]')
      const percent = Number(bar?.getAttribute('aria-valuenow'))
      return percent > 0 && percent < 100
    })
    const ended = givenUp(page, store.url)
    await screen.loadedFile(page).getByRole('button', { name: 'Cancel' }).click()
    await status(page).getByText('Best lap not saved').waitFor()
    await progress(page).waitFor({ state: 'detached' })
    await ended
    held.release()
    assert.deepEqual([boards.count(complete), store.posts.length], [0, before])
    assert.equal(await screen.toast(page).filter({ hasText: 'Upload failed' }).count(), 0)

    await screen.loadedFile(page).getByRole('button', { name: 'Save' }).click()
    await toast(page, saved).waitFor()
    assert.equal(store.posts.at(-1)?.sizeBytes, big.length)
  }),
)

test(
  'stops the upload of the previous file when another is opened',
  visit(async page => {
    const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
    const { released, release } = heldBack()
    boards.answerNext(init, { after: released })
    await dropRing(page)
    await progress(page).waitFor()
    // The visitor wants less motion, so the bar does not move without an end.
    assert.deepEqual(await endlessMotions(page), [])
    const ended = givenUp(page, '/upload/init')
    await dropFiles(page, { name: 'other.ibt', bytes: anIbt({ lapTimesS: [22.2] }) })
    await ended
    release()
    await toast(page, saved).waitFor()
    assert.deepEqual(
      boards.calls
        .filter(({ what }) => what === complete)
        .map(({ body }) => (body as { originalName: string }).originalName),
      ['other.ibt'],
    )
  }),
)

test(
  'stops the upload at sign-out',
  visit(async page => {
    const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
    const held = store.hold()
    const ended = await postUnderWay(page)
    await (await openSettings(page)).getByRole('button', { name: 'Sign out' }).click()
    // The page reloads.
    await screen.chooseFile(page).waitFor()
    await ended()
    held.release()
    assert.equal(boards.count(complete), 0)
  }),
)

test(
  'stops the upload when the file is closed',
  visit(async page => {
    const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
    const held = store.hold()
    const ended = await postUnderWay(page)
    await page.getByRole('button', { name: 'Close file' }).click()
    await screen.chooseFile(page).waitFor()
    await ended()
    held.release()
    assert.equal(boards.count(complete), 0)
  }),
)

test(
  'limits signed-in calls to 30 s, and judging a lap to 60 s',
  visit(async page => {
    await page.addInitScript(() => {
      const calls: [string, number][] = []
      Object.assign(window, { calls })
      let limitMs = 0
      const timeout = AbortSignal.timeout.bind(AbortSignal)
      AbortSignal.timeout = ms => {
        limitMs = ms
        return timeout(ms)
      }
      const { fetch } = window
      window.fetch = (input, init) => {
        // The page sets the limit of a call in the same turn as the call.
        const { pathname } = new URL(input instanceof Request ? input.url : input, location.href)
        if (pathname.startsWith('/api/')) calls.push([pathname, limitMs])
        return fetch(input, init)
      }
    })
    await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
    await dropRing(page)
    await toast(page, saved).waitFor()
    await page.getByText('#4', { exact: true }).waitFor()
    const calls = await page.evaluate(() => (window as unknown as { calls: [string, number][] }).calls)
    const limitsOf = (address: RegExp) => [
      ...new Set(calls.filter(([path]) => address.test(path)).map(([, ms]) => ms)),
    ]
    assert.deepEqual(limitsOf(/ingest-best-from-session$/), [60_000])
    assert.deepEqual(limitsOf(/upload\/init$/), [30_000])
    assert.deepEqual(limitsOf(/upload\/complete$/), [30_000])
    assert.deepEqual(limitsOf(/leaderboards/), [30_000])
    assert.deepEqual(limitsOf(/auth\/username$/), [30_000])
  }),
)
