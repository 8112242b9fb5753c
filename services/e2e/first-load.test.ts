import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { lapwing } from './harness.ts'
import { openSample, screen } from './screen.ts'

const { visit } = lapwing({ reach: 'page', env: { gateway: { MAP_STREET: 'none' } } })

/**
 * Bytes with gzip of the scripts and styles that the page loads with a session before a map is opened, when
 * there were no maps yet. Maps may add 5 kB, because they load when their view opens.
 */
const WITHOUT_MAPS = 0
const MAPS_MAY_ADD = 5 * 1024

test(
  'loads at most 5 kB more for maps before one is opened',
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
    assert.ok(
      bytes <= WITHOUT_MAPS + MAPS_MAY_ADD,
      `${bytes} bytes, ${bytes - WITHOUT_MAPS} more than without maps`,
    )
  }),
)
