import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { BLUE, type TileAnswer } from './fake-tiles.ts'
import { lapwing } from './harness.ts'
import { moveCursor, openMap, openScene, settledMarker, show2d, untilBase, untilColour } from './map.ts'
import { openSample, screen } from './screen.ts'
import { tilesUnderSample } from './tiles-under-sample.ts'

// Forty metres above the road: the simulator's altitudes are not those of the tiles.
const tiles = await tilesUnderSample(40)

const KEY = 'secret-of-the-operator'

const { visit, visitTogether } = lapwing({
  reach: 'page',
  env: {
    gateway: {
      MAP_STREET: tiles.raster,
      MAP_STREET_ATTRIBUTION: '© Fake Streets',
      MAP_STREET_PROXY: 'true',
      MAP_SATELLITE: `${tiles.raster}?key={key}`,
      MAP_SATELLITE_KEY: KEY,
      MAP_SATELLITE_ATTRIBUTION: '© Fake Satellite',
      MAP_SATELLITE_PROXY: 'true',
      MAP_SATELLITE_MAX_ZOOM: '16',
      MAP_3D_TERRAIN: tiles.terrain,
      MAP_3D_TERRAIN_ATTRIBUTION: '<a href="https://heights.example/">© Fake Heights</a>',
      MAP_3D_TERRAIN_MAX_ZOOM: '12',
      MAP_3D_TERRAIN_PROXY: 'true',
    },
  },
})

/** Watches that the page calls only its own origin, and never receives the key. */
function watchOrigin(page: Page): () => Promise<void> {
  const origins = new Set<string>()
  const texts: Promise<string>[] = []
  page.on('request', request => {
    if (/^https?:/.test(request.url())) origins.add(new URL(request.url()).origin)
  })
  page.on('response', response => {
    texts.push(Promise.all([response.allHeaders(), response.text()]).then(JSON.stringify, () => ''))
  })
  return async () => {
    assert.deepEqual([...origins], [new URL(page.url()).origin])
    assert.ok(!(await Promise.all(texts)).join().includes(KEY))
  }
}

/** Returns a point of the view, away from the lap and the buttons. */
async function corner(page: Page, view = screen.map(page)) {
  const box = (await view.boundingBox())!
  return { x: box.x + 30, y: box.y + box.height - 60 }
}

test(
  'shows satellite pictures through the gateway, whose source learns the key and the page does not',
  visit(async page => {
    const check = watchOrigin(page)
    await openMap(page)
    await page.getByRole('radio', { name: 'Satellite' }).click()
    await untilBase(page, 'shown')
    await untilColour(page, await corner(page), BLUE)
    await page.getByText('© Fake Satellite').waitFor()
    await check()
    assert.ok(tiles.requests.some(path => path.startsWith('/raster/') && path.endsWith(`?key=${KEY}`)))
  }),
)

/** They share a window, and each opens a map of its own in it. */
const together = visitTogether(openSample)

const failures: readonly (readonly [string, TileAnswer])[] = [
  ['has no tile', 'absent'],
  ['refuses the key', 'refused'],
  ['has had too many requests', 'limited'],
  ['answers with a page', 'page'],
  ['answers with ten megabytes', 'huge'],
  ['never answers', 'silence'],
]

for (const [what, answer] of failures) {
  test(
    `draws the lap on a grid, and says why, if the source behind the gateway ${what}`,
    together(async page => {
      tiles.answer = answer
      await show2d(page)
      await untilBase(page, 'missing')
      await page.getByText('The pictures of the map do not load, so the lap is on a grid.').waitFor()
      await screen.map(page).press('End')
      await settledMarker(page)
      await page.getByRole('radio', { name: 'Outline' }).click()
      await screen.outline(page).waitFor()
    }),
  )
}

test(
  'lays satellite pictures on the heights of a terrain in 3D, with both credits, levelled to the lap',
  visit(async page => {
    // Software draws it, so it is small.
    await page.setViewportSize({ width: 800, height: 600 })
    const check = watchOrigin(page)
    await openScene(page)
    await page.locator('[data-photo="shown"]').waitFor()
    await untilColour(page, await corner(page, screen.scene(page)), BLUE)
    await page.getByText('© Fake Satellite, © Fake Heights').waitFor()
    await check()
    assert.ok(tiles.requests.some(path => path.startsWith('/terrain/')))
    // Forty metres higher, the ground would hide the lines.
    await screen.scene(page).press('Home')
    const start = await settledMarker(page)
    await screen.scene(page).press('End')
    await moveCursor(screen.scene(page), -30)
    await untilColour(page, start, [16, 185, 129])
  }),
)

test(
  'draws our own ground, and says why, if the terrain behind the gateway is absent',
  visit(
    async page => {
      tiles.answer = 'absent'
      await openScene(page)
      await page
        .getByText('The server of the terrain sends no pictures, so the view shows our own ground.')
        .waitFor()
      await page.locator('[data-photo="none"]').waitFor()
      await screen.scene(page).press('End')
      await settledMarker(page)
    },
    { expected: [/Failed to load tile|decoded/] },
  ),
)
