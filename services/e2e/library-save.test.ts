import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { signIn, untilSignedIn } from './accounts.ts'
import { axeFindsNothing } from './axe-in-both-themes.ts'
import { boardsBehind, lapwingWithStore, noLapsYet, openAsDriver, ringFile } from './boards.ts'
import { toast } from './compare.ts'
import { dropFiles } from './give-file.ts'
import { untilKept } from './kept-files.ts'
import { library, replacePicker, writeFiles } from './library.ts'
import { openFirstVisit, screen, shownLaps } from './screen.ts'

/** A session of the library is saved only if its driver asks for it. */
const { visit, store } = await lapwingWithStore()

const saved = 'Best lap saved to leaderboard!'
const init = 'POST /v1/upload/init'
const file = screen.loadedFile
const line = (page: Page, sentence: string) => file(page).getByText(sentence, { exact: true })
const unsaved = (page: Page) => line(page, 'Not sent: opened from your library.')
const saveLap = (page: Page) => file(page).getByRole('button', { name: 'Save the best lap' })
const saveSession = (page: Page) => file(page).getByRole('button', { name: 'Save the session' })

/** Opens the file from the library. */
async function openRing(page: Page): Promise<void> {
  await writeFiles(page, ringFile)
  await library.entrance(page).click()
  await library.chooseFolder(page).click()
  await library.dialog(page).getByTitle(ringFile.name).click()
  await library.dialog(page).waitFor({ state: 'detached' })
  await shownLaps(page)
}

test(
  'saves only the best lap of a session of the library, when asked, and says so after a reload',
  visit(async page => {
    await replacePicker(page)
    const boards = await openAsDriver(page, store)
    await openRing(page)
    await unsaved(page).waitFor()
    await axeFindsNothing(page, 'the offer')
    await untilKept(page)
    await page.reload()
    await unsaved(page).waitFor()
    assert.equal(boards.count(init), 0)

    await saveLap(page).click()
    await toast(page, saved)
    await unsaved(page).waitFor({ state: 'detached' })
    const names = () =>
      boards.calls
        .filter(({ what }) => what === init)
        .map(({ body }) => (body as { filename: string }).filename)
    assert.deepEqual(names(), ['ring lap 2.ibt'])
    await page.reload()
    await line(page, 'Its best lap was saved before').waitFor()
    assert.equal(await unsaved(page).count(), 0)
    assert.deepEqual(names(), ['ring lap 2.ibt'])
  }, noLapsYet),
)

test(
  'saves the whole session when asked, and a dropped file as before',
  visit(async page => {
    await replacePicker(page)
    const boards = await openAsDriver(page, store)
    await openRing(page)
    await saveSession(page).click()
    await toast(page, saved)
    assert.equal(boards.count(init), 1)

    await library.again(page).click()
    await library.dialog(page).getByTitle(ringFile.name).click()
    await unsaved(page).waitFor()
    assert.equal(boards.count(init), 1)
    await dropFiles(page, ringFile)
    await file(page).getByText('No faster than your lap on the leaderboard').waitFor()
    assert.equal(boards.count(init), 2)
  }, noLapsYet),
)

test(
  'sends nothing of an open session of the library when a driver signs in, and offers to save it only then',
  visit(async page => {
    const boards = await boardsBehind(page, store)
    await replacePicker(page)
    await openFirstVisit(page)
    await openRing(page)
    assert.equal(await unsaved(page).count(), 0)
    await signIn(page)
    await unsaved(page).waitFor()
    await untilKept(page)
    await page.reload()
    await untilSignedIn(page)
    await saveLap(page).waitFor()
    await page.waitForLoadState('networkidle')
    assert.equal(boards.count(init), 0)
    assert.equal(await line(page, 'Saving your best lap').count(), 0)
  }, noLapsYet),
)
