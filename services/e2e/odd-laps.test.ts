import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { dropFiles } from './give-file.ts'
import { lapwing } from './harness.ts'
import { coloursAt, marksOfLap, settledMarker, show2d, show3d } from './map.ts'
import { openFirstVisit, screen } from './screen.ts'
import { type AnIbt, anIbt } from './testing/an-ibt.ts'

const { visitTogether } = lapwing({ reach: 'page' })
const together = visitTogether(page => openFirstVisit(page))

/** The two views that draw a lap on the ground. A ring takes at least `share` of the width. */
const VIEWS = [
  { show: show2d, button: screen.show2d, view: screen.map, share: 1 / 3 },
  { show: show3d, button: screen.show3d, view: screen.scene, share: 1 / 4 },
] as const

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
  'says in 2D and 3D that a lap without positions has nothing to draw',
  together(async page => {
    await openLaps(page, { replaced: { Lat: () => Number.NaN, Lon: () => Number.NaN } })
    for (const { button } of VIEWS) {
      await button(page).click()
      await page.getByText(/^This lap holds no positions/).waitFor()
      await page.getByRole('radio', { name: 'Outline' }).click()
      await screen.outline(page).waitFor()
    }
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
    for (const { show, view } of VIEWS) {
      await show(page)
      await view(page).press('Home')
      await settledMarker(page)
    }
    await leave(page)
  }),
)

test(
  'draws a lap without altitudes, in 3D on flat ground, and says so',
  together(async page => {
    await openLaps(page, { replaced: { Alt: () => Number.NaN } })
    const words = [/^Grid \d+ m$/, 'This lap holds no altitude, so the ground is flat.']
    for (const [i, { show, view }] of VIEWS.entries()) {
      await show(page)
      await page.getByText(words[i]!).waitFor()
      await view(page).press('Home')
      await settledMarker(page)
    }
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
    const choose = (name: RegExp) => screen.laps(page).filter({ hasText: name }).first().click()
    for (const { show, view, share } of VIEWS) {
      await choose(/^Lap 1/)
      await show(page)
      const first = widthOf(await marksOfLap(page, view(page)))
      await choose(/^Lap 2/)
      await view(page).and(page.getByLabel(/Lap 2/)).waitFor()
      const second = widthOf(await marksOfLap(page, view(page)))
      const { width } = (await view(page).boundingBox())!
      assert.ok(Math.min(first, second) > share * width, `${first} and ${second} of ${width} px`)
    }
    await leave(page)
  }),
)

test(
  'draws a car that never left its place',
  together(async page => {
    await openLaps(page, { replaced: { Lat: () => 51.5, Lon: () => -1.25 } })
    await screen.validLapsOnly(page).click()
    for (const { button, view } of VIEWS) {
      await button(page).click()
      // The reader drops positions that stay the same over a whole lap.
      await view(page)
        .or(page.getByText(/^This lap holds no positions/))
        .first()
        .waitFor()
    }
    await leave(page)
  }),
)

test(
  'lights the ground by the time of day in the file, and again when another file comes',
  together(async page => {
    const brightness = async () => {
      const { x, y, width, height } = (await screen.scene(page).boundingBox())!
      // Land, and no road.
      const [colour] = await coloursAt(page, [{ x: x + width / 2, y: y + height / 2 }])
      return colour!.reduce((sum, part) => sum + part, 0)
    }
    await openLaps(page, { timeOfDay: '1:00 pm' })
    await show3d(page)
    const atNoon = await brightness()
    const name = 'night.ibt'
    await dropFiles(page, { name, bytes: anIbt({ lapTimesS: [21.4, 20.2], timeOfDay: '1:00 am' }) })
    await screen.loadedFile(page).getByText(name).waitFor()
    await show3d(page)
    await screen.scene(page).waitFor()
    const start = performance.now()
    let atNight = await brightness()
    while (atNight > 0.6 * atNoon && performance.now() - start < 20_000) atNight = await brightness()
    assert.ok(atNight <= 0.6 * atNoon, `${atNoon} at noon, ${atNight} at night`)
    await leave(page)
  }),
)

function widthOf(marks: readonly { readonly x: number }[]): number {
  const xs = marks.map(({ x }) => x)
  return Math.max(...xs) - Math.min(...xs)
}
