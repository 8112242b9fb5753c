import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { dropFiles } from './give-file.ts'
import { desktop, lapwing, phone } from './harness.ts'
import { openFirstVisit, openSample, screen } from './screen.ts'

const { visit } = lapwing()

/** Every screen and state, and how a person gets there. */
const screens: Record<string, (page: Page) => Promise<void>> = {
  'first visit': page => openFirstVisit(page),
  'a refused file': async page => {
    await openFirstVisit(page)
    await dropFiles(page, { name: 'notes.txt', bytes: new Uint8Array(8) })
    await screen.alert(page).waitFor()
  },
  'a session': openSample,
  'a session with partial laps': async page => {
    await openSample(page)
    await screen.validLapsOnly(page).click()
  },
  'the open list of laps': async page => {
    await openSample(page)
    await screen.selectedLap(page).click()
    await page.getByRole('option').first().waitFor()
  },
  'units and colours': async page => {
    await openFirstVisit(page)
    await page.getByRole('button', { name: 'Units and colours' }).click()
    await page.getByText('Temperature').waitFor()
  },
  'the sign-in dialog': async page => {
    await openFirstVisit(page)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('dialog').waitFor()
  },
  'the terms': async page => {
    await page.goto('/terms')
    await page.getByRole('heading', { level: 1 }).waitFor()
  },
  'the privacy policy': async page => {
    await page.goto('/privacy')
    await page.getByRole('heading', { level: 1 }).waitFor()
  },
}

for (const [device, viewport] of Object.entries({ desktop, phone })) {
  for (const [name, open] of Object.entries(screens)) {
    test(
      `axe finds nothing on ${name}, ${device}, dark and light`,
      visit(
        async page => {
          const found: string[] = []
          for (const theme of ['dark', 'light']) {
            // Opened anew: what is out of sight keeps its old colours when the theme changes under it.
            await page.addInitScript(
              value => localStorage.setItem('lapwing.dark-mode', value),
              theme === 'dark' ? '1' : '0',
            )
            await open(page)
            const { violations } = await new AxeBuilder({ page })
              .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
              .analyze()
            for (const { id, help, nodes } of violations) {
              for (const node of nodes)
                found.push(`${theme}: ${id}: ${help}\n${node.target}\n${node.failureSummary}`)
            }
          }
          assert.deepEqual(found, [])
        },
        // Colours are judged when they have arrived, not on their way.
        { viewport, reducedMotion: 'reduce' },
      ),
    )
  }
}

for (const [name, open] of Object.entries(screens)) {
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
