import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { bytesSource, type Preview, previewSession } from '@lapwing/telemetry'
import { noSharedFiles, sharedIbt, sharedIbtMissing } from '@lapwing/testing/shared-ibt.ts'
import type { Page } from 'playwright-core'
import { signIn } from './accounts.ts'
import {
  answerReference,
  boardsOfSample,
  compare,
  msOf,
  openSampleAsDriver,
  sample,
  sampleBoard,
  sampleLaps,
  thinned,
  trackOf,
  turnOn,
} from './compare.ts'
import { dropFiles } from './give-file.ts'
import { lapwing } from './harness.ts'
import { openSample, screen, shownLaps } from './screen.ts'

const { visit } = lapwing({ ownAddresses: true })

const [fastest, second] = sampleLaps

test(
  'a visitor who turns compare mode on is asked to sign in, and has it on after that',
  visit(async page => {
    await boardsOfSample(page)
    await openSample(page)
    await compare.toggle(page).click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await compare.toggle(page).isChecked(), false)

    // Whoever closed it did not want it; signing in for another reason leaves it off.
    await signIn(page)
    assert.equal(await compare.toggle(page).isChecked(), false)
    assert.equal(await compare.card(page).isVisible(), false)
  }),
)

test(
  'the password of the dialog that compare mode opened turns it on',
  visit(async page => {
    await boardsOfSample(page)
    await openSample(page)
    const driver = await signIn(page)
    await signOut(page)
    await screen.trySample(page).click()
    await compare.toggle(page).click()
    await page.getByRole('dialog').getByRole('tab', { name: 'Log in' }).click()
    await page.getByLabel('Email').fill(driver.email)
    await page.getByLabel('Password', { exact: true }).fill(driver.password)
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in', exact: true }).click()
    await compare.gauges(page).waitFor()
    assert.equal(await compare.toggle(page).isChecked(), true)
  }),
)

test(
  '#compare=1 turns compare mode on for a driver who is signed in, and goes from the address',
  visit(async page => {
    await openSampleAsDriver(page)
    assert.equal(await compare.toggle(page).isChecked(), false)
    await page.evaluate(() => {
      location.hash = '#compare=1'
    })
    await compare.gauges(page).waitFor()
    await page.waitForFunction(() => location.hash === '' && !location.href.includes('#'))

    await page.goto('/terms')
    await page.goto('/#compare=1')
    await page.waitForFunction(() => location.hash === '')
    await screen.trySample(page).click()
    await compare.gauges(page).waitFor()
  }),
)

test(
  '#compare=1 waits for a visitor to sign in',
  visit(async page => {
    await boardsOfSample(page)
    await page.goto('/#compare=1')
    await screen.trySample(page).click()
    await screen.laps(page).first().waitFor()
    assert.equal(await compare.toggle(page).isChecked(), false)
    await signIn(page)
    await compare.gauges(page).waitFor()
    assert.equal(new URL(page.url()).hash, '')
  }),
)

test(
  'signing out turns compare mode off and forgets the reference',
  visit(async page => {
    const boards = await openSampleAsDriver(page)
    await turnOn(page)
    answerReference(boards, trackOf(sample, second!))
    await compare.catchAhead(page).click()
    await toast(page, 'Loaded reference lap from kerbrider')
    await signOut(page)
    await screen.trySample(page).click()
    await screen.laps(page).first().waitFor()
    assert.equal(await compare.toggle(page).isChecked(), false)
    assert.equal(await compare.gauges(page).isVisible(), false)
    assert.equal(await page.getByText('kerbrider').isVisible(), false)
  }),
)

test(
  'the fastest other lap is the reference until another one is chosen, and never the lap itself',
  visit(async page => {
    await openSampleAsDriver(page)
    await turnOn(page)
    assert.match(
      (await compare.reference(page).textContent())!,
      new RegExp(`^Lap ${second!.lap} · ${second!.time_fmt}`),
    )
    await compare.gauges(page).getByText(`Lap ${second!.lap}`, { exact: true }).waitFor()

    await screen.laps(page).nth(2).click()
    await compare.gauges(page).getByText(`Lap ${fastest!.lap}`, { exact: true }).waitFor()

    await compare.reference(page).click()
    const options = await page.getByRole('option').allTextContents()
    assert.deepEqual(
      options,
      sampleLaps.filter((_, i) => i !== 2).map(lap => `Lap ${lap.lap} · ${lap.time_fmt}`),
    )
    await page.getByRole('option').nth(3).click()
    await compare.gauges(page).getByText(`Lap ${sampleLaps[4]!.lap}`, { exact: true }).waitFor()
  }),
)

test(
  'what the corners and straights lost adds up to the gap, which is the one the traces close with',
  visit(async page => {
    await openSampleAsDriver(page)
    await turnOn(page)
    await screen.laps(page).nth(2).click()
    await compare.corners(page).getByRole('rowheader', { name: 'Gap at the line' }).waitFor()
    const row = (name: string) => compare.corners(page).getByRole('row').filter({ hasText: name })
    const corners = await compare.corner(page).allTextContents()
    assert.ok(corners.length >= 8, corners.join(', '))
    let sumMs = msOf(await row('Straights').getByRole('cell').last().textContent())
    for (const name of corners) {
      sumMs += msOf(
        await row(name)
          .filter({ has: page.getByRole('button', { name, exact: true }) })
          .getByRole('cell')
          .last()
          .textContent(),
      )
    }
    const gapMs = msOf(await row('Gap at the line').getByRole('cell').last().textContent())
    assert.equal(sumMs, gapMs)

    const { within, lineMs, scoredMs } = await closing(page)
    assert.equal(lineMs, gapMs)
    assert.equal(scoredMs, Math.round(1000 * (sampleLaps[2]!.time_s! - fastest!.time_s!)))
    assert.ok(within <= 5 && Math.abs(lineMs - scoredMs) <= within + 1)
  }),
)

test(
  'a corner that is chosen is zoomed to by outline and traces, and left again',
  visit(async page => {
    await openSampleAsDriver(page)
    await turnOn(page)
    const zoom = page.getByRole('group', { name: 'Zoom' }).getByRole('status')
    assert.equal(await zoom.textContent(), '1.0×')
    const third = compare.corner(page).nth(2)
    await third.focus()
    await page.keyboard.press('Enter')
    assert.equal(await third.getAttribute('aria-pressed'), 'true')
    const range = page.getByText(/^\d\.\d\d–\d\.\d\d km$/)
    const whole = page.getByRole('button', { name: 'Whole lap' })
    const seen = (await range.textContent())!.split(/[–k ]/).map(Number)
    assert.ok(seen[1]! - seen[0]! < 0.5, `${seen[0]} to ${seen[1]} km`)
    await page.waitForFunction(() => document.body.textContent?.includes('1.0×') === false)
    await whole.click()
    assert.equal(await third.getAttribute('aria-pressed'), 'false')
    await page.waitForFunction(() => document.body.textContent?.includes('1.0×'))

    await third.click()
    await third.click()
    await range.waitFor({ state: 'detached' })
  }),
)

test(
  'on a phone the views come into sight when a corner below them is chosen',
  visit(
    async page => {
      await openSampleAsDriver(page)
      await turnOn(page)
      await compare.corner(page).nth(1).scrollIntoViewIfNeeded()
      assert.equal(await inSight(page), false)
      await compare.corner(page).nth(1).click()
      await page.getByText(/^\d\.\d\d–\d\.\d\d km$/).waitFor()
      await page.waitForFunction(() => {
        const box = document.querySelector('[aria-label$="on the track outline"]')!.getBoundingClientRect()
        return box.bottom > 0 && box.top < innerHeight
      })
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: 'reduce' },
  ),
)

test(
  'the table of corners sorts by what was lost, the largest first, and back to the order driven',
  visit(async page => {
    await openSampleAsDriver(page)
    await turnOn(page)
    await screen.laps(page).nth(2).click()
    const names = () => compare.corner(page).allTextContents()
    await compare.corner(page).first().waitFor()
    const driven = await names()
    await compare.corners(page).getByRole('button', { name: 'Loss' }).click()
    const losses = await Promise.all(
      (await compare.corner(page).all()).map(async button =>
        msOf(await button.locator('xpath=ancestor::tr').getByRole('cell').last().textContent()),
      ),
    )
    assert.deepEqual(
      losses,
      losses.toSorted((a, b) => b - a),
    )
    assert.equal(
      await page.getByRole('columnheader', { name: 'Loss' }).getAttribute('aria-sort'),
      'descending',
    )
    await compare.corners(page).getByRole('button', { name: 'Corner' }).click()
    assert.deepEqual(await names(), driven)
  }),
)

test(
  'straights are shown one by one when they are asked for',
  visit(async page => {
    await openSampleAsDriver(page)
    await turnOn(page)
    const straights = compare.corners(page).getByRole('button', { name: 'Straights' })
    const first = page.getByRole('button', { name: 'Line to Turn 1' })
    assert.equal(await first.isVisible(), false)
    await straights.click()
    await first.click()
    assert.equal(await first.getAttribute('aria-pressed'), 'true')
    await straights.click()
    assert.equal(await first.isVisible(), false)
  }),
)

test(
  'pointing at the lap tells how far behind it is there, and both gauges show that place',
  visit(async page => {
    await openSampleAsDriver(page)
    await turnOn(page)
    await screen.laps(page).nth(2).click()
    await compare.gauges(page).getByText(`Lap ${fastest!.lap}`, { exact: true }).waitFor()
    const before = await compare.gauges(page).textContent()
    await screen.traces(page).hover({ position: { x: 300, y: 60 } })
    await page.waitForFunction(
      text =>
        [...document.querySelectorAll('section')].some(
          section =>
            section.textContent?.startsWith('Reference Lap Telemetry') && section.textContent !== text,
        ),
      before,
    )
    const told = await screen.traces(page).getAttribute('aria-valuetext')
    assert.match(told!, new RegExp(`[+−]?\\d\\.\\d{3} s to Lap ${fastest!.lap}$`))
    const delta = /([+−]?\d\.\d{3}) s to/.exec(told!)![1]!
    assert.equal(await page.getByRole('status', { name: 'Delta' }).textContent(), delta)

    // What the second gauge shows is what the reference did at that share of the lap.
    const share = Number(await screen.traces(page).getAttribute('aria-valuenow')) / 100
    const track = trackOf(sample, fastest!)
    const speeds = [-0.0008, 0, 0.0008].map(
      by => 3.6 * track.speed![Math.round((share + by) * (track.pct.length - 1))]!,
    )
    const shown = Number(await compare.gauges(page).locator('[data-gauge="speed"]').textContent())
    assert.ok(
      shown >= Math.min(...speeds) - 1 && shown <= Math.max(...speeds) + 1,
      `${shown} is none of ${speeds}`,
    )
  }),
)

test(
  'a lap that is not whole is drawn beside the reference, without a delta',
  visit(async page => {
    await openSampleAsDriver(page)
    await turnOn(page)
    await screen.validLapsOnly(page).click()
    await screen.laps(page).last().click()
    await page.getByText(/^Lap \d is not a whole lap, so there is no delta\.$/).waitFor()
    assert.equal(await compare.corners(page).isVisible(), false)
    await compare.gauges(page).getByText(`Lap ${fastest!.lap}`, { exact: true }).waitFor()
  }),
)

test(
  'the driver ahead is caught with one press: about a second faster, loaded and compared with',
  visit(async page => {
    const boards = await openSampleAsDriver(page)
    await turnOn(page)
    answerReference(boards, thinned(trackOf(sample, second!), 700))
    await compare.catchAhead(page).click()
    await toast(page, 'Loaded reference lap from kerbrider')
    await compare.gauges(page).getByText('kerbrider', { exact: true }).waitFor()
    await compare.card(page).getByText('kerbrider').waitFor()
    assert.equal(await compare.fromSession(page).isChecked(), false)
    const asked = boards.calls.filter(({ what }) => what.endsWith('/reference'))
    assert.equal(asked.length, 1)
    assert.equal(asked[0]!.headers.get('accept'), 'application/x-protobuf')

    // A lap of another session, with other steps, closes all the same.
    const { lineMs, scoredMs } = await closing(page)
    assert.ok(Math.abs(lineMs - scoredMs) <= 5)

    await compare.card(page).getByRole('button', { name: 'Clear' }).click()
    await toast(page, 'Reference lap cleared')
    assert.equal(await compare.fromSession(page).isChecked(), true)
    await compare.gauges(page).getByText(`Lap ${second!.lap}`, { exact: true }).waitFor()
  }),
)

test(
  'Use as Reference in the full leaderboard turns compare mode on with that lap',
  visit(async page => {
    const boards = await openSampleAsDriver(page)
    answerReference(boards, trackOf(sample, sampleLaps[3]!))
    await page.getByRole('button', { name: 'Show Full Leaderboard' }).click()
    const dialog = page.getByRole('dialog', { name: /^Leaderboard for/ })
    await dialog.getByRole('button', { name: 'Use as Reference: slipstream' }).click()
    await toast(page, 'Loaded reference lap from slipstream')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await compare.toggle(page).isChecked(), true)
    await compare.gauges(page).getByText('slipstream', { exact: true }).waitFor()

    // What was loaded once is at hand.
    await compare.card(page).getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('button', { name: 'Show Full Leaderboard' }).click()
    await dialog.getByRole('button', { name: 'Use as Reference: slipstream' }).click()
    await compare.card(page).getByText('slipstream').waitFor()
    assert.equal(boards.count(/\/reference$/), 1)
  }),
)

test(
  'From Session switches between the two kinds of reference, and says how to get one that is missing',
  visit(async page => {
    const boards = await openSampleAsDriver(page)
    await turnOn(page)
    await compare.fromSession(page).click()
    await compare
      .card(page)
      .getByText(/^No lap is loaded\./)
      .waitFor()
    await compare.gauges(page).waitFor({ state: 'detached' })
    answerReference(boards, trackOf(sample, second!))
    await compare.catchAhead(page).click()
    await compare.gauges(page).getByText('kerbrider', { exact: true }).waitFor()
    await compare.fromSession(page).click()
    await compare.gauges(page).getByText(`Lap ${second!.lap}`, { exact: true }).waitFor()
    await compare.fromSession(page).click()
    await compare.gauges(page).getByText('kerbrider', { exact: true }).waitFor()
  }),
)

test(
  'a lap that does not come is told in the card that asked for it, and in a toast over the board',
  visit(
    async page => {
      const boards = await openSampleAsDriver(page)
      await turnOn(page)
      const refusal = { problem: [404, 'ingest.lap_not_found', 'This lap cannot be had.'] } as const
      boards.answerNext(/\/reference$/, refusal, refusal)
      await compare.catchAhead(page).click()
      await compare
        .card(page)
        .getByRole('alert')
        .getByText('Could not load reference lap. This lap cannot be had.')
        .waitFor()
      await compare.card(page).getByRole('button', { name: 'Dismiss' }).click()
      assert.equal(await screen.alert(page).count(), 0)

      await page.getByRole('button', { name: 'Show Full Leaderboard' }).click()
      const dialog = page.getByRole('dialog', { name: /^Leaderboard for/ })
      await dialog.getByRole('button', { name: 'Use as Reference: slipstream' }).click()
      await toast(page, 'Failed to load reference lap.')
      await dialog.getByRole('button', { name: 'Use as Reference: slipstream' }).waitFor()
      await page.keyboard.press('Escape')
      await compare.gauges(page).getByText(`Lap ${second!.lap}`, { exact: true }).waitFor()
    },
    { expected: [/\b404\b/] },
  ),
)

test(
  'an answer that is no lap, or one of another board, is no reference',
  visit(async page => {
    const boards = await openSampleAsDriver(page)
    await turnOn(page)
    boards.answerNext(/\/reference$/, () => new Response(new Uint8Array([8, 1, 255, 255])))
    await compare.catchAhead(page).click()
    await compare.card(page).getByText('Could not load reference lap.').waitFor()
    answerReference(boards, trackOf(sample, second!), { ...sampleBoard, car_slug: 'another-car' })
    await compare.catchAhead(page).click()
    await compare.card(page).getByRole('button', { name: 'Catch the driver ahead' }).waitFor()
    await compare.card(page).getByText('Could not load reference lap.').waitFor()
    await compare.gauges(page).getByText(`Lap ${second!.lap}`, { exact: true }).waitFor()
  }),
)

test(
  'the two recorded drivers of one track: the delta closes to the gap of their official times',
  { skip: sharedIbtMissing && `skipped: ${noSharedFiles}` },
  visit(async page => {
    const other = await readRecorded('laps/summit-jefferson-second-driver.ibt')
    const lap = other.laps
      .filter(({ is_completed }) => is_completed)
      .sort((a, b) => a.time_s! - b.time_s!)[0]!
    const { sim, track_slug, layout, car_slug, track_label, car_label } = other.meta
    const board = { sim, track_slug, layout, car_slug, track_label, car_label }
    const boards = await openSampleAsDriver(page)
    boards.settings.drive = { combination: board, timeMs: null }
    boards.settings.storeUrl = new URL('/store', page.url()).href
    await page.route('**/store', route => route.fulfill({ status: 204 }))
    boards.addEntries(board, [{ userId: 'user-kerbrider', name: 'kerbrider', timeMs: 51_148 }])
    await dropFiles(page, sharedIbt('laps/summit-jefferson-4-laps.ibt'))
    await page.getByText('summit-jefferson-4-laps.ibt', { exact: true }).waitFor()
    assert.deepEqual((await shownLaps(page))[0], 'Lap 5 0:51.088')

    answerReference(boards, trackOf(other, lap), board)
    await page.getByRole('button', { name: 'Show Full Leaderboard' }).click()
    await page.getByRole('button', { name: 'Use as Reference: kerbrider' }).click()
    await compare.gauges(page).getByText('kerbrider', { exact: true }).waitFor()
    const { lineMs, scoredMs, within } = await closing(page)
    assert.equal(scoredMs, 51_088 - 51_148)
    assert.ok(within <= 5, `${within} ms`)
    assert.ok(Math.abs(lineMs - scoredMs) <= within + 1)
  }),
)

/** The figures of the sentence above the traces. */
async function closing(page: Page): Promise<{ lineMs: number; scoredMs: number; within: number }> {
  const text = await page.getByText(/at the line; closes to within \d+ ms/).textContent()
  const [, line, within, scored] =
    /^(.*) s at the line; closes to within (\d+) ms of the scored (.*) s$/.exec(text!)!
  return { lineMs: msOf(line!), scoredMs: msOf(scored!), within: Number(within) }
}

async function toast(page: Page, sentence: string): Promise<void> {
  await screen.toast(page).getByText(sentence, { exact: true }).first().waitFor()
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Settings of/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  await screen.chooseFile(page).waitFor()
}

async function readRecorded(name: string): Promise<Preview> {
  return previewSession(bytesSource(await readFile(sharedIbt(name))))
}

function inSight(page: Page): Promise<boolean> {
  return screen.outline(page).evaluate(element => {
    const { top, bottom } = element.getBoundingClientRect()
    return bottom > 0 && top < innerHeight
  })
}
