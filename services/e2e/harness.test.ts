import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { lapwing } from './harness.ts'
import { openFirstVisit } from './screen.ts'

const { visit } = lapwing({ reach: 'page' })

/** Problems that a visit must report, with the expected message. */
const problems: [what: string, cause: (page: Page) => Promise<unknown>, expected: RegExp][] = [
  ['an error in the console', page => page.evaluate(() => console.error('ouch')), /console: ouch/],
  [
    'an uncaught error',
    page => page.evaluate(() => void Promise.reject(new Error('dropped'))),
    /uncaught: dropped/,
  ],
  [
    'a violation of the content security policy',
    page =>
      page.evaluate(() => {
        const script = document.createElement('script')
        script.textContent = 'globalThis.inline = true'
        document.body.append(script)
      }),
    /console: .*content security policy/i,
  ],
  [
    'a request to another host',
    page => page.evaluate(() => fetch('http://127.0.0.1:9/').catch(() => {})),
    /content security policy/i,
  ],
  ['an error answer', page => page.evaluate(() => fetch('/api/nothing')), /answer: 404 to GET/],
]

for (const [what, cause, expected] of problems) {
  test(`fails a visit on ${what}`, async t => {
    const failing = visit(async page => {
      await openFirstVisit(page)
      await cause(page)
      // The browser reports the problem after it happens.
      await page.evaluate(() => new Promise(resolve => requestAnimationFrame(resolve)))
    })
    await assert.rejects(failing(t), expected)
  })
}
