import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { lapwing } from './harness.ts'
import { openFirstVisit } from './screen.ts'

const { visit } = lapwing({ reach: 'page' })

/** What a test must not overlook, and how it is told. */
const mishaps: [what: string, happen: (page: Page) => Promise<unknown>, told: RegExp][] = [
  ['an error in the console', page => page.evaluate(() => console.error('ouch')), /console: ouch/],
  [
    'an error nobody caught',
    page => page.evaluate(() => void Promise.reject(new Error('dropped'))),
    /uncaught: dropped/,
  ],
  [
    'a breach of the content security policy',
    page =>
      page.evaluate(() => {
        const script = document.createElement('script')
        script.textContent = 'globalThis.inline = true'
        document.body.append(script)
      }),
    /console: .*content security policy/i,
  ],
  [
    'another host asked for anything',
    page => page.evaluate(() => fetch('http://127.0.0.1:9/').catch(() => {})),
    /content security policy/i,
  ],
  ['an answer that is an error', page => page.evaluate(() => fetch('/api/nothing')), /answer: 404 to GET/],
]

for (const [what, happen, told] of mishaps) {
  test(`a visit fails on ${what}`, async t => {
    const mishap = visit(async page => {
      await openFirstVisit(page)
      await happen(page)
      // What the browser tells of the mishap comes after the mishap itself.
      await page.evaluate(() => new Promise(resolve => requestAnimationFrame(resolve)))
    })
    await assert.rejects(mishap(t), told)
  })
}
