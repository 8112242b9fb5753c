import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { lapwing } from './harness.ts'
import { openFirstVisit, screen } from './screen.ts'

const { url, visit } = lapwing({ reach: 'page' })

const openedBeforeSignIn = /^This holds for a file that you opened before you signed in, too/

for (const [path, title, sentences] of [
  ['/terms', 'Terms of Service', []],
  ['/privacy', 'Privacy Policy', [openedBeforeSignIn]],
] as const) {
  test(
    `shows on ${path} its text, its last update, a contact, and the way home`,
    visit(async page => {
      await page.goto(path)
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      assert.equal(await page.title(), `${title} · Lapwing`)
      await page.getByText(/^Last updated: \d{1,2} \w+ 20\d\d$/).waitFor()
      assert.match((await page.locator('a[href^="mailto:"]').textContent()) ?? '', /@/)
      for (const sentence of sentences) await page.getByText(sentence).waitFor()
      await page.getByRole('link', { name: 'Back to Home' }).click()
      await screen.chooseFile(page).waitFor()
      assert.equal(new URL(page.url()).pathname, '/')
    }),
  )
}

test(
  'is dark until a person chooses light, and keeps the choice',
  visit(
    async page => {
      await openFirstVisit(page)
      const dark = await background(page)
      assert.equal(await screen.themeSwitch(page).isChecked(), true)
      await screen.themeSwitch(page).click()
      await page.waitForFunction(() => document.documentElement.dataset.theme === 'light')
      const light = await background(page)
      assert.ok(brightness(light) > brightness(dark), `${light} is not lighter than ${dark}`)
      await page.goto('/terms')
      assert.equal(await background(page), light)
      await screen.themeSwitch(page).click()
      await page.reload()
      assert.equal(await background(page), dark)
    },
    { colorScheme: 'light' },
  ),
)

test('answers an unknown address of the API with a problem document, not the page', async () => {
  const response = await fetch(`${url()}/api/v1/nothing`)
  assert.equal(response.status, 404)
  assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/)
  const problem = (await response.json()) as { code: string; request_id: string }
  assert.match(problem.code, /^gateway\./)
  assert.ok(problem.request_id)
})

function background(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
}

/** Returns the brightness of a colour from `getComputedStyle`; exact enough to tell dark from light. */
function brightness(colour: string): number {
  const [lightness] = /^ok(?:lab|lch)\(([\d.]+)/.exec(colour)?.slice(1) ?? []
  if (lightness !== undefined) return Number(lightness) * 255
  const parts = colour
    .match(/[\d.]+/g)!
    .slice(0, 3)
    .map(Number)
  return parts.reduce((sum, part) => sum + part, 0) / 3
}
