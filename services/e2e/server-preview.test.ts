import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dropFiles } from './give-file.ts'
import { lapwing } from './harness.ts'
import { openFirstVisit, openSample, screen, shownLaps } from './screen.ts'
import { anIbt } from './testing/an-ibt.ts'

const { visit } = lapwing({ reach: 'preview', env: { gateway: { PAGE_PREVIEW: 'server' } } })

test(
  'shows the same laps from the server’s answer as from the browser’s own reading',
  visit(async page => {
    await openFirstVisit(page)
    await dropFiles(page, { name: 'ring.ibt', bytes: anIbt({ lapTimesS: [21.4, 20.2, 20.9] }) })
    assert.deepEqual(await shownLaps(page), ['Lap 2 0:20.200', 'Lap 3 0:20.900', 'Lap 1 0:21.400'])
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
  visit(
    async page => {
      await openFirstVisit(page)
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
  visit(async page => {
    await openFirstVisit(page)
    await dropFiles(page, { name: 'partial.ibt', bytes: anIbt({ lapTimesS: [] }) })
    await screen
      .toast(page)
      .getByText('No complete valid lap found. Please try uploading another file with valid laps.')
      .waitFor()
  }),
)

test('opens the sample session without the server', visit(openSample))
