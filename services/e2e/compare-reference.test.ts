import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { bytesSource, lapTimeMs, type Preview, previewSession } from '@lapwing/telemetry'
import { noSharedFiles, sharedIbt, sharedIbtMissing } from '@lapwing/testing/shared-ibt.ts'
import type { Locator } from 'playwright-core'
import { ring } from './boards.ts'
import {
  answerReference,
  compare,
  gapAtLine,
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
import { anIbt } from './testing/an-ibt.ts'

const { visit } = lapwing({ reach: 'accounts', ownAddresses: true })

const [fastest, second] = sampleLaps

const refusal = { problem: [404, 'ingest.lap_not_found', 'This lap cannot be had.'] } as const

test(
  'loads and compares a lap about a second faster with one press',
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

    // A lap of another session, with other steps, closes to the gap too.
    assert.equal(await gapAtLine(page), lapTimeMs(fastest!.time_s!) - lapTimeMs(second!.time_s!))

    await compare.card(page).getByRole('button', { name: 'Clear' }).click()
    await toast(page, 'Reference lap cleared')
    assert.equal(await compare.fromSession(page).isChecked(), true)
    await compare.gauges(page).getByText(`Lap ${second!.lap}`, { exact: true }).waitFor()
  }),
)

test(
  'turns compare mode on with the lap of Use as Reference in the full leaderboard',
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

    // A loaded reference is cached.
    await compare.card(page).getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('button', { name: 'Show Full Leaderboard' }).click()
    await dialog.getByRole('button', { name: 'Use as Reference: slipstream' }).click()
    await compare.card(page).getByText('slipstream').waitFor()
    assert.equal(boards.count(/\/reference$/), 1)
  }),
)

test(
  'switches between the two kinds of reference with From Session, and says how to get a missing one',
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

/** Practice with laps 1 and 2, then a heat with laps 1 and 2. The lap between them is in neither. */
const practiceAndHeat = anIbt({
  lapTimesS: [21.4, 20.2, 20.9, 20.6, 20.3],
  replaced: {
    SessionNum: lapsDriven => (lapsDriven < 3.5 ? 0 : 1),
    Lap: lapsDriven => Math.floor(lapsDriven) - (lapsDriven < 3.5 ? 0 : 3),
  },
})

test(
  'names the session of each lap in list, dropdown, reference card and comparison if there are several',
  visit(async page => {
    const boards = await openSampleAsDriver(page)
    boards.addEntries(ring, [{ userId: 'user-kerbrider', name: 'kerbrider', timeMs: 20_000 }])
    // Nothing of this test is about saving.
    boards.answerNext('POST /v1/upload/init', { after: new Promise(() => {}) })
    await dropFiles(page, { name: 'practice-and-heat.ibt', bytes: practiceAndHeat })
    await screen.loadedFile(page).getByText('practice-and-heat.ibt').waitFor()
    const options = async (choice: Locator) => {
      await choice.click()
      const texts = await page.getByRole('option').allTextContents()
      await page.keyboard.press('Escape')
      return texts
    }
    const names = [
      'Practice · Lap 2 · 0:20.200',
      'Heat 1 · Lap 2 · 0:20.300',
      'Heat 1 · Lap 1 · 0:20.600',
      'Practice · Lap 1 · 0:21.400',
    ]
    const rows = await screen.laps(page).allTextContents()
    assert.deepEqual(
      rows.map(text => /^Lap (\d)(\D+\d?)(\d:\d\d\.\d{3})/.exec(text)?.slice(1)),
      [
        ['2', 'Practice', '0:20.200'],
        ['2', 'Heat 1', '0:20.300'],
        ['1', 'Heat 1', '0:20.600'],
        ['1', 'Practice', '0:21.400'],
      ],
    )
    assert.deepEqual(await options(screen.selectedLap(page)), names)
    await turnOn(page)
    assert.deepEqual(await options(compare.reference(page)), names.slice(1))
    await screen.gauges(page).getByText('Practice · Lap 2', { exact: true }).waitFor()
    await compare.gauges(page).getByText('Heat 1 · Lap 2', { exact: true }).waitFor()
    await page.getByRole('region', { name: 'Lap traces' }).getByText('Practice · Lap 2').waitFor()
  }),
)

test(
  'reports a lap that does not arrive in the card that asked for it, and in a toast over the board',
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
      // The button stays so, and still has the focus after a key press.
      const refused = dialog.getByRole('button', { name: 'Not Available: slipstream' })
      await refused.waitFor()
      assert.equal(await refused.evaluate(element => element === document.activeElement), true)
      // The pointer is still on the button; leaving and returning shows the tooltip.
      await page.mouse.move(5, 5, { steps: 5 })
      await refused.hover()
      await page.getByRole('tooltip', { name: 'This lap is not shared, or it is gone.' }).waitFor()
      await dialog.getByRole('button', { name: 'Close' }).click()
      await page.keyboard.press('Escape')
      await compare.gauges(page).getByText(`Lap ${second!.lap}`, { exact: true }).waitFor()
    },
    { expected: [/\b404\b/, /\b503\b/] },
  ),
)

test(
  'uses the next nearest lap with the same press if the lap ahead is not shared',
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
  'rejects an answer that is not a lap, or is of another board, as a reference',
  visit(async page => {
    const boards = await openSampleAsDriver(page)
    await turnOn(page)
    boards.answerNext(/\/reference$/, () => new Response(new Uint8Array([8, 1, 255, 255])))
    await compare.catchAhead(page).click()
    await compare.card(page).getByText('Could not load reference lap.').waitFor()
    answerReference(boards, trackOf(sample, second!), { ...sampleBoard, car_slug: 'another-car' })
    await compare.catchAhead(page).click()
    await compare.card(page).getByRole('button', { name: 'Chase a lap 1 s faster' }).waitFor()
    await compare.card(page).getByText('Could not load reference lap.').waitFor()
    await compare.gauges(page).getByText(`Lap ${second!.lap}`, { exact: true }).waitFor()
  }),
)

test(
  'closes the delta of two recorded drivers of one track to the gap of their official times',
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
    assert.equal(await gapAtLine(page), 51_088 - 51_148)
  }),
)

async function readRecorded(name: string): Promise<Preview> {
  return previewSession(bytesSource(await readFile(sharedIbt(name))))
}
