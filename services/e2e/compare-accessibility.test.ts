import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { FakeBoards } from '../../frontend/src/testing/fake-boards.ts'
import { type Screens, testInBothThemes } from './axe-in-both-themes.ts'
import {
  answerReference,
  compare,
  openSampleAsDriver,
  sample,
  sampleLaps,
  trackOf,
  turnOn,
} from './compare.ts'
import { lapwing } from './harness.ts'
import { screen } from './screen.ts'

const { visit, visitTogether } = lapwing({ reach: 'accounts', ownAddresses: true })

let boards: FakeBoards
async function openCompare(page: Page): Promise<void> {
  boards = await openSampleAsDriver(page)
  await turnOn(page)
}

/** States of compare mode, with the steps that lead from one to the next. */
const states: Screens = {
  'two laps of a session': async page => {
    // Lap 3 has an incident.
    await screen.laps(page).nth(4).click()
    await compare.corners(page).getByRole('button', { name: 'Off in Turn 5' }).waitFor()
    await compare.corner(page).nth(2).click()
  },
  'a lap of the board': async page => {
    answerReference(boards, trackOf(sample, sampleLaps[1]!))
    await compare.catchAhead(page).click()
    await compare.card(page).getByText('kerbrider').waitFor()
    await screen.traces(page).focus()
    await page.keyboard.press('End')
  },
  'the ideal lap and the proof of a sentence': async page => {
    if (!(await compare.fromSession(page).isChecked())) await compare.fromSession(page).click()
    await screen.laps(page).nth(3).click()
    await compare.reference(page).click()
    await page.getByRole('option', { name: /^Ideal lap / }).click()
    await page.getByRole('list', { name: 'Parts of the ideal lap' }).waitFor()
    const next = page.getByRole('region', { name: 'What to do next' })
    await next.getByRole('listitem').first().getByRole('button').click()
    await next.getByText('in place of Ideal lap').waitFor()
  },
  'a lap that is not whole': async page => {
    await screen.validLapsOnly(page).click()
    await screen.laps(page).last().click()
    await page.getByText(/is a partial lap/).waitFor()
  },
}

const stack = { visit, visitTogether }
testInBothThemes(states, stack, { start: openCompare, otherPalette: true })

/** In a window of its own, because a loaded lap is remembered. */
const missing: Screens = {
  'a lap of the board that did not come': async page => {
    await openCompare(page)
    await compare.fromSession(page).click()
    boards.answerNext(/\/reference$/, { problem: [404, 'ingest.lap_not_found', 'This lap cannot be had.'] })
    await compare.catchAhead(page).click()
    await screen.alert(page).waitFor()
  },
}

testInBothThemes(missing, stack, { expected: [/\b404\b/], otherPalette: true })

test(
  'reaches everything of compare mode with Tab, with a visible focus',
  visit(async page => {
    await openSampleAsDriver(page)
    await turnOn(page)
    await compare.corners(page).waitFor()
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
      'Chase a lap 1 s faster',
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
      await compare.corner(page).first().waitFor()
      await page.waitForLoadState('networkidle')
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
