import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { GOOGLE_ROOT, ION_ASSET, ION_GOOGLE_ASSET, ION_TOKEN, MAGENTA } from './fake-tiles.ts'
import { lapwing } from './harness.ts'
import { insideLap, openScene, settledMarker, show3d, untilColour } from './map.ts'
import { screen } from './screen.ts'
import { tilesUnderSample } from './tiles-under-sample.ts'

const tiles = await tilesUnderSample(0)

/** An address of the operator's own, which the tests answer. */
const LOGO = 'https://logo.example/google-maps.svg'

const { visit } = lapwing({
  reach: 'page',
  env: {
    gateway: {
      MAP_3D_ORDER: 'ion,tiles',
      MAP_3D_ION_TOKEN: ION_TOKEN,
      MAP_3D_GOOGLE_LOGO: LOGO,
      MAP_3D_TILES: tiles.dracoTileset,
      MAP_3D_TILES_ATTRIBUTION: '© Fake Tiles',
    },
  },
})

/** Sends requests for ion and Google to the local server, and sets which tileset and which token the page has. */
async function asIon(page: Page, assetId: number, token = ION_TOKEN): Promise<void> {
  for (const host of ['api.cesium.com', 'assets.ion.cesium.com', 'tile.googleapis.com']) {
    await page.route(`https://${host}/**`, async route => {
      const { pathname, search } = new URL(route.request().url())
      await route.fulfill({ response: await route.fetch({ url: `${tiles.url}${pathname}${search}` }) })
    })
  }
  await replacePhoto(page, ([ion, ...others]) => [{ ...ion, token, assetId }, ...others])
}

/** Replaces the sources of the 3D view in the deployment's configuration. */
async function replacePhoto(page: Page, replace: (photo: Photo) => Photo): Promise<void> {
  await page.route('/config.json', async route => {
    const response = await route.fetch()
    const config = await response.json()
    config.mapSources.photo = replace(config.mapSources.photo)
    await route.fulfill({ response, json: config })
  })
}

type Photo = readonly Readonly<Record<string, unknown>>[]

const untilPhoto = (page: Page, state: string) => page.locator(`[data-photo="${state}"]`).waitFor()

const asked = (begin: string) => tiles.requests.filter(path => path.startsWith(begin))

test(
  'shows a tileset of Cesium ion with its token and credit, and asks for its address once',
  visit(async page => {
    await asIon(page, ION_ASSET)
    await openScene(page)
    await untilPhoto(page, 'shown')
    await untilColour(page, await insideLap(page), MAGENTA)
    await page.getByText('Ion Survey, Cesium ion', { exact: true }).waitFor()
    await page.getByRole('radio', { name: 'Outline' }).click()
    await show3d(page)
    await untilPhoto(page, 'shown')
    assert.deepEqual(asked('/v1/assets/'), [`/v1/assets/7/endpoint?access_token=${ION_TOKEN}`])
  }),
)

test(
  "shows Google's tiles of Cesium ion with the logo of Google, the most frequent credit first",
  visit(async page => {
    await page.route(LOGO, route =>
      route.fulfill({
        contentType: 'image/svg+xml',
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="98" height="18"/>',
      }),
    )
    await asIon(page, ION_GOOGLE_ASSET)
    await openScene(page)
    await untilPhoto(page, 'shown')
    await untilColour(page, await insideLap(page), MAGENTA)
    await page.getByText('Other Survey; Fake Survey, Cesium ion', { exact: true }).waitFor()
    const logo = await page.getByRole('img', { name: 'Google Maps' }).boundingBox()
    assert.ok(logo && logo.height >= 16 && logo.height <= 19 && logo.width === 98)
    await page.getByRole('radio', { name: 'Outline' }).click()
    await show3d(page)
    await untilPhoto(page, 'shown')
    assert.equal(asked(GOOGLE_ROOT).length, 1)
    assert.ok(tiles.requests.some(path => /other\.glb\?.*session=fake-session/.test(path)))
  }),
)

test(
  "writes Google's name if its logo does not load",
  visit(
    async page => {
      await page.route(LOGO, route => route.fulfill({ status: 404 }))
      await asIon(page, ION_GOOGLE_ASSET)
      await openScene(page)
      await page.getByText('Google Maps · Other Survey; Fake Survey, Cesium ion', { exact: true }).waitFor()
      assert.equal(await page.getByRole('img', { name: 'Google Maps' }).count(), 0)
    },
    { expected: [/404/] },
  ),
)

test(
  'says that Cesium ion refuses the token, and shows the next source, whose tiles are compressed with Draco',
  visit(
    async page => {
      await asIon(page, ION_ASSET, 'refused')
      await openScene(page)
      await page
        .getByText(
          'Cesium ion refuses the key of this site (401), so the view shows the next source of pictures.',
        )
        .waitFor()
      await untilPhoto(page, 'shown')
      await untilColour(page, await insideLap(page), MAGENTA)
      await page.getByText('© Fake Tiles').waitFor()
      assert.equal(asked('/v1/assets/').length, 1)
    },
    { expected: [/401/, /refused/] },
  ),
)

test(
  'asks Cesium ion again after too many requests, three times, and then shows our own ground',
  visit(
    async page => {
      tiles.answer = 'limited'
      await asIon(page, ION_ASSET)
      await openScene(page)
      await page
        .getByText('The server of the 3D pictures sends no pictures, so the view shows our own ground.')
        .waitFor()
      assert.equal(asked('/v1/assets/').length, 4)
    },
    { expected: [/429/] },
  ),
)

test(
  'shows our own ground until slow tiles arrive, and the tiles then',
  visit(async page => {
    await replacePhoto(page, ([, ...others]) => others)
    tiles.answer = 'held'
    await openScene(page)
    await untilPhoto(page, 'waiting')
    await screen.scene(page).press('End')
    await settledMarker(page)
    tiles.release()
    await untilPhoto(page, 'shown')
    await untilColour(page, await insideLap(page), MAGENTA)
  }),
)

test(
  'keeps the pictures when the network goes away in mid-use',
  visit(async page => {
    await replacePhoto(page, ([, ...others]) => others)
    await openScene(page)
    await untilPhoto(page, 'shown')
    await untilColour(page, await insideLap(page), MAGENTA)
    await page.context().setOffline(true)
    await screen.scene(page).press('+')
    await screen.scene(page).press('a')
    await screen.scene(page).press('End')
    await settledMarker(page)
    await untilPhoto(page, 'shown')
    await untilColour(page, await insideLap(page), MAGENTA)
    await page.context().setOffline(false)
  }),
)

test(
  'names in the privacy policy which servers send pictures, and links what Google asks for',
  visit(async page => {
    await page.goto('/privacy')
    await page.getByText(`from api.cesium.com, tile.googleapis.com, ${new URL(tiles.url).host}.`).waitFor()
    const link = async (name: string) =>
      page.getByRole('link', { name, exact: true }).getAttribute('href', { timeout: 10_000 })
    assert.equal(await link('Google Privacy Policy'), 'https://policies.google.com/privacy')
    await page.goto('/terms')
    assert.equal(await link('Google Terms of Service'), 'https://policies.google.com/terms')
  }),
)
