import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { aDriver, openDialog, openSettings, signIn, untilSignedIn } from './accounts.ts'
import {
  boardsBehind,
  dropRing,
  lapwingWithStore,
  openAsDriver,
  ring,
  ringDrivers,
  ringFile,
} from './boards.ts'
import { dropFiles } from './give-file.ts'
import { untilKept } from './kept-files.ts'
import { openFirstVisit, openUsedVisit, screen, shownLaps, untilFocused } from './screen.ts'
import { anIbt } from './testing/an-ibt.ts'

/** A driver's open file, through everything that can happen before the leaderboard. */
const { visit, store } = await lapwingWithStore()
const init = 'POST /v1/upload/init'
const saved = 'Best lap saved to leaderboard!'
const line = 'Opened again from this browser’s own store. Close forgets it.'
const status = (page: Page) => screen.loadedFile(page).getByRole('status')
const offline = [/ERR_INTERNET_DISCONNECTED/, /Failed to load resource/]

const isOpenAgain = async (page: Page, name: string) => {
  await screen.loadedFile(page).getByText(line, { exact: true }).waitFor()
  await screen.loadedFile(page).getByText(name, { exact: true }).waitFor()
}

test(
  'keeps the file through offline, drop, reload, sign-in and Back, and sends it once',
  visit(
    async page => {
      const boards = await boardsBehind(page, store)
      boards.addEntries(ring, ringDrivers(3))
      await page.goto('/terms')
      await openUsedVisit(page)
      await page.context().setOffline(true)
      await dropRing(page)
      await untilKept(page)
      await page.context().setOffline(false)
      await page.reload()
      await isOpenAgain(page, ringFile.name)

      const dialog = await openDialog(page, 'Log in')
      await page.goBack()
      await dialog.waitFor({ state: 'detached' })
      assert.equal(boards.count(init), 0)
      await signIn(page)
      await status(page).getByText('Best lap saved: came in at #4').waitFor()
      assert.equal((await shownLaps(page)).length, 3)

      await page.goBack()
      assert.equal(new URL(page.url()).pathname, '/terms')
      await page.goForward()
      await isOpenAgain(page, ringFile.name)
      await untilSignedIn(page)
      await page.reload()
      await isOpenAgain(page, ringFile.name)
      await status(page).getByText('This file was saved before').waitFor()
      assert.equal(boards.count(init), 1)
    },
    { expected: offline },
  ),
)

test(
  'sends the file after Cancel only with Save, not with a reload',
  visit(async page => {
    const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
    const held = store.hold()
    const posted = page.waitForRequest(request => request.url().startsWith(store.url))
    await dropRing(page)
    await posted
    await screen.loadedFile(page).getByRole('button', { name: 'Cancel' }).click()
    await status(page).getByText('Best lap not saved').waitFor()
    held.release()
    await untilKept(page)
    await page.reload()
    await isOpenAgain(page, ringFile.name)
    await status(page).getByText('Best lap not saved').waitFor()
    assert.equal(boards.count(init), 1)
    await screen.loadedFile(page).getByRole('button', { name: 'Save' }).click()
    await screen.toast(page).getByText(saved, { exact: true }).waitFor()
    assert.equal(boards.count(init), 2)
  }),
)

test(
  'sends a file again if the page was reloaded during the upload',
  visit(async page => {
    const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
    const held = store.hold()
    const posted = page.waitForRequest(request => request.url().startsWith(store.url))
    await dropRing(page)
    await posted
    await untilKept(page)
    await page.reload()
    held.release()
    await isOpenAgain(page, ringFile.name)
    await screen.toast(page).getByText(saved, { exact: true }).waitFor()
    assert.equal(boards.count(init), 2)
  }),
)

test(
  'deletes the stored files of all tabs at sign-out',
  visit(async page => {
    await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
    await dropRing(page)
    await screen.toast(page).getByText(saved, { exact: true }).waitFor()
    const second = await page.context().newPage()
    const behindSecond = await boardsBehind(second, store)
    behindSecond.addEntries(ring, ringDrivers(3))
    await openFirstVisit(second)
    await dropFiles(second, { name: 'other.ibt', bytes: anIbt({ lapTimesS: [22.2] }) })
    await shownLaps(second)
    await untilKept(second, 2)
    await second.reload()
    await isOpenAgain(second, 'other.ibt')

    const loaded = page.waitForEvent('load')
    await (await openSettings(page)).getByRole('button', { name: 'Sign out' }).click()
    await loaded
    await screen.chooseFile(page).waitFor()
    await second.reload()
    await screen.chooseFile(second).waitFor()
  }),
)

const gone = [/\/assets\//, /Failed to load resource/, /ERR_FAILED/, /dynamically imported module/]

test(
  'reports in the header that the settings cannot be loaded, keeps the file, and loads them with Retry',
  visit(
    async page => {
      const boards = await boardsBehind(page, store)
      boards.addEntries(ring, ringDrivers(3))
      await openFirstVisit(page)
      await dropRing(page)
      const { email, password } = await aDriver(page)
      await page.route(/\/AccountMenu[^/]*\.js/, route => route.abort())
      const dialog = await openDialog(page, 'Log in')
      await dialog.getByLabel('Email').fill(email)
      await dialog.getByLabel('Password', { exact: true }).fill(password)
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      const retry = page.getByRole('button', { name: 'Retry settings' })
      await retry.waitFor()
      // Saving the file does not wait for the settings.
      await screen.toast(page).getByText(saved, { exact: true }).waitFor()
      assert.equal((await shownLaps(page)).length, 3)
      await page.unroute(/\/AccountMenu[^/]*\.js/)
      await retry.click()
      await openSettings(page)
      assert.equal((await shownLaps(page)).length, 3)
    },
    { expected: gone },
  ),
)

test(
  'asks before it saves a file whose driver number cannot be read because its code did not load',
  visit(
    async page => {
      await page.route(/\/read-driver-number[^/]*\.js/, route => route.abort())
      const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
      await dropRing(page)
      await screen
        .loadedFile(page)
        .getByText('Not saved yet: the driver number of this file could not be read.')
        .waitFor()
      assert.equal(boards.count(init), 0)
      await screen.loadedFile(page).getByRole('button', { name: 'It is mine' }).click()
      await screen.toast(page).getByText(saved, { exact: true }).waitFor()
    },
    { expected: gone },
  ),
)

test(
  'offers the other files of a drop, opens them by keys, and closes the list',
  visit(async page => {
    await openFirstVisit(page)
    const names = ['second.ibt', 'third.ibt']
    await dropFiles(
      page,
      { name: 'notes.txt', bytes: new Uint8Array(3) },
      ringFile,
      ...names.map((name, index) => ({ name, bytes: anIbt({ lapTimesS: [22.2 + index] }) })),
    )
    assert.equal((await shownLaps(page)).length, 3)
    const list = page.getByRole('list', { name: 'Other dropped files' })
    const offered = async () =>
      (await list.getByRole('button').allTextContents()).map(text => text.replace(/\.ibt.*/, '.ibt'))
    assert.deepEqual(await offered(), names)

    await list.getByRole('button', { name: 'third.ibt' }).focus()
    await page.keyboard.press('Enter')
    await screen.loadedFile(page).getByText('third.ibt').waitFor()
    assert.deepEqual(await shownLaps(page), ['Lap 1 0:23.200'])
    assert.deepEqual(await offered(), [ringFile.name, 'second.ibt'])
    // The pressed button is gone, but the focus is not lost.
    assert.equal(await page.evaluate(() => document.activeElement === document.body), false)

    await page.getByRole('button', { name: 'Close file' }).click()
    await screen.chooseFile(page).waitFor()
    await list.getByRole('button', { name: 'second.ibt' }).click()
    assert.deepEqual(await shownLaps(page), ['Lap 1 0:22.200'])

    await page.getByRole('button', { name: 'Close the list of files' }).click()
    await list.waitFor({ state: 'detached' })
    await screen.loadedFile(page).getByText('second.ibt').waitFor()
  }),
)

test(
  'closes the board, Your saved laps and the name in turn with Back, and keeps the file',
  visit(async page => {
    await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
    await dropRing(page)
    await screen.toast(page).getByText(saved, { exact: true }).waitFor()
    const dialog = page.getByRole('dialog')
    const open = [
      () => page.getByRole('button', { name: 'Show Full Leaderboard' }).click(),
      async () => (await openSettings(page)).getByRole('button', { name: 'Your saved laps' }).click(),
      async () => (await openSettings(page)).getByRole('button', { name: 'Edit username' }).click(),
    ]
    for (const openDialogHere of open) {
      await openDialogHere()
      await untilFocused(dialog)
      await page.goBack()
      await dialog.waitFor({ state: 'detached' })
      assert.equal(new URL(page.url()).pathname, '/')
      assert.equal((await shownLaps(page)).length, 3)
    }
  }),
)
