import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { compare, openSampleAsDriver, sample, sampleLaps, trackOf, turnOn } from './compare.ts'
import { lapwing, phone } from './harness.ts'
import { openSample, screen } from './screen.ts'

const { visit, visitTogether } = lapwing({ reach: 'accounts', ownAddresses: true, hasMotion: true })

const play = (page: Page) => page.getByRole('button', { name: 'Play the lap' })
const pause = (page: Page) => page.getByRole('button', { name: 'Pause the lap' })
const scrub = (page: Page) => page.getByRole('slider', { name: 'Time of the lap' })
const rate = (page: Page) => page.getByRole('combobox', { name: 'Rate of playback' })
const secondsShown = async (page: Page) => Number(await scrub(page).inputValue())

const [fastest, , third] = sampleLaps
const lengthM = sample.meta.track_length_m!

/** Selects the third lap, beside the fastest. */
async function openComparison(page: Page): Promise<void> {
  await openSampleAsDriver(page)
  await turnOn(page)
  await screen.laps(page).nth(2).click()
  await compare.gauges(page).getByText(`Lap ${fastest!.lap}`, { exact: true }).waitFor()
}

const comparing = visitTogether(openComparison)

/** Returns the share of the lap that a lap has driven after some seconds. */
function shareAfter(lap: (typeof sampleLaps)[number], seconds: number): number {
  const { time, pct } = trackOf(sample, lap)
  return pct[time.findIndex(each => each >= seconds)]!
}

test(
  'shows both cars by the time since the line, with the metres between them',
  comparing(async page => {
    await play(page).click()
    await pause(page).click()
    await scrub(page).fill('40')
    const own = shareAfter(third!, 40)
    const other = shareAfter(fastest!, 40)
    const gapM = Math.round((other - own) * lengthM)
    const words = await page.getByText(/^\d+ m ahead$/).textContent()
    assert.ok(Math.abs(Number(words!.split(' ')[0]) - gapM) <= 1, `${words}, expected ${gapM} m`)

    const xOf = (part: string) =>
      page
        .locator(`[data-part="${part}"]`)
        .evaluate(line => new DOMMatrix(getComputedStyle(line).transform).e)
    await page.locator('[data-part="ghost-line"]').waitFor()
    const width = (await screen.traces(page).boundingBox())!.width
    assert.ok(Math.abs((await xOf('cursor-line')) - own * width) < 1.5)
    assert.ok(Math.abs((await xOf('ghost-line')) - other * width) < 1.5)
    assert.ok(Math.abs(Number(await screen.traces(page).getAttribute('aria-valuenow')) - 100 * own) < 0.1)

    // The reference's gauges show its car, not the place of the other one.
    const track = trackOf(sample, fastest!)
    const speed = track.speed![Math.round(other * (track.pct.length - 1))]! * 3.6
    const shown = Number(await compare.gauges(page).locator('[data-gauge="speed"]').textContent())
    assert.ok(Math.abs(shown - speed) < 2, `${shown} km/h, expected ${speed}`)

    await screen.traces(page).press('Escape')
    await scrub(page).waitFor({ state: 'detached' })
    await page.locator('[data-part="ghost-line"]').waitFor({ state: 'hidden' })
  }),
)

test(
  'plays at the chosen rate to the end of the lap, and again from its start',
  visit(async page => {
    await openSample(page)
    await play(page).click()
    assert.deepEqual(await rate(page).getByRole('option').allTextContents(), [
      '0.25×',
      '0.5×',
      '1×',
      '2×',
      '4×',
      '8×',
    ])
    await rate(page).selectOption('8×')
    const total = Number(await scrub(page).getAttribute('max'))
    await scrub(page).fill(String(total - 2))
    await play(page).waitFor()
    assert.ok(Math.abs((await secondsShown(page)) - total) < 0.02)
    await play(page).click()
    await page.waitForFunction(
      half => Number(document.querySelector<HTMLInputElement>('input[type="range"]')?.value) < half,
      total / 2,
    )
  }),
)

for (const [device, options] of [
  ['a desktop', {}],
  ['a phone', { viewport: phone, hasTouch: true, isMobile: true }],
] as const) {
  test(
    `moves nothing on ${device} when playback begins and ends`,
    visit(
      async page => {
        await openComparison(page)
        const tops = () =>
          page.evaluate(() =>
            [...document.querySelectorAll<HTMLElement>('main section')].map(section => section.offsetTop),
          )
        const before = await tops()
        await play(page).click()
        await scrub(page).waitFor()
        assert.deepEqual(await tops(), before)
        await screen.traces(page).press('Escape')
        await scrub(page).waitFor({ state: 'detached' })
        assert.deepEqual(await tops(), before)
      },
      { reducedMotion: 'reduce', ...options },
    ),
  )
}

test(
  'follows the car with a zoomed view, and leaves the view to the driver on pause',
  comparing(async page => {
    await compare.corners(page).getByRole('button', { name: 'Turn 1', exact: true }).click()
    const range = page.getByText(/^\d\.\d\d–\d\.\d\d km$/)
    const before = await range.textContent()
    await play(page).click()
    await rate(page).selectOption('8×')
    await page.waitForFunction(text => {
      const range = [...document.querySelectorAll('p')].find(p =>
        /^\d\.\d\d–\d\.\d\d km$/.test(p.textContent),
      )
      const [from] = (range?.textContent ?? '0').split('–').map(Number.parseFloat)
      return range && range.textContent !== text && from! > 1
    }, before)
    await pause(page).click()
    const surface = screen.traces(page)
    assert.equal(await surface.getAttribute('data-cursor'), 'locked')
    const shown = await range.textContent()
    const box = (await surface.boundingBox())!
    await page.mouse.move(box.x + 300, box.y + 50)
    await page.mouse.down()
    await page.mouse.move(box.x + 100, box.y + 50, { steps: 3 })
    await page.mouse.up()
    await page.waitForFunction(
      text => ![...document.querySelectorAll('p')].some(p => p.textContent === text),
      shown,
    )
    await surface.press('Escape')
    await page.getByRole('button', { name: 'Whole lap' }).click()
  }),
)
