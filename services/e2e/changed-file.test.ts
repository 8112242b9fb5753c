import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { hold } from './accounts.ts'
import { heldBack, lapwingWithStore, openAsDriver, ring, ringDrivers, ringFile } from './boards.ts'
import { chooseFile } from './give-file.ts'
import { openFirstVisit, screen, shownLaps } from './screen.ts'

const { visit, store } = await lapwingWithStore()
const directory = mkdtempSync(join(tmpdir(), 'lapwing-changed-'))
after(() => rmSync(directory, { recursive: true, force: true }))

const sentence =
  'The file has changed since it was chosen (is the simulator still writing it?). Choose it again.'
const init = 'POST /v1/upload/init'
const complete = 'POST /v1/upload/complete'
let files = 0

/** A file on disk, and a function that changes it like a simulator that continues to write. */
function aFileOnDisk(): { readonly path: string; readonly change: () => void } {
  files++
  const path = join(directory, `ring-${files}.ibt`)
  writeFileSync(path, ringFile.bytes)
  return {
    path,
    change() {
      appendFileSync(path, new Uint8Array(1000))
      // Browsers compare times in whole seconds.
      const later = new Date(Date.now() + 10_000)
      utimesSync(path, later, later)
    },
  }
}

const toast = (page: Page) => screen.toast(page).getByText(sentence, { exact: true })

test(
  'reports a file that changed before it was read, and accepts it again',
  visit(async page => {
    const reader = await hold(page, /parse\.worker/)
    await openFirstVisit(page)
    const { path, change } = aFileOnDisk()
    await chooseFile(page, path)
    change()
    reader.release()
    await screen.alert(page).getByText(sentence, { exact: true }).waitFor()
    await chooseFile(page, path)
    assert.equal((await shownLaps(page)).length, 3)
  }),
)

test(
  'reports a file that is deleted before it was read',
  visit(async page => {
    const reader = await hold(page, /parse\.worker/)
    await openFirstVisit(page)
    const { path } = aFileOnDisk()
    await chooseFile(page, path)
    rmSync(path)
    reader.release()
    await screen.alert(page).getByText(sentence, { exact: true }).waitFor()
  }),
)

test(
  'sends nothing and retries nothing if a file changes while it is announced',
  visit(
    async page => {
      const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
      const { released, release } = heldBack()
      boards.answerNext(init, { after: released })
      const { path, change } = aFileOnDisk()
      await chooseFile(page, path)
      await shownLaps(page)
      await page.getByRole('progressbar', { name: 'Saving your best lap' }).waitFor()
      change()
      release()
      await toast(page).waitFor()
      await screen.loadedFile(page).getByRole('status').getByText(sentence, { exact: true }).waitFor()
      assert.equal(await page.getByRole('button', { name: 'Retry' }).count(), 0)
      assert.deepEqual([boards.count(init), boards.count(complete)], [1, 0])
    },
    { expected: [/ERR_UPLOAD_FILE_CHANGED/] },
  ),
)

test(
  'reports a changed file at Retry, and announces nothing',
  visit(
    async page => {
      const boards = await openAsDriver(page, store, boards => boards.addEntries(ring, ringDrivers(3)))
      boards.answerNext(init, { problem: [503, 'upload.busy', 'Too much is going on.'] })
      const { path, change } = aFileOnDisk()
      await chooseFile(page, path)
      const retry = screen.loadedFile(page).getByRole('button', { name: 'Retry' })
      await retry.waitFor()
      change()
      await retry.click()
      await toast(page).waitFor()
      assert.equal(boards.count(init), 1)
      // Chosen again, it counts as another file and is saved.
      await chooseFile(page, path)
      await screen.toast(page).getByText('Best lap saved to leaderboard!', { exact: true }).waitFor()
    },
    { expected: [/\b503\b/] },
  ),
)
