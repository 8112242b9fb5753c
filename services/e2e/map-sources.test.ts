import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startFakeTiles, type TileAnswer } from './fake-tiles.ts'
import { lapwing } from './harness.ts'
import { moveCursor, openMap, settledMarker, show2d, untilBase, untilColour, untilDrawn } from './map.ts'
import { openSample, screen } from './screen.ts'

const tiles = await startFakeTiles()
after(() => tiles.close())

const { visit, visitTogether } = lapwing({
  reach: 'page',
  env: { gateway: { MAP_STREET: tiles.raster, MAP_STREET_ATTRIBUTION: '© Fake Streets' } },
})

/** They share a window, and each opens a map of its own in it. */
const together = visitTogether(openSample)

/** Each adds what its own answer makes the browser report. The reports of those before can come late. */
const failures: readonly (readonly [string, TileAnswer, RegExp?])[] = [
  ['answers with a page', 'page'],
  ['answers with ten megabytes of no picture', 'huge'],
  ['never answers', 'silence'],
  ['has no tile', 'absent', /404/],
  ['refuses the key', 'refused', /403/],
  ['has had too many requests', 'limited', /429/],
  ['ends in the middle of a picture', 'truncated', /ERR_/],
]

for (const [index, [what, answer]] of failures.entries()) {
  const expected = failures.slice(0, index + 1).flatMap(([, , report]) => report ?? [])
  test(
    `draws the lap on a grid, and says why, if the source ${what}`,
    together(
      async page => {
        tiles.answer = answer
        tiles.requests.length = 0
        await show2d(page)
        await untilBase(page, 'missing')
        assert.ok(tiles.requests.length > 0)
        await page.getByText('The pictures of the map do not load, so the lap is on a grid.').waitFor()
        await page.getByText(/^Grid \d+ m$/).waitFor()
        await screen.map(page).press('End')
        await settledMarker(page)
        // The rest of the page works.
        await page.getByRole('radio', { name: 'Outline' }).click()
        await screen.outline(page).waitFor()
      },
      { expected },
    ),
  )
}

test(
  'draws the lap on a grid until slow pictures arrive, and the pictures then',
  visit(async page => {
    tiles.answer = 'held'
    await openMap(page)
    await untilBase(page, 'waiting')
    await page.getByText(/^Grid \d+ m$/).waitFor()
    await screen.map(page).press('End')
    await settledMarker(page)
    tiles.release()
    await untilBase(page, 'shown')
  }),
)

test(
  'keeps working when the network goes away in mid-use, and gets the pictures when it is back',
  visit(
    async page => {
      tiles.answer = 'picture'
      await openMap(page)
      await untilBase(page, 'shown')
      await page.context().setOffline(true)
      for (let press = 0; press < 8; press++) await page.getByRole('button', { name: 'Zoom in' }).click()
      await untilBase(page, 'broken')
      await page.getByText('Some pictures of the map do not load.').waitFor()
      await screen.map(page).press('0')
      await screen.map(page).press('End')
      await settledMarker(page)
      await page.context().setOffline(false)
      await untilBase(page, 'shown')
    },
    { expected: [/ERR_INTERNET_DISCONNECTED/] },
  ),
)

const withPictures = visitTogether(async page => {
  tiles.answer = 'picture'
  await openMap(page)
  await untilBase(page, 'shown')
})

test(
  'has no button of a street view without a service for it',
  withPictures(async page => {
    assert.equal(await page.getByRole('button', { name: /street view/ }).count(), 0)
  }),
)

test(
  'says so when the graphics card stops, and draws again when it is back',
  withPictures(async page => {
    await screen.map(page).press('Home')
    const mark = await settledMarker(page)
    await page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('canvas[role=slider]')!
      const lost = canvas.getContext('webgl2')!.getExtension('WEBGL_lose_context')!
      Object.assign(window, { giveBack: () => lost.restoreContext() })
      performance.clearMarks('lapwing:map-drawn')
      lost.loseContext()
    })
    await page.getByText(/Your graphics card stopped drawing the map/).waitFor()
    // The views share the cursor all the same.
    await screen.map(page).press('End')
    await page.evaluate(() => (window as unknown as { giveBack(): void }).giveBack())
    await untilDrawn(page)
    await page.getByText(/Your graphics card/).waitFor({ state: 'detached' })
    // The end of the lap is at its start, where the mark would cover the line.
    await moveCursor(screen.map(page), -20)
    await untilColour(page, mark, [16, 185, 129])
  }),
)

test(
  'says that the site has no satellite pictures, and does not choose them',
  withPictures(async page => {
    const satellite = page.getByRole('radio', { name: 'Satellite' })
    assert.equal(await satellite.getAttribute('aria-disabled'), 'true')
    await satellite.click({ force: true })
    assert.equal(await satellite.getAttribute('aria-checked'), 'false')
    await page
      .getByText('This site has no satellite pictures. Its operator can add a source.')
      .first()
      .waitFor()
  }),
)

/** Replaces fields of the deployment's configuration. */
async function replaceConfig(page: Page, fields: Record<string, unknown>): Promise<void> {
  await page.route('/config.json', async route => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), ...fields } })
  })
}

test(
  'offers no map if the operator turns maps off',
  visit(async page => {
    await replaceConfig(page, { maps: false })
    const asked: string[] = []
    page.on('request', request => asked.push(request.url()))
    await openSample(page)
    await page.waitForLoadState('networkidle')
    await page.getByRole('radio', { name: 'Outline' }).waitFor()
    assert.equal(await screen.show2d(page).count(), 0)
    assert.equal(await screen.show3d(page).count(), 0)
    assert.deepEqual(
      asked.filter(url => /LapMap|maplibre|LapScene/.test(url)),
      [],
    )
  }),
)

test(
  'draws the lap on a grid, and calls no other server, if the operator names no source',
  visit(async page => {
    await replaceConfig(page, { mapSources: { street: null, satellite: null, streetView: null, photo: [] } })
    const origins = new Set<string>()
    page.on('request', request => origins.add(new URL(request.url()).origin))
    await openSample(page)
    await show2d(page)
    await page.getByText('This site has no street map. Its operator can add a source.').first().waitFor()
    await page.getByText(/^Grid \d+ m$/).waitFor()
    origins.delete('null')
    assert.deepEqual([...origins], [new URL(page.url()).origin])
  }),
)
