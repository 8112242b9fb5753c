import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { axeFindsNothing, nothingScrollsSideways } from './axe-in-both-themes.ts'
import {
  answerReference,
  compare,
  openSampleAsDriver,
  sample,
  sampleLaps,
  trackOf,
  turnOn,
} from './compare.ts'
import { desktop, lapwing } from './harness.ts'
import { screen } from './screen.ts'

const { visit } = lapwing({ reach: 'accounts', ownAddresses: true })

/** The narrowest phone that all must fit on. */
const phone = { width: 360, height: 740 }

const looks = {
  'desktop, dark': { viewport: desktop, 'lapwing.dark-mode': '1', 'lapwing.palette': 'standard' },
  'phone, light': { viewport: phone, 'lapwing.dark-mode': '0', 'lapwing.palette': 'standard' },
  'phone, dark, colour-blind': {
    viewport: phone,
    'lapwing.dark-mode': '1',
    'lapwing.palette': 'colour-blind',
  },
  'desktop, light, colour-blind': {
    viewport: desktop,
    'lapwing.dark-mode': '0',
    'lapwing.palette': 'colour-blind',
  },
}

interface State {
  readonly open: (page: Page) => Promise<void>
  readonly seen: readonly (keyof typeof looks)[]
}

/** Every state of compare mode, with the steps that open it and the theme and size to check. */
const states: Record<string, State> = {
  'two laps of a session': {
    seen: ['desktop, dark', 'phone, light', 'phone, dark, colour-blind', 'desktop, light, colour-blind'],
    open: async page => {
      await openSampleAsDriver(page)
      await turnOn(page)
      // Lap 3 has an incident.
      await screen.laps(page).nth(4).click()
      await compare.corners(page).getByRole('button', { name: 'Off in Turn 5' }).waitFor()
      await compare.corner(page).nth(2).click()
    },
  },
  'a lap of the board': {
    seen: ['desktop, light, colour-blind', 'phone, light'],
    open: async page => {
      const boards = await openSampleAsDriver(page)
      await turnOn(page)
      answerReference(boards, trackOf(sample, sampleLaps[1]!))
      await compare.catchAhead(page).click()
      await compare.card(page).getByText('kerbrider').waitFor()
      await screen.traces(page).focus()
      await page.keyboard.press('End')
    },
  },
  'a lap of the board that did not come': {
    seen: ['desktop, dark', 'phone, light'],
    open: async page => {
      const boards = await openSampleAsDriver(page)
      await turnOn(page)
      await compare.fromSession(page).click()
      boards.answerNext(/\/reference$/, { problem: [404, 'ingest.lap_not_found', 'This lap cannot be had.'] })
      await compare.catchAhead(page).click()
      await screen.alert(page).waitFor()
    },
  },
  'a lap that is not whole': {
    seen: ['phone, dark, colour-blind'],
    open: async page => {
      await openSampleAsDriver(page)
      await turnOn(page)
      await screen.validLapsOnly(page).click()
      await screen.laps(page).last().click()
      await page.getByText(/is not a whole lap/).waitFor()
    },
  },
}

for (const [name, { open, seen }] of Object.entries(states)) {
  for (const look of seen) {
    const { viewport, ...stored } = looks[look]
    test(
      `axe finds nothing on ${name}, and nothing scrolls sideways: ${look}`,
      visit(
        async page => {
          await page.addInitScript(values => {
            for (const [key, value] of Object.entries(values)) localStorage.setItem(key, value)
          }, stored)
          await open(page)
          // axe reports content half under the header, which is no fault.
          await page.evaluate(() => scrollTo(0, 0))
          await axeFindsNothing(page, look)
          await nothingScrollsSideways(page)
        },
        { viewport, reducedMotion: 'reduce', expected: [/\b404\b/] },
      ),
    )
  }
}

test(
  'reaches everything of compare mode with Tab, with a visible focus',
  visit(async page => {
    await openSampleAsDriver(page)
    await turnOn(page)
    const seen: string[] = []
    // Once around, from the switch that was pressed last.
    for (let presses = 0; presses < 120 && !(seen.length > 1 && seen.at(-1) === seen[0]); presses++) {
      await page.keyboard.press('Tab')
      const stop = await page.evaluate(() => {
        const element = document.activeElement
        if (element === null || element === document.body || !document.hasFocus()) return null
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
      // After the last element and before the first, the browser itself has the focus.
      if (stop === null) continue
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
      'Line to Turn 1',
    ]) {
      assert.ok(seen.includes(name), `Tab never reaches "${name}", only ${seen.join(', ')}`)
    }
  }),
)

test(
  'keeps the height of every card while the cursor moves and is locked',
  visit(
    async page => {
      await openSampleAsDriver(page)
      await turnOn(page)
      const heights = () =>
        page.evaluate(() =>
          [...document.querySelectorAll<HTMLElement>('main section')].map(
            section => `${section.textContent?.slice(0, 12)} ${section.offsetHeight}`,
          ),
        )
      await page.getByText('#3').waitFor()
      const idle = await heights()
      for (const x of [40, 140, 220]) {
        await screen.traces(page).click({ position: { x, y: 60 } })
        await page.getByText('Locked', { exact: true }).waitFor({ state: 'attached' })
        assert.deepEqual(await heights(), idle)
        await page.keyboard.press('Escape')
      }
    },
    { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' },
  ),
)
