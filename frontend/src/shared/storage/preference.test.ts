import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPreference, oneOf } from './preference.ts'
import type { KeyValueStore } from './safe-storage.ts'

function memoryStore(content: Record<string, string> = {}): KeyValueStore {
  return {
    get: key => content[key] ?? null,
    set: (key, value) => void Object.assign(content, { [key]: value }),
    remove: key => void delete content[key],
  }
}

test('uses the first word until another is stored', () => {
  const rules = { key: 'tab', ...oneOf(['signup', 'login']) }
  assert.equal(createPreference({ ...rules, store: memoryStore() }).get(), 'signup')
  assert.equal(createPreference({ ...rules, store: memoryStore({ tab: 'login' }) }).get(), 'login')
  assert.equal(createPreference({ ...rules, store: memoryStore({ tab: 'nonsense' }) }).get(), 'signup')
})

test('stores a change and notifies each remaining listener once', () => {
  const store = memoryStore()
  const tab = createPreference({ key: 'tab', store, ...oneOf(['signup', 'login']) })
  let notices = 0
  const stop = tab.subscribe(() => notices++)
  tab.set('login')
  tab.set('login')
  assert.equal(store.get('tab'), 'login')
  assert.equal(notices, 1)
  stop()
  tab.set('signup')
  assert.equal(notices, 1)
})

test('follows a change in another tab, and returns to the default if that tab clears the storage', () => {
  const content: Record<string, string> = {}
  const otherTabs = new EventTarget()
  const tab = createPreference({
    key: 'tab',
    store: memoryStore(content),
    otherTabs,
    ...oneOf(['signup', 'login']),
  })
  content.tab = 'login'
  otherTabs.dispatchEvent(Object.assign(new Event('storage'), { key: 'something else' }))
  assert.equal(tab.get(), 'signup')
  otherTabs.dispatchEvent(Object.assign(new Event('storage'), { key: 'tab' }))
  assert.equal(tab.get(), 'login')
  delete content.tab
  otherTabs.dispatchEvent(Object.assign(new Event('storage'), { key: null }))
  assert.equal(tab.get(), 'signup')
})
