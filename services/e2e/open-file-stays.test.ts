import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { dropFiles } from './give-file.ts'
import { lapwing } from './harness.ts'
import { untilKept } from './kept-files.ts'
import {
  closeFile,
  openFirstVisit,
  openSample,
  openUsedVisit,
  screen,
  shownLaps,
  untilFocused,
} from './screen.ts'
import { anIbt } from './testing/an-ibt.ts'

/** A visitor's open file survives everything that happens to a page. */
const { visit, visitTogether } = lapwing({ reach: 'page' })
const file = { name: 'ring.ibt', bytes: anIbt({ lapTimesS: [21.4, 20.2, 20.9] }) }
const laps = ['Lap 2 0:20.200', 'Lap 3 0:20.900', 'Lap 1 0:21.400']
const other = { name: 'other.ibt', bytes: anIbt({ lapTimesS: [22.2] }) }
const line = 'Opened again from this browser’s own store. Close forgets it.'
const hours = (count: number) => count * 60 * 60_000

async function openFile(page: Page): Promise<void> {
  await openFirstVisit(page)
  await dropFiles(page, file)
  assert.deepEqual(await shownLaps(page), laps)
}

async function isOpenAgain(page: Page): Promise<void> {
  await screen.loadedFile(page).getByText(line, { exact: true }).waitFor()
  await screen.loadedFile(page).getByText(file.name, { exact: true }).waitFor()
  assert.deepEqual(await shownLaps(page), laps)
}

/** For tests that open the page themselves and change nothing of the browser: they share one window. */
const visitAnew = visitTogether(async () => {}, {
  async leave(page) {
    await page.unrouteAll()
    await closeFile(page)
    await untilKept(page, 0)
  },
})

test(
  'reopens the file after each reload, and says so; deletes a closed file, and starts a reload without one',
  visitAnew(async page => {
    await openFile(page)
    assert.equal(await screen.loadedFile(page).getByText(line).count(), 0)
    await untilKept(page)
    for (let time = 0; time < 2; time++) {
      await page.reload()
      await isOpenAgain(page)
    }
    await page.getByRole('button', { name: 'Close file' }).click()
    await untilKept(page, 0)
    await page.reload()
    await screen.chooseFile(page).waitFor()
  }),
)

test(
  'reopens the sample session too',
  visitAnew(async page => {
    await openSample(page)
    await page.reload()
    await screen.loadedFile(page).getByText('Sample session').waitFor()
    await screen.loadedFile(page).getByText(line).waitFor()
  }),
)

test(
  'keeps a file per tab, and a tab without one stays without',
  visit(async page => {
    await openFile(page)
    const second = await page.context().newPage()
    await openFirstVisit(second)
    await dropFiles(second, other)
    await screen.loadedFile(second).getByText(other.name).waitFor()
    await untilKept(page, 2)
    await page.reload()
    await second.reload()
    await isOpenAgain(page)
    await screen.loadedFile(second).getByText(other.name, { exact: true }).waitFor()
    const third = await page.context().newPage()
    await openFirstVisit(third)
    await second.getByRole('button', { name: 'Close file' }).click()
    await untilKept(page, 1)
    await page.reload()
    await isOpenAgain(page)
  }),
)

test(
  'deletes a file after 24 hours, not before',
  visit(async page => {
    await page.clock.install()
    await openFile(page)
    await untilKept(page)
    const opened = await page.evaluate(() => Date.now())
    await page.clock.setSystemTime(opened + hours(23))
    await page.reload()
    await isOpenAgain(page)
    await page.clock.setSystemTime(opened + hours(25))
    await page.reload()
    await screen.chooseFile(page).waitFor()
    await untilKept(page, 0)
  }),
)

for (const [what, refuse] of [
  [
    'that denies its store',
    () => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('Denied.', 'SecurityError')
      }
    },
  ],
  [
    'without room',
    () => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('No room.', 'QuotaExceededError')
      }
    },
  ],
] as const) {
  test(
    `reads a file in a browser ${what}, and starts a reload without one`,
    visit(async page => {
      await page.addInitScript(refuse)
      await openFile(page)
      await page.waitForFunction(() => sessionStorage.getItem('lapwing.kept-file') === null)
      await page.reload()
      await screen.chooseFile(page).waitFor()
      assert.equal(await screen.alert(page).count(), 0)
    }),
  )
}

test(
  'reads a file that is dropped offline, and reopens it with the network',
  visit(async page => {
    await openUsedVisit(page)
    await page.context().setOffline(true)
    await dropFiles(page, file)
    assert.deepEqual(await shownLaps(page), laps)
    await untilKept(page)
    await page.context().setOffline(false)
    await page.reload()
    await isOpenAgain(page)
  }),
)

const gone = [/\/assets\//, /Failed to load resource/, /ERR_FAILED/, /dynamically imported module/]

test(
  'reports in a view that its code is gone after a release, and shows the file with Retry',
  visitAnew(
    async page => {
      const code = /\/SessionView[^/]*\.js/
      await page.route(code, route => route.fulfill({ status: 404, body: 'Not found' }))
      await openFirstVisit(page)
      await dropFiles(page, file)
      await screen.alert(page).getByText('This part of the page could not be loaded.').waitFor()
      await screen.loadedFile(page).getByText(file.name).waitFor()
      const retry = page.getByRole('button', { name: 'Retry', exact: true })
      await retry.click()
      await screen.alert(page).getByText('This part of the page could not be loaded.').waitFor()
      await page.unroute(code)
      await retry.click()
      assert.deepEqual(await shownLaps(page), laps)
    },
    { expected: gone },
  ),
)

test(
  'reloads the page with a press after a release, and reopens the file',
  visitAnew(
    async page => {
      const code = /\/SessionView[^/]*\.js/
      await page.route(code, route => route.fulfill({ status: 404, body: 'Not found' }))
      await openFirstVisit(page)
      await dropFiles(page, file)
      await screen.alert(page).waitFor()
      await untilKept(page)
      await page.unroute(code)
      await page.getByRole('button', { name: 'Reload' }).click()
      await isOpenAgain(page)
    },
    { expected: gone },
  ),
)

test(
  'reports in a dialog that its code cannot be loaded, keeps the file, and opens it with Retry',
  visitAnew(
    async page => {
      await openFile(page)
      await page.route(/\/AuthDialog[^/]*\.js/, route => route.abort())
      const signIn = page.getByRole('button', { name: 'Sign in', exact: true })
      await signIn.click()
      const dialog = page.getByRole('dialog', { name: 'Sign in' })
      await dialog.getByRole('alert').getByText('This part of the page could not be loaded.').waitFor()
      await untilFocused(dialog)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      assert.equal(await signIn.evaluate(element => element === document.activeElement), true)
      assert.deepEqual(await shownLaps(page), laps)

      await signIn.click()
      await dialog.getByRole('alert').waitFor()
      await page.unroute(/\/AuthDialog[^/]*\.js/)
      await dialog.getByRole('button', { name: 'Retry' }).click()
      await page.getByRole('dialog').getByRole('tab', { name: 'Log in' }).waitFor()
      await page.keyboard.press('Escape')
      assert.deepEqual(await shownLaps(page), laps)
    },
    { expected: gone },
  ),
)

test(
  'closes the dialog with Back and keeps the file; a dialog closed otherwise needs no extra Back',
  visitAnew(async page => {
    await page.goto('/terms')
    await page.goto('/')
    await dropFiles(page, file)
    assert.deepEqual(await shownLaps(page), laps)
    const dialog = page.getByRole('dialog')
    for (const end of ['Back', 'Escape', 'Back', 'Close']) {
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await untilFocused(dialog)
      if (end === 'Back') await page.goBack()
      if (end === 'Escape') await page.keyboard.press('Escape')
      if (end === 'Close') await dialog.getByRole('button', { name: 'Close' }).click()
      await dialog.waitFor({ state: 'detached' })
      assert.equal(new URL(page.url()).pathname, '/')
      assert.equal(await screen.loadedFile(page).getByText(line).count(), 0)
      assert.deepEqual(await shownLaps(page), laps)
    }
    await untilKept(page)
    await page.waitForFunction(() => (history.state as Record<string, unknown>)['lapwing.layers'] !== 1)
    await page.goBack()
    assert.equal(new URL(page.url()).pathname, '/terms')
    await page.goForward()
    assert.deepEqual(await shownLaps(page), laps)
  }),
)

test(
  'does not reopen a file that broke the page with "Start over"',
  visitAnew(
    async page => {
      const code = /\/SessionView[^/]*\.js/
      await page.route(code, route =>
        route.fulfill({
          contentType: 'text/javascript',
          // The bundler calls the exports of that part `t`.
          body: 'export const t = { SessionView: 1 }',
        }),
      )
      await openFirstVisit(page)
      await dropFiles(page, file)
      await screen.alert(page).getByRole('heading', { name: 'Something on this page broke.' }).waitFor()
      await untilKept(page)
      await page.unroute(code)
      await page.getByRole('button', { name: 'Start over' }).click()
      await screen.chooseFile(page).waitFor()
    },
    { expected: [/^console: /, /^uncaught: /] },
  ),
)

test(
  'reopens the file with "Start over" if the code of a page is gone',
  visitAnew(
    async page => {
      await openFile(page)
      await untilKept(page)
      await page.route(/\/Terms[^/]*\.js/, route => route.abort())
      await page.goto('/terms')
      await page.getByRole('heading', { name: 'Part of the page could not be loaded.' }).waitFor()
      await page.getByRole('button', { name: 'Start over' }).click()
      await isOpenAgain(page)
    },
    { expected: gone },
  ),
)
