import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeStorage } from './safe-storage.ts'

/** Returns a `Storage` over a map; `refuse` makes the named methods throw as a browser does. */
function storage(content: Map<string, string>, refuse: { read?: boolean; write?: boolean } = {}): Storage {
  const no = () => {
    throw new DOMException('refused', 'SecurityError')
  }
  return {
    length: 0,
    key: () => null,
    clear: () => content.clear(),
    getItem: key => (refuse.read ? no() : (content.get(key) ?? null)),
    setItem: (key, value) => (refuse.write ? no() : void content.set(key, value)),
    removeItem: key => (refuse.write ? no() : void content.delete(key)),
  } as Storage
}

test('reads back from the storage itself what was set', () => {
  const content = new Map<string, string>()
  const store = safeStorage(() => storage(content))
  store.set('a', '1')
  assert.equal(content.get('a'), '1')
  assert.equal(store.get('a'), '1')
  store.remove('a')
  assert.equal(store.get('a'), null)
})

test('remembers a choice until the page closes, in a browser that blocks storage', () => {
  const store = safeStorage(() => {
    throw new DOMException('blocked', 'SecurityError')
  })
  assert.equal(store.get('a'), null)
  store.set('a', '1')
  assert.equal(store.get('a'), '1')
  store.remove('a')
  assert.equal(store.get('a'), null)
})

test('prefers a refused write to the older value that is still in the storage', () => {
  const store = safeStorage(() => storage(new Map([['a', 'old']]), { write: true }))
  assert.equal(store.get('a'), 'old')
  store.set('a', 'new')
  assert.equal(store.get('a'), 'new')
  store.remove('a')
  assert.equal(store.get('a'), null)
})
