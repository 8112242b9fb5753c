import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Lap } from '@lapwing/telemetry'
import type { Page } from 'playwright-core'
import type { FakeBoards } from '../../frontend/src/testing/fake-boards.ts'
import {
  answerReference,
  compare,
  gapAtLine,
  openSampleAsDriver,
  sample,
  sampleLaps,
  trackOf,
  turnOn,
} from './compare.ts'
import { lapwing, phone } from './harness.ts'
import { screen } from './screen.ts'

const { visit, visitTogether } = lapwing({ reach: 'accounts', ownAddresses: true })

let boards: FakeBoards
const comparing = visitTogether(async page => {
  boards = await openSampleAsDriver(page)
  await turnOn(page)
})

const next = (page: Page) => page.getByRole('region', { name: 'What to do next' })
const sentences = (page: Page) => next(page).getByRole('listitem').getByRole('button')
const range = (page: Page) => page.getByText(/^\d\.\d\d–\d\.\d\d km$/)
const shownReference = (page: Page, name: string) => compare.gauges(page).getByText(name, { exact: true })
const nameOf = ({ lap }: Lap) => `Lap ${lap}`

const [best, second, third] = sampleLaps as readonly Lap[]

test(
  'says in at most three sentences what saves time on a slower lap, and each zooms to its place and back',
  comparing(async page => {
    await screen.laps(page).nth(2).click()
    await shownReference(page, nameOf(best!)).waitFor()
    await sentences(page).first().waitFor()
    const texts = await sentences(page).allTextContents()
    assert.ok(texts.length <= 3)
    for (const text of texts)
      assert.match(text, new RegExp(`: \\d\\.\\d\\d s\\. Your lap ${best!.lap} did\\.$`))
    const savedS = texts.map(text => Number(/(\d\.\d\d) s\. /.exec(text)![1]))
    assert.deepEqual(
      savedS,
      savedS.toSorted((a, b) => b - a),
    )
    assert.ok(savedS.every(seconds => seconds >= 0.03))

    for (const [i, text] of texts.entries()) {
      await sentences(page).nth(i).click()
      await range(page).waitFor()
      const corner = /Turn \d+/.exec(text)![0]
      const row = compare.corners(page).getByRole('button', { name: corner, exact: true })
      await row.and(page.locator('[aria-pressed="true"]')).waitFor()
    }
    await sentences(page).last().click()
    await range(page).waitFor({ state: 'detached' })
  }),
)

test(
  'names an own lap that did it beside another driver’s lap, shows that lap as the proof, and the driver’s again',
  comparing(async page => {
    await screen.laps(page).nth(3).click()
    answerReference(boards, trackOf(sample, third!))
    await compare.catchAhead(page).click()
    await shownReference(page, 'kerbrider').waitFor()
    const sentence = next(page)
      .getByRole('button', { name: /Your lap \d did\.$/ })
      .first()
    const before = await sentences(page).allTextContents()
    const [, lap] = /Your lap (\d)/.exec((await sentence.textContent())!)!
    await sentence.click()
    await shownReference(page, `Lap ${lap}`).waitFor()
    await range(page).waitFor()
    await next(page).getByText(`All views show Lap ${lap} in place of kerbrider.`).waitFor()
    assert.deepEqual(await sentences(page).allTextContents(), before)

    await next(page).getByRole('button', { name: 'Show kerbrider' }).click()
    await shownReference(page, 'kerbrider').waitFor()
    await range(page).waitFor({ state: 'detached' })
    await compare.fromSession(page).click()
    await shownReference(page, nameOf(best!)).waitFor()
  }),
)

test(
  'compares with the ideal lap of the session, which is no slower at the line, and opens the laps of its parts',
  comparing(async page => {
    await screen.laps(page).first().click()
    await shownReference(page, nameOf(second!)).waitFor()
    await compare.reference(page).click()
    await page.getByRole('option', { name: /^Ideal lap · \d:\d\d\.\d{3}$/ }).click()
    await shownReference(page, 'Ideal lap').waitFor()
    assert.ok((await gapAtLine(page)) > 0)
    await compare
      .card(page)
      .getByText(/^Nobody drove it: it joins \d+ parts of \d clean laps/)
      .waitFor()

    const parts = page.getByRole('list', { name: 'Parts of the ideal lap' }).getByRole('button')
    const part = parts.filter({ hasNotText: nameOf(best!) }).first()
    const [, lap] = /^(Lap \d)/.exec((await part.textContent())!)!
    await part.click()
    await range(page).waitFor()
    await screen.laps(page).and(page.locator('[aria-pressed="true"]')).filter({ hasText: lap! }).waitFor()
    await shownReference(page, 'Ideal lap').waitFor()
    await page.getByRole('button', { name: 'Whole lap' }).click()

    // The sentences name real laps only.
    await sentences(page).first().waitFor()
    for (const text of await sentences(page).allTextContents()) assert.match(text, /Your lap \d did\.$/)
  }),
)

test(
  'moves nothing on a phone when the sentences come, and scrolls from a sentence to the views',
  visit(
    async page => {
      await openSampleAsDriver(page)
      await turnOn(page)
      await screen.laps(page).nth(3).click()
      const table = compare.corners(page)
      await table.waitFor()
      const { y } = (await table.boundingBox())!
      await sentences(page).first().waitFor()
      const after = (await table.boundingBox())!.y
      assert.ok(Math.abs(after - y) < 1, `${y}, ${after}`)
      for (const button of await sentences(page).all()) {
        const { width, height } = (await button.boundingBox())!
        assert.ok(height >= 44 && width <= phone.width)
      }
      await sentences(page).first().click()
      await range(page).waitFor()
      await page.waitForFunction(() => {
        const box = document.querySelector('[aria-label$="on the track outline"]')!.getBoundingClientRect()
        return box.bottom > 0 && box.top < innerHeight
      })
    },
    { viewport: phone, hasTouch: true, isMobile: true, reducedMotion: 'reduce' },
  ),
)
