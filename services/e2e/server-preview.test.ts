import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { dropFiles } from './give-file.ts'
import { lapwing } from './harness.ts'
import { closeFile, openFirstVisit, screen, shownLaps } from './screen.ts'
import { anIbt } from './testing/an-ibt.ts'

const { visit, visitTogether } = lapwing({ reach: 'preview', env: { gateway: { PAGE_PREVIEW: 'server' } } })
const together = visitTogether(page => openFirstVisit(page), { leave: closeFile })
const file = { name: 'ring.ibt', bytes: anIbt({ lapTimesS: [21.4, 20.2, 20.9] }) }
const laps = ['Lap 2 0:20.200', 'Lap 3 0:20.900', 'Lap 1 0:21.400']

test(
  'shows the same laps from the server’s answer as from the browser’s own reading',
  together(async page => {
    await dropFiles(page, file)
    assert.deepEqual(await shownLaps(page), laps)
    await screen.outline(page).waitFor()
    await page.getByRole('button', { name: 'Any channel' }).click()
    await page
      .getByRole('region', { name: 'Channels', exact: true })
      .getByText('The server reads the files here, and returns only the channels of the traces.')
      .waitFor()
  }),
)

test(
  'shows the server’s refusal in its own words',
  together(
    async page => {
      await dropFiles(page, { name: 'text.ibt', bytes: Buffer.from('not telemetry '.repeat(100)) })
      await screen
        .alert(page)
        .getByText('This is not an iRacing telemetry file, although its name ends in .ibt.')
        .waitFor()
    },
    { expected: [/status of 4\d\d/, /^answer: 4\d\d to POST .*\/api\/v1\/preview$/] },
  ),
)

test(
  'reports a file without a complete lap in the specification’s toast',
  together(async page => {
    await dropFiles(page, { name: 'partial.ibt', bytes: anIbt({ lapTimesS: [] }) })
    await screen
      .toast(page)
      .getByText('No complete valid lap found. Please try uploading another file with valid laps.')
      .waitFor()
  }),
)

test(
  'opens the sample session without the server',
  together(async page => {
    const posts = postsOf(page)
    await screen.trySample(page).click()
    await shownLaps(page)
    assert.deepEqual(posts, [])
  }),
)

test(
  'has the server read the file if no reader can start in the browser',
  visit(
    async page => {
      await page.route('**/config.json', async route => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...(await response.json()), preview: 'browser' } })
      })
      const worker = /parse\.worker/
      await page.route(worker, route => route.abort())
      const posts = postsOf(page)
      const tried = page.waitForRequest(worker)
      await openFirstVisit(page)
      await dropFiles(page, file)
      assert.deepEqual(await shownLaps(page), laps)
      await tried
      assert.deepEqual(posts, ['/api/v1/preview'])
    },
    { expected: [/parse\.worker/, /ERR_FAILED/] },
  ),
)

/** Records the paths that the page posts to from now on. */
function postsOf(page: Page): readonly string[] {
  const posts: string[] = []
  page.on('request', request => {
    if (request.method() === 'POST') posts.push(new URL(request.url()).pathname)
  })
  return posts
}
