import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lapTimeMs } from '@lapwing/telemetry'
import { compareCorners, findTrackCorners, nameCorners, numberCorners } from '@lapwing/telemetry/compare'
import type { Page } from 'playwright-core'
import { costliestCorner } from '../../frontend/src/features/compare/corner-rows.ts'
import { apexWords, stretchSentence } from '../../frontend/src/features/compare/corner-sentence.ts'
import { formatDelta } from '../../frontend/src/shared/format/delta.ts'
import {
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
import { screen } from './screen.ts'

const { visit, visitTogether } = lapwing({ reach: 'accounts', ownAddresses: true })
const comparing = visitTogether(async page => {
  await openSampleAsDriver(page)
  await turnOn(page)
  await inDrivingOrder(page)
})

const [fastest, second] = sampleLaps
const found = findTrackCorners(sampleLaps.map(lap => trackOf(sample, lap)))
const corners = nameCorners(numberCorners(found), sample.meta)

test(
  'uses the fastest other lap as the reference until another one is chosen, never the lap itself',
  comparing(async page => {
    assert.match(
      (await compare.reference(page).textContent())!,
      new RegExp(`^Lap ${second!.lap} · ${second!.time_fmt}`),
    )
    await compare.gauges(page).getByText(`Lap ${second!.lap}`, { exact: true }).waitFor()

    await lookAtThird(page)

    await compare.reference(page).click()
    const ideal = page.getByRole('option', { name: /^Ideal lap · / })
    await ideal.waitFor()
    const options = await page.getByRole('option').allTextContents()
    assert.deepEqual(
      options.slice(1),
      sampleLaps.filter((_, i) => i !== 2).map(lap => `Lap ${lap.lap} · ${lap.time_fmt}`),
    )
    await page.getByRole('option').last().click()
    await compare.gauges(page).getByText(`Lap ${sampleLaps[4]!.lap}`, { exact: true }).waitFor()
    await compare.reference(page).click()
    await page.getByRole('option', { name: `Lap ${fastest!.lap} ` }).click()
  }),
)

test(
  'adds the losses of all parts up to the one gap that list, table, traces and cursor show',
  comparing(async page => {
    for (const n of [2, 4]) {
      await screen.laps(page).nth(n).click()
      const shownS = (ms: number) => `+${(ms / 1000).toFixed(3)}`
      const gapMs = lapTimeMs(sampleLaps[n]!.time_s!) - lapTimeMs(fastest!.time_s!)
      await page.getByText(`${shownS(gapMs)} s at the line`, { exact: true }).waitFor()
      assert.match((await screen.laps(page).nth(n).textContent())!, new RegExp(`\\${shownS(gapMs)}$`))

      let sumMs = 0
      for (const part of await compare.parts(page).all()) sumMs += await lossOf(part)
      const gap = compare.corners(page).getByRole('row', { name: 'Gap at the line' })
      assert.equal(msOf(await gap.getByRole('cell').last().textContent()), gapMs)
      assert.equal(sumMs, gapMs)
      assert.ok((await compare.corner(page).count()) >= 8)

      await screen.traces(page).focus()
      await page.keyboard.press('End')
      const atEnd = page.getByRole('status', { name: 'Delta' })
      await atEnd.getByText(shownS(gapMs), { exact: true }).waitFor()
      assert.match(
        (await screen.traces(page).getAttribute('aria-valuetext'))!,
        new RegExp(`\\${shownS(gapMs)} s to Lap ${fastest!.lap}$`),
      )
      await page.keyboard.press('Escape')
    }
  }),
)

test(
  'gives an off its own row with its loss, marks it on the traces, and zooms to it',
  comparing(async page => {
    await screen.laps(page).nth(4).click()
    const off = compare.corners(page).getByRole('button', { name: 'Off in Turn 5', exact: true })
    const lossMs = await lossOf(off)
    const fifth = compare.corner(page).and(page.getByText('Turn 5', { exact: true }))
    assert.ok(lossMs > 1500, `${lossMs} ms`)
    assert.ok(Math.abs(await lossOf(fifth)) < 200)
    const mark = page.locator('[data-part="incident"]')
    assert.equal(await mark.textContent(), `Off +${(lossMs / 1000).toFixed(3)}`)
    await off.click()
    await page.getByText(/^1\.\d\d–2\.\d\d km$/).waitFor()
    assert.ok(await mark.isVisible())
    await off.click()
    await screen.laps(page).nth(2).click()
    await mark.waitFor({ state: 'detached' })
  }),
)

test(
  'zooms outline and traces to a chosen corner, and back',
  comparing(async page => {
    const zoom = page.getByRole('group', { name: 'Zoom' }).getByRole('status')
    assert.equal(await zoom.textContent(), '1.0×')
    const third = compare.corner(page).nth(2)
    await third.focus()
    await page.keyboard.press('Enter')
    assert.equal(await third.getAttribute('aria-pressed'), 'true')
    const range = page.getByText(/^\d\.\d\d–\d\.\d\d km$/)
    const whole = page.getByRole('button', { name: 'Whole lap' })
    const seen = (await range.textContent())!.split(/[–k ]/).map(Number)
    assert.ok(seen[1]! - seen[0]! < 0.5, `${seen[0]} to ${seen[1]} km`)
    // The zoom of the outline counts from what it shows.
    const numbers = page.getByRole('toolbar', { name: 'Corners on the outline' }).getByRole('button')
    await numbers.nth(1).waitFor({ state: 'detached' })
    assert.equal(await zoom.textContent(), '1.0×')
    await whole.click()
    assert.equal(await third.getAttribute('aria-pressed'), 'false')
    await numbers.nth(8).waitFor()

    await third.click()
    await third.click()
    await range.waitFor({ state: 'detached' })
  }),
)

test(
  'shows the corners under the traces on a phone, and scrolls to the views and its words when one is chosen',
  visit(
    async page => {
      await openSampleAsDriver(page)
      await turnOn(page)
      await page.getByText('Moved to where the time goes').waitFor()
      const parts = [screen.traces(page), compare.corners(page), screen.loadedFile(page)]
      const tops = await Promise.all(parts.map(async part => (await part.boundingBox())!.y))
      assert.deepEqual(
        tops,
        tops.toSorted((a, b) => a - b),
        'The corners are not next under the traces.',
      )
      await compare.corner(page).nth(1).scrollIntoViewIfNeeded()
      assert.equal(await inSight(page), false)
      await compare.corner(page).nth(1).click()
      await page.getByText(/^\d\.\d\d–\d\.\d\d km$/).waitFor()
      await page.waitForFunction(() => {
        const box = document.querySelector('[aria-label$="on the track outline"]')!.getBoundingClientRect()
        return box.bottom > 0 && box.top < innerHeight
      })
      // The reason for the loss is above the views, too, because the table is out of sight.
      const back = page.getByRole('button', { name: 'All corners' })
      const words = await compare.corners(page).getByRole('paragraph').first().textContent()
      assert.equal(await back.locator('xpath=../p').textContent(), words)
      assert.ok((await back.boundingBox())!.y >= 0)
      await back.click()
      await page.waitForFunction(() => {
        const { top } = document.querySelector('table')!.getBoundingClientRect()
        return top > 0 && top < innerHeight / 2
      })
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: 'reduce' },
  ),
)

test(
  'sorts the table of corners by loss, the largest first, and back to driving order',
  comparing(async page => {
    await lookAtThird(page)
    const names = () => compare.corner(page).allTextContents()
    await compare.corner(page).first().waitFor()
    const driven = await names()
    await compare.corners(page).getByRole('button', { name: 'Loss' }).click()
    const losses = await Promise.all(
      (await compare.corner(page).all()).map(async button =>
        msOf(await button.locator('xpath=ancestor::tr').getByRole('cell').last().textContent()),
      ),
    )
    assert.deepEqual(
      losses,
      losses.toSorted((a, b) => b - a),
    )
    assert.equal(
      await page.getByRole('columnheader', { name: 'Loss' }).getAttribute('aria-sort'),
      'descending',
    )
    await compare.corners(page).getByRole('button', { name: 'Corner' }).click()
    assert.deepEqual(await names(), driven)
  }),
)

test(
  'ranks straights and an off among the corners by their loss, and zooms to a straight',
  comparing(async page => {
    await screen.laps(page).nth(4).click()
    await compare.corners(page).getByRole('button', { name: 'Off in Turn 5' }).waitFor()
    await compare.corners(page).getByRole('button', { name: 'Loss' }).click()
    assert.equal(await compare.parts(page).first().textContent(), 'Off in Turn 5')
    const losses = await Promise.all((await compare.parts(page).all()).map(lossOf))
    assert.deepEqual(
      losses,
      losses.toSorted((a, b) => b - a),
    )
    await compare.corners(page).getByRole('button', { name: 'Corner' }).click()
    const straight = page.getByRole('button', { name: 'Line to Turn 1' })
    await straight.click()
    assert.equal(await straight.getAttribute('aria-pressed'), 'true')
    await straight.click()
  }),
)

test(
  'shows both drivers’ brake, release, apex, lowest speed and throttle of a corner',
  comparing(async page => {
    await lookAtThird(page)
    const corner = compare.corner(page).nth(2)
    const group = corner.locator('xpath=ancestor::tbody')
    const figures = async (lap: number) =>
      (
        await group
          .getByRole('row', { name: `Lap ${lap}` })
          .getByRole('cell')
          .allTextContents()
      ).map(Number)
    const tracks = [trackOf(sample, sampleLaps[2]!), trackOf(sample, fastest!)] as const
    const { lap, reference } = compareCorners(corners, ...tracks).filter(({ kind }) => kind === 'corner')[2]!
    for (const [number, of] of [
      [sampleLaps[2]!.lap, lap!],
      [fastest!.lap, reference!],
    ] as const) {
      const { brakeM, releaseM, apexM, minSpeedMps, throttleM } = of
      const expected = [brakeM, releaseM, apexM, 3.6 * minSpeedMps!, throttleM].map(value =>
        Math.round(value!),
      )
      assert.deepEqual(await figures(number), expected)
    }
  }),
)

test(
  'says why the costliest corner cost time, and then why the chosen one did, without moving a row',
  visit(async page => {
    await openSampleAsDriver(page)
    await turnOn(page)
    await lookAtThird(page)
    const tracks = [trackOf(sample, sampleLaps[2]!), trackOf(sample, fastest!)] as const
    const stretches = compareCorners(corners, ...tracks)
    const why = (stretch: (typeof stretches)[number]) => {
      const { name, lossMs } = stretch
      const words = [`${name} ${formatDelta(lossMs / 1000)} s`, apexWords(stretch)].filter(Boolean).join(' ')
      return words + stretchSentence(stretches, stretch, 'km/h')
    }
    const costliest = costliestCorner(stretches)!
    const said = compare.corners(page).locator('p[aria-live]')
    assert.equal(await said.textContent(), `Costliest corner: ${why(costliest)}`)

    const losses = await Promise.all((await compare.parts(page).all()).map(lossOf))
    assert.deepEqual(
      losses,
      losses.toSorted((a, b) => b - a),
    )
    const last = compare.corner(page).last()
    const name = await last.textContent()
    // The page itself can scroll to the views.
    const below = async () =>
      (await last.boundingBox())!.y - (await compare.corners(page).getByRole('table').boundingBox())!.y
    const card = async () =>
      (await compare.corners(page).getByRole('table').boundingBox())!.y -
      (await compare.corners(page).boundingBox())!.y
    const before = [await below(), await card()]
    await last.click()
    await said.getByText(name!, { exact: true }).waitFor()
    assert.equal(await said.textContent(), why(stretches.find(stretch => stretch.name === name)!))
    assert.deepEqual([await below(), await card()], before)
  }),
)

test(
  'shows the delta at the pointer, and that place in both gauges',
  comparing(async page => {
    await lookAtThird(page)
    const before = await compare.gauges(page).textContent()
    await screen.traces(page).hover({ position: { x: 300, y: 60 } })
    await page.waitForFunction(
      text =>
        [...document.querySelectorAll('section')].some(
          section =>
            section.textContent?.startsWith('Reference Lap Telemetry') && section.textContent !== text,
        ),
      before,
    )
    const told = await screen.traces(page).getAttribute('aria-valuetext')
    assert.match(told!, new RegExp(`[+−]?\\d\\.\\d{3} s to Lap ${fastest!.lap}$`))
    const delta = /([+−]?\d\.\d{3}) s to/.exec(told!)![1]!
    assert.equal(await page.getByRole('status', { name: 'Delta' }).textContent(), delta)

    // The second gauge shows the reference at that share of the lap.
    const share = Number(await screen.traces(page).getAttribute('aria-valuenow')) / 100
    const track = trackOf(sample, fastest!)
    const speeds = [-0.0008, 0, 0.0008].map(
      by => 3.6 * track.speed![Math.round((share + by) * (track.pct.length - 1))]!,
    )
    const shown = Number(await compare.gauges(page).locator('[data-gauge="speed"]').textContent())
    assert.ok(
      shown >= Math.min(...speeds) - 1 && shown <= Math.max(...speeds) + 1,
      `${shown} is none of ${speeds}`,
    )
    await page.mouse.move(5, 5)
  }),
)

test(
  'draws a partial lap beside the reference, without a delta',
  comparing(async page => {
    await screen.validLapsOnly(page).click()
    await screen.laps(page).last().click()
    await page.getByText(/^Lap \d is a partial lap, so there is no delta\.$/).waitFor()
    assert.equal(await compare.corners(page).isVisible(), false)
    await compare.gauges(page).getByText(`Lap ${fastest!.lap}`, { exact: true }).waitFor()
    await screen.validLapsOnly(page).click()
  }),
)

/**
 * Selects the third lap, with the fastest as its reference. Waits until both are compared, because earlier
 * laps stay visible until then.
 */
async function lookAtThird(page: Page): Promise<void> {
  await screen.laps(page).nth(2).click()
  await compare.gauges(page).getByText(`Lap ${fastest!.lap}`, { exact: true }).waitFor()
}

function inSight(page: Page): Promise<boolean> {
  return screen.outline(page).evaluate(element => {
    const { top, bottom } = element.getBoundingClientRect()
    return bottom > 0 && top < innerHeight
  })
}
