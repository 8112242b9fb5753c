import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FileToSend, saveWhenPossible } from './save-when-possible.ts'
import type { SettledSave } from './settled-save.ts'

function source<T>(value: T) {
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next: T) {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function harness() {
  const loaded = source<ReturnType<typeof session> | null>(null)
  const chosen = source<FileToSend | null>(null)
  const driver = source<string | null>(null)
  const calls: string[] = []
  const settled = new Map<string, SettledSave>()
  const end = saveWhenPossible({
    loaded,
    chosen,
    driver,
    settled: userId => settled.get(userId) ?? null,
    store: {
      start: file => calls.push(`start ${file.name}`),
      resume: (file, phase) => calls.push(`resume ${file.name}: ${phase.kind}`),
      stop: () => calls.push('stop'),
    },
  })
  return { loaded, chosen, driver, calls, settled, end }
}

const session = (id: number, name: string, isUnsaved = false) => ({ id, file: new File([], name), isUnsaved })
const choice = ({ id, file }: ReturnType<typeof session>, userId: string, part = file): FileToSend => ({
  sessionId: id,
  of: file,
  userId,
  file: part,
})

test('saves nothing while no driver is signed in', () => {
  const { loaded, calls } = harness()
  loaded.set(session(1, 'a.ibt'))
  loaded.set(session(2, 'b.ibt'))
  loaded.set(null)
  assert.deepEqual(calls, [])
})

test('saves a file once if a driver is signed in when it loads', () => {
  const { loaded, driver, calls } = harness()
  driver.set('user-1')
  const file = session(1, 'a.ibt')
  loaded.set(file)
  loaded.set(file)
  driver.set('user-1')
  assert.deepEqual(calls, ['start a.ibt'])
})

test('saves the loaded file of a driver who signs in later', () => {
  const { loaded, driver, calls } = harness()
  loaded.set(session(1, 'a.ibt'))
  driver.set('user-1')
  assert.deepEqual(calls, ['start a.ibt'])
})

test('replaces the last file by another one, and ends on sign-out or close', () => {
  const { loaded, driver, calls } = harness()
  driver.set('user-1')
  loaded.set(session(1, 'a.ibt'))
  loaded.set(session(2, 'b.ibt'))
  driver.set(null)
  driver.set('user-2')
  loaded.set(null)
  assert.deepEqual(calls, ['start a.ibt', 'start b.ibt', 'stop', 'start b.ibt', 'stop'])
})

test('reacts to nothing after it has ended', () => {
  const { loaded, driver, calls, end } = harness()
  end()
  driver.set('user-1')
  loaded.set(session(1, 'a.ibt'))
  assert.deepEqual(calls, [])
})

test('does not send a file again that this driver settled before a reload, but does for another driver', () => {
  const { loaded, driver, calls, settled } = harness()
  settled.set('user-1', { kind: 'cancelled' })
  driver.set('user-1')
  loaded.set(session(1, 'a.ibt'))
  driver.set('user-2')
  assert.deepEqual(calls, ['resume a.ibt: cancelled', 'start a.ibt'])
})

test('sends nothing of a file that was opened without saving, also if a driver signs in later', () => {
  const { loaded, driver, calls } = harness()
  loaded.set(session(1, 'a.ibt', true))
  driver.set('user-1')
  loaded.set(session(2, 'b.ibt', true))
  driver.set('user-2')
  assert.deepEqual(new Set(calls), new Set(['stop']))
})

test('sends of such a file what its driver chooses, once, and nothing for another driver', () => {
  const { loaded, chosen, driver, calls } = harness()
  const unsaved = session(1, 'a.ibt', true)
  const lap = new File([], 'a lap 3.ibt')
  driver.set('user-1')
  loaded.set(unsaved)
  chosen.set(choice(unsaved, 'user-1'))
  chosen.set(choice(unsaved, 'user-1'))
  chosen.set(choice(unsaved, 'user-1', lap))
  driver.set('user-2')
  loaded.set(session(2, 'b.ibt', true))
  driver.set('user-1')
  assert.deepEqual(calls, ['stop', 'start a.ibt', 'start a lap 3.ibt', 'stop', 'stop', 'stop'])
})

test('sends the best lap in place of a file that is being sent, and the whole file of the next driver', () => {
  const { loaded, chosen, driver, calls } = harness()
  const saved = session(1, 'a.ibt')
  driver.set('user-1')
  loaded.set(saved)
  chosen.set(choice(saved, 'user-1', new File([], 'a lap 3.ibt')))
  driver.set('user-2')
  assert.deepEqual(calls, ['start a.ibt', 'start a lap 3.ibt', 'start a.ibt'])
})

test('says after a reload what was saved of a file that was opened without saving, and offers no cancelled save', () => {
  const { loaded, chosen, driver, calls, settled } = harness()
  settled.set('user-1', { kind: 'skipped', reason: 'already_ingested' })
  settled.set('user-2', { kind: 'cancelled' })
  const unsaved = session(1, 'a.ibt', true)
  driver.set('user-1')
  loaded.set(unsaved)
  driver.set('user-2')
  chosen.set(choice(unsaved, 'user-2'))
  assert.deepEqual(calls, ['resume a.ibt: skipped', 'stop', 'start a.ibt'])
})
