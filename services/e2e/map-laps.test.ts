import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { dropFiles } from './give-file.ts'
import { lapwing } from './harness.ts'
import { marksOfLap, settledMarker, show2d } from './map.ts'
import { openFirstVisit, screen } from './screen.ts'
import { type AnIbt, anIbt } from './testing/an-ibt.ts'

const { visitTogether } = lapwing({ reach: 'page' })
const together = visitTogether(page => openFirstVisit(page))

const angle = (laps: number) => 2 * Math.PI * (laps % 1)

async function openLaps(page: Page, file: Partial<AnIbt>): Promise<void> {
  await dropFiles(page, { name: 'laps.ibt', bytes: anIbt({ lapTimesS: [21.4, 20.2], ...file }) })
  await screen.laps(page).first().waitFor()
}

/** Goes back to the first visit, for the next test. */
async function leave(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Outline' }).click()
  if (!(await screen.validLapsOnly(page).isChecked())) await screen.validLapsOnly(page).click()
  await page.getByRole('button', { name: 'Close file' }).click()
  await screen.chooseFile(page).waitFor()
}

test(
  'says that a lap without positions has no map',
  together(async page => {
    await openLaps(page, { replaced: { Lat: () => Number.NaN, Lon: () => Number.NaN } })
    await screen.show2d(page).click()
    await page.getByText(/^This lap holds no positions/).waitFor()
    await page.getByRole('radio', { name: 'Outline' }).click()
    await screen.outline(page).waitFor()
    await leave(page)
  }),
)

test(
  'draws the rest of a lap whose positions end in the middle',
  together(async page => {
    const half = (value: (laps: number) => number) => (laps: number) =>
      laps % 1 < 0.5 ? value(laps) : Number.NaN
    await openLaps(page, {
      replaced: {
        Lat: half(laps => 51.5 + 0.0015 * Math.sin(angle(laps))),
        Lon: half(laps => -1.25 + 0.0023 * Math.cos(angle(laps))),
      },
    })
    // Such laps are partial.
    await screen.validLapsOnly(page).click()
    await show2d(page)
    await screen.map(page).press('Home')
    await settledMarker(page)
    await leave(page)
  }),
)

test(
  'draws a lap without altitudes',
  together(async page => {
    await openLaps(page, { replaced: { Alt: () => Number.NaN } })
    await show2d(page)
    await page.getByText(/^Grid \d+ m$/).waitFor()
    await screen.map(page).press('Home')
    await settledMarker(page)
    await leave(page)
  }),
)

test(
  'fits each lap of a session on two continents to itself',
  together(async page => {
    await openLaps(page, {
      replaced: {
        Lat: laps => (laps < 2 ? 51.5 : -33.5) + 0.0015 * Math.sin(angle(laps)),
        Lon: laps => (laps < 2 ? -1.25 : 151.2) + 0.0023 * Math.cos(angle(laps)),
      },
    })
    await screen.validLapsOnly(page).click()
    const laps = screen.laps(page)
    await laps
      .filter({ hasText: /^Lap 1/ })
      .first()
      .click()
    await show2d(page)
    const first = widthOf(await marksOfLap(page))
    await laps
      .filter({ hasText: /^Lap 2/ })
      .first()
      .click()
    await screen.map(page).and(page.getByLabel(/Lap 2/)).waitFor()
    const second = widthOf(await marksOfLap(page))
    const { width } = (await screen.map(page).boundingBox())!
    // The ring spans most of the map in both.
    assert.ok(first > width / 3 && second > width / 3, `${first} and ${second} of ${width} px`)
    await leave(page)
  }),
)

test(
  'draws a car that never left its place',
  together(async page => {
    await openLaps(page, { replaced: { Lat: () => 51.5, Lon: () => -1.25 } })
    await screen.validLapsOnly(page).click()
    await screen.show2d(page).click()
    // The reader drops positions that stay the same over a whole lap.
    await screen
      .map(page)
      .or(page.getByText(/^This lap holds no positions/))
      .first()
      .waitFor()
    await leave(page)
  }),
)

function widthOf(marks: readonly { readonly x: number }[]): number {
  const xs = marks.map(({ x }) => x)
  return Math.max(...xs) - Math.min(...xs)
}
