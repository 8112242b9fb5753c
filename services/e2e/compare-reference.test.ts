import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { bytesSource, type Preview, previewSession } from '@lapwing/telemetry'
import { noSharedFiles, sharedIbt, sharedIbtMissing } from '@lapwing/testing/shared-ibt.ts'
import {
  answerReference,
  closing,
  compare,
  openSampleAsDriver,
  sample,
  sampleBoard,
  sampleLaps,
  thinned,
  toast,
  trackOf,
  turnOn,
} from './compare.ts'
import { dropFiles } from './give-file.ts'
import { lapwing } from './harness.ts'
import { screen, shownLaps } from './screen.ts'

const { visit } = lapwing({ reach: 'accounts', ownAddresses: true })

const [, second] = sampleLaps

const refusal = { problem: [404, 'ingest.lap_not_found', 'This lap cannot be had.'] } as const

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
      const busy = { problem: [503, 'ingest.busy', 'Too much is going on.'] } as const
      boards.answerNext(/\/reference$/, busy, refusal)
      await compare.catchAhead(page).click()
      await compare
        .card(page)
        .getByRole('alert')
        .getByText('Could not load reference lap. Too much is going on.')
        .waitFor()
      await compare.card(page).getByRole('button', { name: 'Dismiss' }).click()
      assert.equal(await screen.alert(page).count(), 0)

      await page.getByRole('button', { name: 'Show Full Leaderboard' }).click()
      const dialog = page.getByRole('dialog', { name: /^Leaderboard for/ })
      await dialog.getByRole('button', { name: 'Use as Reference: slipstream' }).click()
      await toast(page, 'Failed to load reference lap.')
      // It stays so, and who asked by key is still there.
      const refused = dialog.getByRole('button', { name: 'Not Available: slipstream' })
      await refused.waitFor()
      assert.equal(await refused.evaluate(element => element === document.activeElement), true)
      // The pointer is on it still; it asks by coming back.
      await page.mouse.move(5, 5, { steps: 5 })
      await refused.hover()
      await page
        .getByRole('tooltip', { name: 'Its driver does not share this lap, or it is gone.' })
        .waitFor()
      await dialog.getByRole('button', { name: 'Close' }).click()
      await page.keyboard.press('Escape')
      await compare.gauges(page).getByText(`Lap ${second!.lap}`, { exact: true }).waitFor()
    },
    { expected: [/\b404\b/, /\b503\b/] },
  ),
)

test(
  'where the lap ahead is not given out the next nearest is caught by the same press',
  visit(
    async page => {
      const boards = await openSampleAsDriver(page)
      await turnOn(page)
      boards.answerNext(/\/reference$/, refusal)
      answerReference(boards, trackOf(sample, second!))
      await compare.catchAhead(page).click()
      await toast(page, 'Loaded reference lap from slipstream')
      await compare.gauges(page).getByText('slipstream', { exact: true }).waitFor()
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

async function readRecorded(name: string): Promise<Preview> {
  return previewSession(bytesSource(await readFile(sharedIbt(name))))
}
