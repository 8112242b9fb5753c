import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare, openSampleAsDriver, turnOn } from './compare.ts'
import { lapwing } from './harness.ts'
import { markerAt, moveCursor, settledMarker, show2d, show3d } from './map.ts'
import { screen } from './screen.ts'

const { visit } = lapwing({ reach: 'accounts', ownAddresses: true })

test(
  'marks the same place of both laps, and zooms to the corner that the driver chooses',
  visit(async page => {
    await openSampleAsDriver(page)
    await turnOn(page)
    await show2d(page)
    const map = screen.map(page)
    await map.press('Home')
    await moveCursor(map, 25)
    const lap = await settledMarker(page)
    const reference = (await markerAt(page, 'reference'))!
    // Two laps of one road: some metres apart, which are few pixels here.
    assert.ok(Math.hypot(lap.x - reference.x, lap.y - reference.y) < 12, JSON.stringify({ lap, reference }))
    const colourOf = (role: string, property: 'backgroundColor' | 'borderTopColor') =>
      page
        .locator(`[data-marker="${role}"] > span`)
        .evaluate((mark, name) => getComputedStyle(mark)[name], property)
    // Dark, and purple.
    assert.equal(await colourOf('lap', 'backgroundColor'), 'rgb(19, 24, 32)')
    assert.equal(await colourOf('reference', 'borderTopColor'), 'rgb(167, 139, 250)')

    const apart = async () => {
      await map.press('Home')
      const start = await settledMarker(page)
      await map.press('Shift+ArrowRight')
      const next = await settledMarker(page)
      return Math.hypot(next.x - start.x, next.y - start.y)
    }
    const fitted = await apart()
    await compare.corner(page).first().click()
    assert.ok((await apart()) > 1.5 * fitted)
  }),
)

test(
  'shows both laps on the ground in 3D, and zooms to the corner that the driver chooses',
  visit(async page => {
    await openSampleAsDriver(page)
    await turnOn(page)
    await show3d(page)
    const scene = screen.scene(page)
    await scene.press('Home')
    await moveCursor(scene, 25)
    const lap = await settledMarker(page)
    const reference = (await markerAt(page, 'reference'))!
    assert.ok(Math.hypot(lap.x - reference.x, lap.y - reference.y) < 14, JSON.stringify({ lap, reference }))

    const apart = async () => {
      await scene.press('Home')
      const start = await settledMarker(page)
      await scene.press('Shift+ArrowRight')
      const next = await settledMarker(page)
      return Math.hypot(next.x - start.x, next.y - start.y)
    }
    const fitted = await apart()
    await compare.corner(page).first().click()
    assert.ok((await apart()) > 1.5 * fitted)
  }),
)
