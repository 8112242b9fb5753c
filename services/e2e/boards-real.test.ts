import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { noSharedFiles, sharedIbt, sharedIbtMissing } from '@lapwing/testing/shared-ibt.ts'
import type { Page } from 'playwright-core'
import { type Driver, openSettings, signIn, takeUsername } from './accounts.ts'
import { card, fullBoard } from './boards.ts'
import { compare, gapAtLine, toast } from './compare.ts'
import { chooseFile, type GivenFile } from './give-file.ts'
import { lapwing } from './harness.ts'
import { openFirstVisit } from './screen.ts'
import { anIbt } from './testing/an-ibt.ts'
import { findOddLabels } from './testing/find-odd-labels.ts'
import { findUnknown, readSelectors, readSeries } from './testing/read-queries.ts'

/** From a file to the boards and back, with the real services, queue and object store. */
const { visit, dataDir } = lapwing({ reach: 'everything', ownAddresses: true })

/** Errors that the browser logs for a board without laps, and for a track before ingest has found its corners. */
const noLapsYet = [
  /Failed to load resource/,
  /^answer: 404 to GET .*(?:\/leaderboards\/context-id|\/tracks\/.*\/corners$)/,
]
const saved = 'Best lap saved to leaderboard!'

/** Creates a driver with a name, signed in on the first visit. */
async function open(page: Page, username: string): Promise<Driver> {
  await openFirstVisit(page)
  const driver = await signIn(page)
  await takeUsername(page, driver, username)
  return driver
}

/** Does the same in another window, which closes with the first one. */
async function openAnother(page: Page, username: string): Promise<{ page: Page; driver: Driver }> {
  const context = await page
    .context()
    .browser()!
    .newContext({
      baseURL: new URL(page.url()).origin,
      viewport: { width: 1440, height: 900 },
      locale: 'en-GB',
      extraHTTPHeaders: { 'x-forwarded-for': '203.0.113.77' },
    })
  page.once('close', () => void context.close().catch(() => undefined))
  const other = await context.newPage()
  return { page: other, driver: await open(other, username) }
}

async function save(page: Page, file: GivenFile): Promise<void> {
  await chooseFile(page, file)
  await toast(page, saved)
}

const ring = (lapTimesS: readonly number[], simUserId: number) => ({
  name: 'ring.ibt',
  bytes: anIbt({ lapTimesS, simUserId }),
})

test(
  'brings a lap to the board, finds, compares, renames, hides and deletes it with the real services',
  visit(
    async page => {
      const anna = await open(page, 'annaRing')
      await save(page, ring([21.4, 20.2, 20.9], 1001))
      await card(page).getByText('#1', { exact: true }).waitFor()
      await card(page).getByText('0:20.200').first().waitFor()

      // Saving the same file again does nothing.
      await chooseFile(page, ring([21.4, 20.2, 20.9], 1001))
      await toast(page, 'Your fastest lap already exists in leaderboard.')

      const { page: other, driver: ben } = await openAnother(page, 'benRing')
      await save(other, ring([20.9, 20.5], 1002))
      await card(other).getByText('#2', { exact: true }).waitFor()
      await card(other).getByText('+0.300 to P1').waitFor()

      await other.getByRole('button', { name: 'Show Full Leaderboard' }).click()
      const board = fullBoard(other)
      await board.getByText('Showing 2 of 2 drivers').waitFor()
      assert.match(
        (await board.getByRole('row', { name: /annaRing/ }).textContent()) ?? '',
        /1[\s\S]*0:20\.200/,
      )
      await board.getByRole('button', { name: 'Use as Reference: annaRing' }).click()
      await toast(other, 'Loaded reference lap from annaRing')
      await compare.gauges(other).waitFor()
      assert.equal(await gapAtLine(other), 300)

      // A new name is on the board immediately, even if a window of it is cached.
      const lapId = (await boardOf(other, ben))[0]!.lap_id
      await takeUsername(page, anna, 'annaRenamed')
      await untilBoard(other, ben, rows => rows[0]!.display_name === 'annaRenamed')

      // A hidden lap is not a reference for others.
      const reference = () => other.request.get(`/api/laps/${lapId}/reference`, { headers: bearer(ben.jwt) })
      assert.equal((await reference()).status(), 200)
      await openMyLaps(page)
      const best = myLaps(page).getByRole('listitem').filter({ hasText: '0:20.200' })
      const hidden = page.waitForResponse(answer => answer.request().method() === 'PATCH')
      await best.getByRole('switch').click()
      assert.equal((await hidden).status(), 200)
      assert.equal((await reference()).status(), 404)

      // A deleted lap leaves the board, and the driver's next best lap replaces it.
      const deleted = page.waitForResponse(answer => answer.request().method() === 'DELETE')
      await best.getByRole('button', { name: 'Delete lap' }).first().click()
      await best
        .getByRole('group', { name: 'Delete this lap?' })
        .getByRole('button', { name: 'Delete lap' })
        .click()
      assert.equal((await deleted).status(), 204)
      await untilBoard(other, ben, rows => rows[0]!.display_name === 'benRing')
      assert.deepEqual(
        (await boardOf(other, ben)).map(row => [row.display_name, row.best_lap_time_ms]),
        [
          ['benRing', 20_500],
          ['annaRenamed', 20_900],
        ],
      )
    },
    { expected: noLapsYet },
  ),
)

test(
  'refuses the same file from another account with a sentence that names nobody',
  visit(
    async page => {
      await open(page, 'carlaRing')
      await save(page, ring([22.2, 21.7], 1003))
      const { page: other } = await openAnother(page, 'thief')
      await chooseFile(other, ring([22.2, 21.7], 1003))
      await toast(
        other,
        'This file belongs to another driver’s account, so its laps cannot be saved to yours.',
      )
      await other.getByRole('button', { name: 'Show Full Leaderboard' }).click()
      await fullBoard(other)
        .getByRole('row', { name: /carlaRing/ })
        .waitFor()
      assert.equal(await fullBoard(other).getByRole('row', { name: /thief/ }).count(), 0)
    },
    { expected: noLapsYet },
  ),
)

if (sharedIbtMissing) {
  test('ranks recorded laps of two drivers in the right order', t => t.skip(noSharedFiles))
} else {
  test(
    'ranks recorded laps of two drivers in the right order, and each closes to the official gap',
    visit(
      async page => {
        await open(page, 'summitAnna')
        await save(page, sharedIbt('laps/summit-jefferson-4-laps.ibt'))
        await card(page).getByText('0:51.088').first().waitFor()
        const { page: other } = await openAnother(page, 'summitBen')
        await save(other, sharedIbt('laps/summit-jefferson-second-driver.ibt'))
        await card(other).getByText('#2', { exact: true }).waitFor()
        await card(other).getByText('+0.060 to P1').waitFor()

        for (const [who, name, gapMs] of [
          [other, 'summitAnna', 60],
          [page, 'summitBen', -60],
        ] as const) {
          await who.getByRole('button', { name: 'Show Full Leaderboard' }).click()
          const refresh = fullBoard(who).getByRole('button', { name: /^Refresh/ })
          if (await refresh.isEnabled()) await refresh.click()
          await fullBoard(who)
            .getByRole('button', { name: `Use as Reference: ${name}` })
            .click()
          await toast(who, `Loaded reference lap from ${name}`)
          assert.equal(await gapAtLine(who), gapMs)
        }

        // A lap with a reset in it is never saved.
        await chooseFile(page, sharedIbt('real/sebring-lmdh-reset.ibt'))
        await toast(page, 'No complete valid lap found. Please try uploading another file with valid laps.')
      },
      { expected: noLapsYet },
    ),
  )
}

test('has each metric, label and value that alerts and dashboards read, and no label with an id', async () => {
  const [{ targets }] = JSON.parse(readFileSync(join(dataDir(), 'metrics.json'), 'utf8'))
  const texts = await Promise.all(
    (targets as string[]).map(async target => (await fetch(`http://${target}/metrics`)).text()),
  )
  const selectors = readSelectors(join(import.meta.dirname, '../../charts/lapwing')).filter(
    // Of kube-state-metrics.
    ({ metric }) => !metric.startsWith('kube_'),
  )
  assert.ok(selectors.length > 50, `${selectors.length} metrics in queries`)
  assert.deepEqual(findUnknown(selectors, texts.flatMap(readSeries)), [])
  assert.deepEqual(texts.flatMap(findOddLabels), [])
  // Names of drivers, tracks and cars of the tests above.
  for (const text of texts)
    assert.doesNotMatch(text, /annaR|benRing|carlaRing|thief|summit|lapwing-(?:ring|gt)/i)
  // The table for operators has the same metrics.
  const exported = texts.flatMap(text =>
    [...text.matchAll(/^# TYPE (lapwing_\w+) /gm)].map(([, name]) => name),
  )
  const table = readFileSync(join(import.meta.dirname, '../../charts/README.md'), 'utf8')
  const listed = [...table.matchAll(/`(lapwing_\w+)`/g)].map(([, name]) => name)
  assert.deepEqual([...new Set(listed)].sort(), [...new Set(exported)].sort())
})

const myLaps = (page: Page) => page.getByRole('dialog', { name: 'Your saved laps' })

async function openMyLaps(page: Page): Promise<void> {
  await (await openSettings(page)).getByRole('button', { name: 'Your saved laps' }).click()
  await myLaps(page).getByRole('listitem').first().waitFor()
}

interface Row {
  readonly lap_id: string
  readonly display_name: string
  readonly best_lap_time_ms: number
}

/** Returns the board of the ring, as the API shows it to this driver. */
async function boardOf(page: Page, { jwt }: Driver): Promise<readonly Row[]> {
  const query = 'sim=iracing&track_slug=lapwing-ring&layout=short&car_slug=lapwing-gt'
  const answer = await page.request.get(`/api/leaderboards?${query}`, { headers: bearer(jwt) })
  return ((await answer.json()) as { rows: Row[] }).rows
}

/** Waits for a state of the board. That takes at most 5 s on a quiet machine, but this one can be slower. */
async function untilBoard(page: Page, driver: Driver, is: (rows: readonly Row[]) => boolean): Promise<void> {
  for (const signal = AbortSignal.timeout(30_000); !is(await boardOf(page, driver)); await delay(100)) {
    signal.throwIfAborted()
  }
}

const bearer = (jwt: string) => ({ authorization: `Bearer ${jwt}` })
