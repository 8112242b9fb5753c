import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dropFiles } from './give-file.ts'
import { lapwing } from './harness.ts'
import { moveCursor, settledMarker, show2d, show3d } from './map.ts'
import { openFirstVisit, screen } from './screen.ts'
import { type AnIbt, anIbt } from './testing/an-ibt.ts'

/** Laps at the ends of the coordinates: each view draws them, and no other part of the page fails. */
const { visit } = lapwing({ reach: 'page' })

const angle = (laps: number) => 2 * Math.PI * (laps % 1)
const wrapped = (lon: number) => (lon >= 180 ? lon - 360 : lon)
type Replaced = NonNullable<AnIbt['replaced']>

const ring = (lat: number, lon: number): Replaced => ({
  Lat: laps => Math.min(90, lat + 0.0015 * Math.sin(angle(laps))),
  Lon: laps => wrapped(lon + (0.0015 / Math.cos((lat * Math.PI) / 180)) * Math.cos(angle(laps))),
})

/** A sample in twenty, among others that are places. */
const isOdd = (laps: number) => Math.floor(laps * 2000) % 20 === 0

const LAPS: Readonly<Record<string, Replaced>> = {
  'across the 180th meridian': ring(-17, 180),
  'on the equator and the first meridian': ring(0, 0),
  'beyond the edge of a flat map': ring(89.9, 20),
  'with positions that are not on Earth': {
    Lat: laps => (isOdd(laps) ? 1e9 : 51.5 + 0.0015 * Math.sin(angle(laps))),
    Lon: laps => (isOdd(laps) ? Number.NEGATIVE_INFINITY : -1.25 + 0.0023 * Math.cos(angle(laps))),
    Alt: laps => (isOdd(laps) ? Number.NaN : 120),
  },
}

for (const [name, replaced] of Object.entries(LAPS)) {
  test(
    `shows a lap ${name} on the outline, in 2D and in 3D`,
    visit(async page => {
      await openFirstVisit(page)
      await dropFiles(page, { name: 'laps.ibt', bytes: anIbt({ lapTimesS: [21.4, 20.2], replaced }) })
      await screen.laps(page).first().waitFor()
      // Such laps can be partial.
      await screen.validLapsOnly(page).click()
      for (const [show, view] of [
        [show2d, screen.map],
        [show3d, screen.scene],
      ] as const) {
        await show(page)
        const box = (await view(page).boundingBox())!
        await view(page).press('Home')
        for (let step = 0; step < 4; step++) {
          await moveCursor(view(page), 21)
          // A row without a position has no mark; the next one has.
          const mark = await settledMarker(page).catch(async () => {
            await view(page).press('ArrowRight')
            return settledMarker(page)
          })
          assert.ok(mark.x >= box.x && mark.x <= box.x + box.width, JSON.stringify({ mark, box }))
          assert.ok(mark.y >= box.y && mark.y <= box.y + box.height, JSON.stringify({ mark, box }))
        }
      }
      await page.getByRole('radio', { name: 'Outline' }).click()
      await screen.outline(page).press('End')
      await page
        .getByText(/% of lap/)
        .first()
        .waitFor()
    }),
  )
}
