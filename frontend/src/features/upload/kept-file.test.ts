import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeptFile, type KeptFiles } from './kept-file.ts'

const minutes = (count: number) => count * 60_000

function aBrowser() {
  const kept = new Map<string, File>()
  const browser = {
    nowMs: 1_000,
    kept,
    timers: [] as (() => void)[],
    files: {
      set: async (name, file) => void kept.set(name, file),
      get: async name => kept.get(name),
      delete: async names => {
        for (const name of names) kept.delete(name)
      },
      names: async () => [...kept.keys()],
    } as KeptFiles,
    aTab() {
      const values = new Map<string, string>()
      return createKeptFile({
        session: {
          get: key => values.get(key) ?? null,
          set: (key, value) => void values.set(key, value),
          remove: key => void values.delete(key),
        },
        files: browser.files,
        newId: () => crypto.randomUUID(),
        nowMs: () => browser.nowMs,
        after: (_ms, callback) => {
          browser.timers.push(callback)
          return () => {}
        },
      })
    },
  }
  return browser
}

const file = new File(['laps'], 'session.ibt')

test('a file is given back once, to the tab that kept it', async () => {
  const browser = aBrowser()
  const tab = browser.aTab()
  await tab.keep(file)
  assert.equal(await browser.aTab().take(), null)
  assert.equal(await tab.take(), file)
  assert.equal(await tab.take(), null)
  assert.equal(browser.kept.size, 0)
})

test('the sample session is given back as such, once, and within a quarter of an hour', async () => {
  const browser = aBrowser()
  const tab = browser.aTab()
  await tab.keep('sample')
  assert.equal(browser.kept.size, 0)
  assert.equal(await tab.take(), 'sample')
  assert.equal(await tab.take(), null)
  await tab.keep('sample')
  browser.nowMs += minutes(15)
  assert.equal(await tab.take(), null)
})

test('what was kept last is given back', async () => {
  const tab = aBrowser().aTab()
  await tab.keep(file)
  const other = new File(['more laps'], 'other.ibt')
  await tab.keep(other)
  assert.equal(await tab.take(), other)
})

test('a file is forgotten after a quarter of an hour, also one whose tab never came back', async () => {
  const browser = aBrowser()
  const [gone, back] = [browser.aTab(), browser.aTab()]
  await gone.keep(file)
  await back.keep(file)
  browser.nowMs += minutes(15)
  assert.equal(await back.take(), null)
  assert.equal(browser.kept.size, 0)
  await gone.keep(file)
  browser.nowMs += minutes(15)
  await back.keep(file)
  assert.equal(browser.kept.size, 1)
  browser.nowMs += minutes(15)
  await browser.aTab().forgetOld()
  assert.equal(browser.kept.size, 0)
})

for (const [what, fault] of [
  ['that keeps nothing', () => Promise.reject(new Error('no room'))],
  ['that takes too long', () => new Promise<never>(() => {})],
] as const) {
  test(`a browser ${what} holds nobody up`, async () => {
    const browser = aBrowser()
    browser.files.set = fault
    const tab = browser.aTab()
    const kept = tab.keep(file)
    for (const timer of browser.timers) timer()
    await kept
    assert.equal(await tab.take(), null)
  })
}

test('a file that cannot be read back is as one that was not kept', async () => {
  const browser = aBrowser()
  const tab = browser.aTab()
  await tab.keep(file)
  browser.files.get = () => Promise.reject(new Error('gone'))
  assert.equal(await tab.take(), null)
})
