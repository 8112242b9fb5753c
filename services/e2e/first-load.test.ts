import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { lapwing } from './harness.ts'
import { openSample, screen } from './screen.ts'

const { visit } = lapwing({ reach: 'page' })

/**
 * Bytes with gzip of the scripts and styles that the page loads with a session before a map is opened. The page
 * has 278,867. A build without maps (`LAPWING_MAPS=false`) has 1,223 fewer; maps may add 5,120.
 */
const MOST_BYTES = 279_000

test(
  'loads at most 279 kB of scripts and styles before a map is opened',
  visit(async page => {
    const sizes = new Map<string, Promise<number>>()
    page.on('response', response => {
      const { pathname } = new URL(response.url())
      if (/\.(?:js|css)$/.test(pathname)) {
        sizes.set(
          pathname,
          response.body().then(body => gzipSync(body, { level: 9 }).length),
        )
      }
    })
    await openSample(page)
    await screen.gauges(page).waitFor()
    await page.waitForLoadState('networkidle')
    const bytes = (await Promise.all(sizes.values())).reduce((sum, size) => sum + size, 0)
    assert.ok(bytes <= MOST_BYTES, `${bytes} bytes`)
  }),
)
