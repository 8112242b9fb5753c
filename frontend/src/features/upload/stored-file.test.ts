import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createManualClock } from '#testing/manual-clock.ts'
import { memoryStore } from '#testing/memory-store.ts'
import { createStoredFile, FILE_LIFETIME_MS, MAX_STORED, type StoredFiles } from './stored-file.ts'

/** Returns one browser: a store of files that all its tabs share. */
function aBrowser() {
  const stored = new Map<string, File>()
  const clock = createManualClock()
  let lastId = 0
  const files: { -readonly [Name in keyof StoredFiles]: StoredFiles[Name] } = {
    set: async (id, file) => void stored.set(id, file),
    get: async id => stored.get(id),
    delete: async ids => {
      for (const id of ids) stored.delete(id)
    },
    ids: async () => [...stored.keys()],
  }
  const aPage = (values: Map<string, string>) =>
    createStoredFile({
      session: memoryStore(values),
      files,
      newId: () => `${++lastId}`,
      nowMs: () => clock.nowMs(),
      after: clock.after,
    })
  return {
    clock,
    stored,
    files,
    names: () => [...stored.values()].map(({ name }) => name),
    aTab(values = new Map<string, string>()) {
      let page = aPage(values)
      return {
        page: () => page,
        /** Leaves the page and loads it again. */
        reload() {
          page.leave()
          page = aPage(values)
          return page
        },
        copy: () => new Map(values),
      }
    },
  }
}

const file = new File(['laps'], 'session.ibt')
const other = new File(['more laps'], 'other.ibt')

test('restores a file after every reload, under its name, and only in its own tab', async () => {
  const browser = aBrowser()
  const tab = browser.aTab()
  tab.page().follow(file)
  await tab.page().settled()
  for (let reload = 0; reload < 3; reload++) {
    const page = tab.reload()
    assert.equal(page.name(), 'session.ibt')
    assert.equal(await page.take(), file)
  }
  const stranger = browser.aTab().page()
  assert.equal(stranger.name(), null)
  assert.equal(await stranger.take(), null)
})

test('restores a saved lap without a file, until it is closed or all is forgotten', async () => {
  const browser = aBrowser()
  const tab = browser.aTab()
  const lap = { name: 'Lap 5', lapId: 'lap-1', userId: 'user-1', facts: '{}' }
  tab.page().follow(file)
  tab.page().follow(lap)
  await tab.page().settled()
  assert.deepEqual(browser.names(), [])
  for (let reload = 0; reload < 2; reload++) assert.deepEqual(await tab.reload().take(), lap)
  tab.page().follow(null)
  assert.equal(tab.reload().name(), null)
  tab.page().follow(lap)
  await tab.page().forgetAll()
  assert.equal(await tab.reload().take(), null)
  tab.page().follow(lap)
  await browser.clock.advance(FILE_LIFETIME_MS)
  assert.equal(await tab.reload().take(), null)
})

test('stores a file for each tab', async () => {
  const browser = aBrowser()
  const [first, second] = [browser.aTab(), browser.aTab()]
  first.page().follow(file)
  second.page().follow(other)
  await first.page().settled()
  await second.page().settled()
  assert.equal(await second.reload().take(), other)
  assert.equal(await first.reload().take(), file)
  first.page().follow(null)
  await first.page().settled()
  assert.equal(await first.reload().take(), null)
  assert.equal(await second.reload().take(), other)
})

test('copies the file for a copied tab: closing one leaves the other', async () => {
  const browser = aBrowser()
  const tab = browser.aTab()
  tab.page().follow(file)
  await tab.page().settled()
  const copied = browser.aTab(tab.copy())
  assert.equal(await copied.page().take(), file)
  await copied.page().settled()
  tab.page().follow(null)
  await tab.page().settled()
  assert.equal(await copied.reload().take(), file)
  copied.page().follow(null)
  await copied.page().settled()
  assert.deepEqual(browser.names(), [])
})

test('remembers the sample session without a file', async () => {
  const browser = aBrowser()
  const tab = browser.aTab()
  tab.page().follow('sample')
  await tab.page().settled()
  assert.deepEqual(browser.names(), [])
  assert.equal(await tab.reload().take(), 'sample')
})

test('deletes a closed file immediately, also one that is still being written', async () => {
  const browser = aBrowser()
  const tab = browser.aTab()
  const { promise: written, resolve } = Promise.withResolvers<void>()
  browser.files.set = async (id, stored) => {
    await written
    browser.stored.set(id, stored)
  }
  tab.page().follow(file)
  tab.page().follow(null)
  assert.equal(tab.page().name(), null)
  resolve()
  await tab.page().settled()
  assert.deepEqual(browser.names(), [])
})

test('replaces the first file by another one, and never stores more than what is open', async () => {
  const browser = aBrowser()
  const tab = browser.aTab()
  tab.page().follow(file)
  tab.page().follow(other)
  await tab.page().settled()
  assert.deepEqual(browser.names(), ['other.ibt'])
  assert.equal(await tab.reload().take(), other)
})

test('deletes the files of all tabs on sign-out', async () => {
  const browser = aBrowser()
  const [first, second] = [browser.aTab(), browser.aTab()]
  first.page().follow(file)
  second.page().follow(other)
  await second.page().settled()
  await first.page().forgetAll()
  assert.deepEqual(browser.names(), [])
  assert.equal(first.reload().name(), null)
  assert.equal(await second.reload().take(), null)
})

test('deletes a file after 24 hours, also if its tab stays open or never comes back', async () => {
  const browser = aBrowser()
  const [open, gone] = [browser.aTab(), browser.aTab()]
  gone.page().follow(other)
  await gone.page().settled()
  await browser.clock.advance(1)
  open.page().follow(file)
  await open.page().settled()
  await browser.clock.advance(FILE_LIFETIME_MS - 2)
  assert.equal(await open.reload().take(), file)
  assert.deepEqual(browser.names(), ['other.ibt', 'session.ibt'])
  await browser.clock.advance(2)
  await open.page().settled()
  assert.deepEqual(browser.names(), [])
  assert.equal(open.page().name(), null)
  assert.equal(gone.reload().name(), null)
})

test('does not extend the 24 hours on a reload, and deletes older files on any visit', async () => {
  const browser = aBrowser()
  const tab = browser.aTab()
  tab.page().follow(file)
  await tab.page().settled()
  browser.clock.jump(FILE_LIFETIME_MS / 2)
  assert.equal(await tab.reload().take(), file)
  // As on a computer that was asleep: no timer runs.
  browser.clock.jump(FILE_LIFETIME_MS / 2)
  assert.equal(await tab.reload().take(), null)
  const visitor = browser.aTab().page()
  visitor.forgetOld()
  await visitor.settled()
  assert.deepEqual(browser.names(), [])
})

test(`keeps the newest files of more than ${MAX_STORED} tabs`, async () => {
  const browser = aBrowser()
  for (let tab = 0; tab <= MAX_STORED; tab++) {
    const { page } = browser.aTab()
    page().follow(new File(['laps'], `${tab}.ibt`))
    await page().settled()
    await browser.clock.advance(1)
  }
  assert.equal(browser.stored.size, MAX_STORED)
  assert.equal(browser.names().includes('0.ibt'), false)
})

for (const [what, fault] of [
  ['that stores nothing', () => Promise.reject(new DOMException('No room.', 'QuotaExceededError'))],
  ['that does not answer', () => new Promise<never>(() => {})],
] as const) {
  test(`works without delay and restores nothing in a browser ${what}`, async () => {
    const browser = aBrowser()
    browser.files.set = fault
    const tab = browser.aTab()
    tab.page().follow(file)
    const settled = tab.page().settled()
    await browser.clock.advance(3000)
    await settled
    const taken = tab.reload().take()
    await browser.clock.advance(3000)
    assert.equal(await taken, null)
    assert.deepEqual(browser.names(), [])
  })
}

test('does not restore the file before if the browser has no room for the new one', async () => {
  const browser = aBrowser()
  const tab = browser.aTab()
  tab.page().follow(file)
  await tab.page().settled()
  browser.files.set = () => Promise.reject(new DOMException('No room.', 'QuotaExceededError'))
  tab.page().follow(other)
  await tab.page().settled()
  assert.equal(tab.reload().name(), null)
  assert.deepEqual(browser.names(), [])
})

test('restores nothing from a store that is blocked or empty', async () => {
  const browser = aBrowser()
  const tab = browser.aTab()
  tab.page().follow(file)
  await tab.page().settled()
  browser.files.get = () => Promise.reject(new DOMException('Denied.', 'SecurityError'))
  assert.equal(await tab.reload().take(), null)
  browser.files.get = async () => undefined
  assert.equal(await tab.reload().take(), null)
})

test('remembers whether a file was opened without saving, through reloads, in copies of its tab, and no longer', async () => {
  const browser = aBrowser()
  const tab = browser.aTab()
  tab.page().follow(file, true)
  await tab.page().settled()
  for (let reload = 0; reload < 2; reload++) {
    const page = tab.reload()
    assert.equal(page.isUnsaved(), true)
    assert.equal(await page.take(), file)
    page.setNote('saved')
  }
  // The copy stores the file under an id of its own.
  const copied = browser.aTab(tab.copy())
  await copied.page().take()
  assert.equal(copied.page().isUnsaved(), true)
  tab.page().follow(other)
  assert.equal(tab.reload().isUnsaved(), false)
  assert.equal(copied.reload().isUnsaved(), true)
})

test('keeps a note as long as the file, in its tab alone', async () => {
  const browser = aBrowser()
  const tab = browser.aTab()
  tab.page().setNote('nothing is open')
  assert.equal(tab.page().note(), null)
  tab.page().follow(file)
  tab.page().setNote('saved')
  assert.equal(tab.reload().note(), 'saved')
  assert.equal(browser.aTab().page().note(), null)
  tab.page().follow(other)
  assert.equal(tab.page().note(), null)
})

test('ignores anything else in the storage of the tab', async () => {
  for (const text of ['', '{', 'null', '[]', '{"id":7}', '{"id":"x","name":"a"}', '1000 sample']) {
    const tab = aBrowser().aTab(new Map([['lapwing.kept-file', text]]))
    assert.equal(tab.page().name(), null, text)
    assert.equal(await tab.page().take(), null, text)
  }
})

test('gives up after 15 seconds without an answer from the store, but waits for a slow one', async () => {
  const browser = aBrowser()
  const tab = browser.aTab()
  tab.page().follow(file)
  await tab.page().settled()
  browser.files.get = () => new Promise(resolve => browser.clock.after(14_999, () => resolve(file)))
  const slow = tab.reload().take()
  await browser.clock.advance(15_000)
  assert.equal(await slow, file)
  browser.files.get = () => new Promise(() => {})
  const never = tab.reload().take()
  await browser.clock.advance(15_000)
  assert.equal(await never, null)
})
