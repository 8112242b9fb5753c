import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { signIn } from './accounts.ts'
import { axeFindsNothing } from './axe-in-both-themes.ts'
import { card } from './boards.ts'
import { toast } from './compare.ts'
import { chooseFile } from './give-file.ts'
import { lapwing } from './harness.ts'
import { openFirstVisit, screen, shownLaps } from './screen.ts'
import { anIbt } from './testing/an-ibt.ts'

/** Files that are too large to be sent, or take long, with the real services and object store. */
const { visit } = lapwing({ reach: 'everything', ownAddresses: true })

const folder = mkdtempSync(join(tmpdir(), 'lapwing-large-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const saved = 'Best lap saved to leaderboard!'
const noLapsYet = [
  /Failed to load resource/,
  /^answer: 404 to GET .*(?:\/leaderboards\/context-id|\/tracks\/.*\/corners$)/,
]

/** Writes a file with rows as long as those of a real one. Its fastest lap is lap 3. */
function fileOfLaps(name: string, laps: number, simUserId: number): string {
  const lapTimesS = Array.from({ length: laps }, (_, lap) => (lap === 2 ? 20.2 : 21 + (lap % 7) / 10))
  const path = join(folder, name)
  writeFileSync(path, anIbt({ lapTimesS, simUserId, bufLen: 1040 }))
  return path
}

interface Announced {
  readonly filename: string
  readonly size: number
}

/** Returns a function that returns the files that the page has announced since. Call it before the page opens. */
async function watchAnnounced(page: Page): Promise<() => Promise<readonly Announced[]>> {
  await page.addInitScript(() => {
    const announced: unknown[] = []
    Object.assign(window, { announced })
    const { fetch } = window
    window.fetch = async (input, init) => {
      // The browser does not report the body of such a request.
      if (input instanceof Request && input.url.endsWith('/upload/init')) {
        announced.push(await input.clone().json())
      }
      return fetch(input, init)
    }
  })
  return () => page.evaluate(() => (window as unknown as { announced: Announced[] }).announced)
}

const line = (page: Page, sentence: string | RegExp) => screen.loadedFile(page).getByText(sentence)

test(
  'refuses a file over 100 MB with a way to open it without saving, and saves its best lap alone',
  visit(
    async page => {
      const path = fileOfLaps('endurance.ibt', 80, 3001)
      assert.ok(statSync(path).size > 100 * 1024 * 1024)
      const announced = await watchAnnounced(page)
      await openFirstVisit(page)
      await chooseFile(page, path)
      await screen.alert(page).getByText('File is larger than 100 MB.', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Open here without saving' }).click()
      assert.equal((await shownLaps(page))[0], 'Lap 3 0:20.200')
      await line(page, 'Not sent: over 100 MB. Signed in, you can save its best lap.').waitFor()
      assert.deepEqual(await announced(), [])

      const saveLap = screen.loadedFile(page).getByRole('button', { name: 'Save the best lap' })
      await signIn(page)
      await line(page, /^Not sent: over 100 MB\.\s*$/).waitFor()
      await saveLap.waitFor()
      await axeFindsNothing(page, 'the offer')
      assert.deepEqual(await announced(), [])
      await saveLap.click()
      await toast(page, saved)
      await line(page, /^Best lap saved: came in at #\d+$/).waitFor()
      await card(page).getByText('0:20.200').first().waitFor()
      const files = await announced()
      assert.deepEqual(
        files.map(({ filename }) => filename),
        ['endurance lap 3.ibt'],
      )
      assert.ok(files[0]!.size < 0.08 * statSync(path).size, String(files[0]!.size))
    },
    { expected: noLapsYet },
  ),
)

test(
  'offers to send only the best lap over a slow connection, and sends nothing more of the file',
  visit(
    async page => {
      const path = fileOfLaps('long-run.ibt', 30, 3002)
      const announced = await watchAnnounced(page)
      await openFirstVisit(page)
      await signIn(page)
      const network = await page.context().newCDPSession(page)
      const connect = (uploadThroughput: number) =>
        network.send('Network.emulateNetworkConditions', {
          offline: false,
          latency: 0,
          downloadThroughput: -1,
          uploadThroughput,
        })
      await network.send('Network.enable')
      await connect(400_000)
      await chooseFile(page, path)
      await line(page, 'Slow connection').waitFor()
      await axeFindsNothing(page, 'the offer')
      const given = page.waitForEvent('requestfailed', request => request.method() === 'POST')
      await screen.loadedFile(page).getByRole('button', { name: 'Send only the best lap' }).click()
      await given
      await connect(-1)
      await toast(page, saved)
      await line(page, /^Best lap saved: came in at #\d+$/).waitFor()
      const files = await announced()
      assert.deepEqual(
        files.map(({ filename }) => filename),
        ['long-run.ibt', 'long-run lap 3.ibt'],
      )
      assert.ok(files[1]!.size < 0.08 * statSync(path).size, String(files[1]!.size))
    },
    { expected: noLapsYet },
  ),
)
