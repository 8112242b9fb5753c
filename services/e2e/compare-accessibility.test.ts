import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import {
  answerReference,
  compare,
  openSampleAsDriver,
  sample,
  sampleLaps,
  trackOf,
  turnOn,
} from './compare.ts'
import { desktop, lapwing, phone } from './harness.ts'
import { screen } from './screen.ts'

const { visit } = lapwing({ ownAddresses: true })

/** Every state of compare mode, and how a person gets there. */
const states: Record<string, (page: Page) => Promise<void>> = {
  'two laps of a session': async page => {
    await openSampleAsDriver(page)
    await turnOn(page)
    await compare.corners(page).getByRole('button', { name: 'Straights' }).click()
    await compare.corner(page).nth(2).click()
  },
  'a lap of the board and a problem': async page => {
    const boards = await openSampleAsDriver(page)
    await turnOn(page)
    answerReference(boards, trackOf(sample, sampleLaps[1]!))
    await compare.catchAhead(page).click()
    await compare.card(page).getByText('kerbrider').waitFor()
    boards.answerNext('GET /leaderboards/context-id', { problem: [404, 'leaderboard.no_laps', 'None yet.'] })
    await screen.traces(page).focus()
    await page.keyboard.press('End')
  },
  'no lap of a board': async page => {
    await openSampleAsDriver(page)
    await turnOn(page)
    await compare.fromSession(page).click()
    await compare
      .card(page)
      .getByText(/^No lap is loaded\./)
      .waitFor()
  },
  'a lap that is not whole': async page => {
    await openSampleAsDriver(page)
    await turnOn(page)
    await screen.validLapsOnly(page).click()
    await screen.laps(page).last().click()
    await page.getByText(/is not a whole lap/).waitFor()
  },
}

const looks = {
  dark: { 'lapwing.dark-mode': '1' },
  light: { 'lapwing.dark-mode': '0' },
  'dark, colour-blind': { 'lapwing.dark-mode': '1', 'lapwing.palette': 'colour-blind' },
  'light, colour-blind': { 'lapwing.dark-mode': '0', 'lapwing.palette': 'colour-blind' },
}

for (const [device, viewport] of Object.entries({ desktop, phone })) {
  for (const [name, open] of Object.entries(states)) {
    for (const [look, stored] of Object.entries(looks)) {
      test(
        `axe finds nothing on ${name}, ${device}, ${look}`,
        visit(
          async page => {
            await page.addInitScript(values => {
              for (const [key, value] of Object.entries(values)) localStorage.setItem(key, value)
            }, stored)
            await open(page)
            const { violations } = await new AxeBuilder({ page })
              .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
              .analyze()
            const found = violations.flatMap(({ id, help, nodes }) =>
              nodes.map(node => `${id}: ${help}\n${node.target}\n${node.failureSummary}`),
            )
            assert.deepEqual(found, [])
          },
          { viewport, reducedMotion: 'reduce' },
        ),
      )
    }
  }
}

for (const [name, open] of Object.entries(states)) {
  test(
    `${name} never scrolls sideways on a screen of 360 px`,
    visit(
      async page => {
        await open(page)
        const { scroll, client } = await page.evaluate(() => ({
          scroll: document.documentElement.scrollWidth,
          client: document.documentElement.clientWidth,
        }))
        assert.ok(scroll <= client, `${scroll} px wide on ${client} px`)
      },
      { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
    ),
  )
}

test(
  'everything of compare mode is reached with Tab, and the focus is seen on it',
  visit(async page => {
    await openSampleAsDriver(page)
    await turnOn(page)
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    const seen: string[] = []
    for (let presses = 0; presses < 120; presses++) {
      await page.keyboard.press('Tab')
      const stop = await page.evaluate(() => {
        const element = document.activeElement
        if (element === null || element === document.body) return null
        const labels = 'labels' in element ? [...((element as HTMLInputElement).labels ?? [])] : []
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
        return {
          name: (
            element.getAttribute('aria-label') ??
            labels[0]?.textContent ??
            element.textContent ??
            ''
          ).trim(),
          isSeen: (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) || boxShadow !== 'none',
        }
      })
      if (stop === null) break
      assert.ok(stop.isSeen, `the focus cannot be seen on "${stop.name}"`)
      seen.push(stop.name)
    }
    for (const name of [
      'Compare Laps',
      'From Session',
      'Reference lap',
      'Catch the driver ahead',
      'Turn 1',
      'Loss',
      'Straights',
    ]) {
      assert.ok(seen.includes(name), `Tab never reaches "${name}", only ${seen.join(', ')}`)
    }
  }),
)

test(
  'the readout and the table keep their place while the cursor moves',
  visit(
    async page => {
      await openSampleAsDriver(page)
      await turnOn(page)
      const height = () => page.evaluate(() => document.documentElement.scrollHeight)
      const idle = await height()
      for (const x of [40, 140, 220]) {
        await screen.traces(page).click({ position: { x, y: 60 } })
        assert.equal(await height(), idle)
        await page.keyboard.press('Escape')
      }
    },
    { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' },
  ),
)
