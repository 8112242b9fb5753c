import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTrackCorners, type LapTrack } from '@lapwing/telemetry/compare'
import type { Page } from 'playwright-core'
import type { FakeCorner } from '../../frontend/src/testing/fake-boards.ts'
import {
  answerReference,
  boardsOfSample,
  compare,
  inDrivingOrder,
  lossOf,
  msOf,
  openSampleAsDriver,
  sample,
  sampleLaps,
  trackOf,
  turnOn,
} from './compare.ts'
import { lapwing } from './harness.ts'
import { openSample, screen } from './screen.ts'

const { visit } = lapwing({ reach: 'accounts', ownAddresses: true })

const found = findTrackCorners(sampleLaps.map(lap => trackOf(sample, lap)))

/** Stored corners: those of the sample, but the second was found later and the first has a name. */
const stored: readonly FakeCorner[] = found.map(({ startPct, apexPct, endPct, kind, direction }, i) => ({
  id: i + 1,
  number: i === 0 ? '1' : i === 1 ? '1a' : String(i),
  name: i === 0 ? 'Heron Bend' : null,
  kind,
  direction,
  start_pct: startPct,
  apex_pct: apexPct,
  end_pct: endPct,
  start_m: null,
  apex_m: null,
  end_m: null,
}))
/** The names as in the table: a name is beside its number. */
const storedNames = stored.map(({ number, name }) =>
  name === null ? `Turn ${number}` : `Turn ${number} ${name}`,
)

/** Matches a corner, but no straight such as `Turn 1 to Turn 2`. */
const cornerName = /^Turn \d+[a-z]?( Heron Bend)?$/

const names = (page: Page) =>
  compare.corners(page).getByRole('button', { name: cornerName }).allTextContents()

/** Waits until the table names its corners like that. */
const untilNamed = (page: Page, expected: readonly string[]) =>
  page.waitForFunction(
    ({ expected }) => {
      const shown = [...document.querySelectorAll('tbody button')]
        .map(button => button.textContent ?? '')
        .filter(text => /^Turn (?!.* to )/.test(text))
      return shown.join() === expected.join()
    },
    { expected },
  )

const numbersOfTraces = (page: Page) =>
  page.getByRole('toolbar', { name: 'Corners on the traces' }).locator('button').allTextContents()

/** A lap of a driver without coordinates in the file: alone it shows other corners. */
function steeringOnly(track: LapTrack): LapTrack {
  const { lat: _lat, lon: _lon, ...rest } = track
  return { ...rest, steering: track.steering!.map((angle, i) => (i % 800 < 400 ? 0.02 : angle)) }
}

test(
  'shows the same turns in table and traces for two references of one track, one of a board',
  visit(async page => {
    const boards = await openSampleAsDriver(page)
    await turnOn(page)
    await compare.corner(page).first().waitFor()
    await inDrivingOrder(page)
    const before = [await names(page), await numbersOfTraces(page)]
    const reference = steeringOnly(trackOf(sample, sampleLaps[1]!))
    assert.notEqual(findTrackCorners([reference]).length, found.length)
    answerReference(boards, reference)
    await compare.catchAhead(page).click()
    await compare.gauges(page).getByText('kerbrider', { exact: true }).waitFor()
    assert.deepEqual([await names(page), await numbersOfTraces(page)], before)
    assert.equal(before[0]!.length, found.length)
  }),
)

test(
  'prefers stored corners of the track with their numbers and names, and losses add up to the gap',
  visit(async page => {
    const boards = await openSampleAsDriver(page)
    boards.corners.push(...stored)
    await turnOn(page)
    await inDrivingOrder(page)
    await untilNamed(page, storedNames)
    assert.deepEqual(
      await numbersOfTraces(page),
      stored.map(({ number }) => number),
    )
    await compare.corners(page).getByRole('button', { name: 'Turn 1 Heron Bend' }).waitFor()
    const asked = boards.calls.filter(({ what }) => what.includes('/tracks/'))
    const { sim, track_slug, layout } = sample.meta
    assert.deepEqual(
      asked.map(({ what, headers }) => [what, headers.get('authorization')]),
      [[`GET /tracks/${sim}/${track_slug}/${layout}/corners`, null]],
    )

    let sumMs = 0
    for (const part of await compare.parts(page).all()) sumMs += await lossOf(part)
    const gap = compare
      .corners(page)
      .getByRole('row')
      .filter({ hasText: /^Gap at the line/ })
    assert.equal(sumMs, msOf(await gap.getByRole('cell').last().textContent()))

    await screen.laps(page).nth(2).click()
    await compare.gauges(page).getByText(`Lap ${sampleLaps[0]!.lap}`, { exact: true }).waitFor()
    assert.deepEqual(await names(page), storedNames)
  }),
)

for (const [device, options] of [
  ['a desktop', {}],
  [
    'a phone',
    { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: 'reduce' },
  ],
] as const) {
  test(
    `moves neither row nor choice when stored corners arrive late on ${device}`,
    visit(async page => {
      const boards = await openSampleAsDriver(page)
      boards.corners.push(...stored)
      const late = Promise.withResolvers<void>()
      boards.answerNext(/\/tracks\//, { after: late.promise })
      await turnOn(page)
      await inDrivingOrder(page)
      const own = found.map((_, i) => `Turn ${i + 1}`)
      await untilNamed(page, own)
      const third = compare.corner(page).nth(2)
      await third.click()
      const boxes = async () =>
        (
          await Promise.all(
            (await compare.corners(page).locator('tbody tr').all()).map(row => row.boundingBox()),
          )
        ).map(box => [box!.x, box!.y, box!.width, box!.height])
      const before = await boxes()
      late.resolve()
      await untilNamed(page, storedNames)
      assert.deepEqual(await boxes(), before)
      // The third corner is Turn 2 from now on, and is still the chosen one.
      const pressed = compare.corners(page).getByRole('button', { pressed: true })
      assert.deepEqual(await pressed.allTextContents(), [storedNames[2]])
      const numbers = page.getByRole('toolbar', { name: 'Corners on the outline' })
      const chosen = numbers.getByRole('button', { pressed: true })
      assert.equal(await chosen.getAttribute('aria-label'), `Turn ${stored[2]!.number}`)
    }, options),
  )
}

test(
  'shows the session’s own corners if none are stored or available',
  visit(
    async page => {
      const boards = await openSampleAsDriver(page)
      boards.answerNext(/\/tracks\//, { problem: [404, 'ingest.corners_not_found', 'Not known yet.'] })
      await turnOn(page)
      await inDrivingOrder(page)
      await untilNamed(
        page,
        found.map((_, i) => `Turn ${i + 1}`),
      )
      assert.equal(await screen.alert(page).count(), 0)
    },
    { expected: [/\b404\b/] },
  ),
)

test(
  'reports that the code of the table cannot be loaded; Retry loads it, and the comparison stays',
  visit(
    async page => {
      await openSampleAsDriver(page)
      const code = /\/TimeLost[^/]*\.js/
      await page.route(code, route => route.abort())
      await turnOn(page)
      await screen.alert(page).getByText('This part of the page could not be loaded.').waitFor()
      await page.unroute(code)
      await page.getByRole('button', { name: 'Retry', exact: true }).click()
      await compare.corner(page).first().waitFor()
      await compare.gauges(page).waitFor()
    },
    { expected: [/\/assets\//, /Failed to load resource/, /ERR_FAILED/, /dynamically imported module/] },
  ),
)

test(
  'shows a visitor the session without a request for the track’s corners',
  visit(async page => {
    const boards = await boardsOfSample(page)
    await openSample(page)
    await screen.traces(page).waitFor()
    assert.equal(boards.count(/\/tracks\//), 0)
    assert.equal(await compare.corners(page).count(), 0)
  }),
)
