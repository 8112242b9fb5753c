import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { openDialog, openSettings, signIn } from './accounts.ts'
import { dropFiles } from './give-file.ts'
import { desktop, lapwing, phone } from './harness.ts'
import { openFirstVisit, openSample, screen } from './screen.ts'

const { visit } = lapwing({ reach: 'accounts', ownAddresses: true })

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
  'signing up with what is wrong': async page => {
    await openFirstVisit(page)
    const dialog = await openDialog(page, 'Sign up')
    await dialog.getByLabel('Username').fill('1apex')
    await dialog.getByLabel('Password', { exact: true }).fill('abcd')
    await dialog.getByLabel('Confirm Password', { exact: true }).fill('abc')
    await dialog.getByText('are easy to guess').waitFor()
    await dialog.getByRole('button', { name: 'Create account' }).click()
    await dialog.getByRole('alert').waitFor()
  },
  'logging in': async page => {
    await openFirstVisit(page)
    await openDialog(page, 'Log in')
  },
  'a forgotten password': async page => {
    await openFirstVisit(page)
    await (await openDialog(page, 'Log in')).getByRole('button', { name: 'Forgot Password' }).click()
  },
  'the settings': async page => {
    await openFirstVisit(page)
    await signIn(page)
    const settings = await openSettings(page)
    await settings.getByLabel('Product Waitlist').check()
    await settings.getByRole('button', { name: 'Save Preferences' }).click()
    await settings.getByText('on the waitlist.').waitFor()
  },
  'changing the username': async page => {
    await openFirstVisit(page)
    await signIn(page)
    await (await openSettings(page)).getByRole('button', { name: 'Edit username' }).click()
    await page.getByRole('dialog', { name: 'Update username' }).waitFor()
  },
  'deleting the account': async page => {
    await openFirstVisit(page)
    await signIn(page)
    await (await openSettings(page)).getByRole('button', { name: 'Delete account' }).click()
    await page.getByRole('dialog', { name: 'Delete account' }).waitFor()
  },
  'a new password': async page => {
    await page.goto('/reset')
    await page.getByRole('alert').waitFor()
  },
  'a sign-in that failed': async page => {
    await page.goto('/authenticate')
    await page.getByRole('alert').waitFor()
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
    for (const [theme, stored] of Object.entries({ dark: '1', light: '0' })) {
      test(
        `axe finds nothing on ${name}, ${device}, ${theme}`,
        // Each theme in a window of its own: what is out of sight keeps its old colours when the theme
        // changes under it, and a person who is signed in stays so.
        visit(
          async page => {
            await page.addInitScript(value => localStorage.setItem('lapwing.dark-mode', value), stored)
            await open(page)
            const { violations } = await new AxeBuilder({ page })
              .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
              .analyze()
            const found = violations.flatMap(({ id, help, nodes }) =>
              nodes.map(node => `${id}: ${help}\n${node.target}\n${node.failureSummary}`),
            )
            assert.deepEqual(found, [])
          },
          // Colours are judged when they have arrived, not on their way.
          { viewport, reducedMotion: 'reduce' },
        ),
      )
    }
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
