import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import type { Page, Request } from 'playwright-core'
import { aDriverWhoComesBack, untilSignedIn } from './accounts.ts'
import { compare, turnOn } from './compare.ts'
import { lastWeek, writeEvenings } from './evening-folder.ts'
import { fakeBoards } from './fake-boards.ts'
import { desktop, lapwing } from './harness.ts'
import { untilKept } from './kept-files.ts'
import { library, replacePicker } from './library.ts'
import { openFirstVisit, screen } from './screen.ts'

/** What a driver does every evening with the library, and what leaves the machine meanwhile. */
const { visit } = lapwing({ reach: 'accounts', ownAddresses: true })

/** Requests with a body that the page of a signed-in driver sends anyway. The body names the session of identity. */
const SENT_ANYWAY = ['POST /sdk/v1/sessions/authenticate']

const dialog = library.dialog
const choose = (page: Page, name: string, option: string) =>
  dialog(page).getByRole('combobox', { name, exact: true }).selectOption(option)

/** Finds last week's best lap at a track, with the filters of the list, and looks at the progress there. */
async function findLastWeeksBest(page: Page): Promise<void> {
  await choose(page, 'Date', 'Last 7 days')
  await choose(page, 'Track', 'Greywater Park, Grand Prix')
  await choose(page, 'Order', 'Fastest lap')
  await until(async () => (await library.rows(page).count()) === 2)
  assert.match((await library.rows(page).first().textContent())!, /^Greywater Park, Grand Prix.*1:14\.850/)
  await dialog(page).getByRole('radio', { name: 'Progress' }).click()
  await choose(page, 'Track', 'Greywater Park, Grand Prix')
  await dialog(page).locator('canvas').waitFor()
  assert.equal(await dialog(page).locator('tbody tr').count(), 12)
  await dialog(page).getByRole('img', { name: 'Personal best' }).first().waitFor()
}

/** Compares the slowest lap with the driver's best lap here, then with the ideal lap, and looks at the first proof. */
async function askWhatIsNext(page: Page): Promise<void> {
  const sentences = page.getByRole('region', { name: 'What to do next' }).getByRole('listitem')
  const hasThree = () => until(async () => (await sentences.count()) === 3)
  await turnOn(page)
  await screen.laps(page).nth(2).click()
  await compare.card(page).getByRole('button', { name: 'My best in the library' }).click()
  await compare
    .gauges(page)
    .getByText(/^Your Lap \d · /)
    .waitFor()
  await hasThree()
  await compare.card(page).getByRole('button', { name: 'Clear' }).click()
  await compare.reference(page).click()
  await page.getByRole('option', { name: /^Ideal lap/ }).click()
  await compare.gauges(page).getByText('Ideal lap', { exact: true }).waitFor()
  await hasThree()
  for (const text of await sentences.allTextContents()) {
    assert.match(text, /: \d\.\d\d s\. Your lap \d did\.$/)
  }
  // The proof is a lap that was driven, so it has every channel.
  await sentences.first().getByRole('button').click()
  await compare
    .gauges(page)
    .getByText(/^Lap \d$/)
    .waitFor()
}

async function overlayTyreTemperatures(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Lap traces' }).getByRole('button', { name: 'Any channel' }).click()
  const card = page.getByRole('region', { name: 'Channels', exact: true })
  await card.getByRole('slider', { name: /LFtempM − RFtempM/ }).press('End')
  // The lap's own value, and that of the other lap at the same place.
  for (const channel of ['LFtempM', 'RFtempM']) {
    const value = card.getByRole('status', { name: channel, exact: true }).first()
    await until(async () => /^\d+\.\d+ \/ \d+\.\d+$/.test((await value.textContent())!))
  }
}

test(
  'finds last week’s best lap among 200 files, sees progress, opens it, learns what is next, and sends nothing',
  visit(
    async page => {
      const boards = await fakeBoards(page)
      await aDriverWhoComesBack(page)
      await replacePicker(page)
      await openFirstVisit(page)
      await untilSignedIn(page)
      await writeEvenings(page)
      await page.waitForLoadState('networkidle')
      // Also those of workers.
      const requests: Request[] = []
      page.context().on('request', request => requests.push(request))

      await library.entrance(page).click()
      await library.chooseFolder(page).click()
      await library.status(page).getByText('200 files', { exact: true }).waitFor({ timeout: 120_000 })
      await findLastWeeksBest(page)
      await dialog(page).getByTitle(lastWeek.name).click()
      const line = screen.loadedFile(page).getByText('Not sent: opened from your library.')
      await line.waitFor()
      await askWhatIsNext(page)
      await overlayTyreTemperatures(page)
      await untilKept(page)
      await page.reload()
      await line.waitFor()
      await screen
        .loadedFile(page)
        .getByRole('button', { name: 'Save the best lap', disabled: false })
        .waitFor()
      await page.waitForLoadState('networkidle')

      const withBody = requests
        .filter(request => request.method() !== 'GET' || request.postDataBuffer() !== null)
        .map(request => `${request.method()} ${new URL(request.url()).pathname}`)
      assert.deepEqual(
        withBody.filter(what => !SENT_ANYWAY.includes(what)),
        [],
      )
      const hosts = requests.map(request => new URL(request.url()).host).filter(Boolean)
      assert.deepEqual(new Set(hosts), new Set([new URL(page.url()).host]))
      assert.equal(boards.count(/upload|preview|ingest/), 0)
      const sent = requests
        .map(request => `${decodeURIComponent(request.url())} ${request.postData()}`)
        .join('\n')
      assert.match(sent, /track_slug=greywater/)
      assert.doesNotMatch(sent, /last week|evening \d|recorded\.ibt/)
    },
    { viewport: desktop, expected: [/\b404\b/] },
  ),
)
