import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { GOOGLE_KEY, GOOGLE_ROOT, MAGENTA, type TileAnswer } from './fake-tiles.ts'
import { lapwing } from './harness.ts'
import { coloursAt, insideLap, marksOfLap, openScene, settledMarker, show3d, untilColour } from './map.ts'
import { screen } from './screen.ts'
import { tilesUnderSample } from './tiles-under-sample.ts'

// Forty metres above the road: the simulator's altitudes are not those of the tiles.
const tiles = await tilesUnderSample(40)

const { visit } = lapwing({
  reach: 'page',
  env: {
    gateway: {
      MAP_3D_GOOGLE_KEY: GOOGLE_KEY,
      MAP_3D_TILES: tiles.tileset,
      MAP_3D_TILES_ATTRIBUTION: '© Fake Tiles',
    },
  },
})

/** Sends requests for Google to the local server. `key` is what Google accepts. */
async function asGoogle(page: Page, change = (url: string) => url): Promise<void> {
  await page.route('https://tile.googleapis.com/**', async route => {
    const { pathname, search } = new URL(change(route.request().url()))
    const response = await route.fetch({ url: `${tiles.url}${pathname}${search}` })
    await route.fulfill({ response })
  })
}

const withoutKey = (url: string) => url.replace(/key=[^&]*/, 'key=refused')

const untilPhoto = (page: Page, state: string) => page.locator(`[data-photo="${state}"]`).waitFor()

test(
  "shows Google's tiles with their credit, asks for the root once, and levels them to the lap",
  visit(async page => {
    await asGoogle(page)
    await openScene(page)
    await untilPhoto(page, 'shown')
    await untilColour(page, await insideLap(page), MAGENTA)
    await page.getByText('Google Maps · Other Survey; Fake Survey', { exact: true }).waitFor()
    // Forty metres higher, the ground would hide the lines.
    await screen.scene(page).press('Home')
    const start = await settledMarker(page)
    await screen.scene(page).press('End')
    for (let percent = 0; percent < 30; percent++) await screen.scene(page).press('Shift+ArrowLeft')
    await untilColour(page, start, [16, 185, 129])

    await page.getByRole('radio', { name: 'Outline' }).click()
    await show3d(page)
    await untilPhoto(page, 'shown')
    assert.equal(tiles.requests.filter(path => path.startsWith(GOOGLE_ROOT)).length, 1)
    assert.ok(tiles.requests.some(path => /ground\.glb\?.*session=fake-session/.test(path)))
    assert.ok(!tiles.requests.some(path => path.startsWith('/3d/')))
  }),
)

test(
  'shows the lap where hills of the simulator are below the ground of the source, too',
  visit(async page => {
    await asGoogle(page)
    await openScene(page)
    await untilPhoto(page, 'shown')
    await untilColour(page, await insideLap(page), MAGENTA)
    const scene = screen.scene(page)
    // The ground is flat, and level with the middle of the lap's heights: some of the lap is below.
    const marks = await marksOfLap(page, scene)
    await scene.press('Escape')
    await page.mouse.move(5, 5)
    const colours = await coloursAt(page, marks)
    for (const [red, green, blue] of colours) {
      const isGround = red! > 200 && green! < 60 && blue! > 200
      assert.ok(!isGround, JSON.stringify(colours))
    }
  }),
)

test(
  'says that Google refuses the key, and shows the next source with its credit',
  visit(
    async page => {
      await asGoogle(page, withoutKey)
      await openScene(page)
      await page
        .getByText(
          'Google refuses the key of this site (403), so the view shows the next source of pictures.',
        )
        .waitFor()
      await untilPhoto(page, 'shown')
      await untilColour(page, await insideLap(page), MAGENTA)
      await page.getByText('© Fake Tiles').waitFor()
      // A refused key is not tried again.
      assert.equal(tiles.requests.filter(path => path.startsWith(GOOGLE_ROOT)).length, 1)
    },
    { expected: [/403/, /refused/] },
  ),
)

const failures: readonly (readonly [string, TileAnswer, number])[] = [
  ['has no tileset', 'absent', 1],
  ['answers with a page', 'page', 1],
  ['answers with ten megabytes', 'huge', 1],
  ['answers with half a tileset', 'truncated', 1],
  ['has had too many requests', 'limited', 4],
  ['never answers', 'silence', 1],
]

for (const [what, answer, requests] of failures) {
  test(
    `draws our own ground, and says why, if the last source ${what}`,
    visit(
      async page => {
        tiles.answer = answer
        await asGoogle(page, withoutKey)
        await openScene(page)
        await page
          .getByText('The server of the 3D pictures sends no pictures, so the view shows our own ground.')
          .waitFor()
        await untilPhoto(page, 'none')
        assert.equal(tiles.requests.filter(path => path.startsWith('/3d/')).length, requests)
        await screen.scene(page).press('End')
        await settledMarker(page)
      },
      { expected: [/40[34]|429/, /(?:root)/i, /Timeout|timed out|aborted/i] },
    ),
  )
}

test(
  'keeps the lap on our own ground without network, and gets the pictures when it is back',
  visit(
    async page => {
      let isOffline = true
      await page.route(/^http:\/\/127\.0\.0\.1:\d+\/3d\//, route =>
        isOffline ? route.abort('internetdisconnected') : route.continue(),
      )
      await asGoogle(page, withoutKey)
      await openScene(page)
      await untilPhoto(page, 'none')
      await screen.scene(page).press('End')
      await settledMarker(page)
      isOffline = false
      await page.evaluate(() => window.dispatchEvent(new Event('online')))
      await untilPhoto(page, 'shown')
    },
    { expected: [/403/, /refused/, /ERR_INTERNET_DISCONNECTED|Failed to fetch/] },
  ),
)
