import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noWebGl } from './browser-flags.ts'
import { lapwing } from './harness.ts'
import { openSample, screen } from './screen.ts'

const { visitTogether } = lapwing({ reach: 'page', flags: noWebGl })
const together = visitTogether(openSample)

for (const name of ['2D', '3D (Photo)'] as const) {
  test(
    `${name} says that the browser has no WebGL, and the outline is still there`,
    together(async page => {
      await page.getByRole('radio', { name }).click()
      await page.getByText(/^Your browser has no WebGL/).waitFor()
      await page.getByRole('radio', { name: 'Outline' }).click()
      await screen.outline(page).press('End')
      await page.getByText('100.0 % of lap').waitFor()
      assert.match((await screen.outline(page).getAttribute('aria-valuetext'))!, /100\.0 % of lap/)
      await screen.outline(page).press('Home')
    }),
  )
}
