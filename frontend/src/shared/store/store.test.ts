import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStore } from './store.ts'

test('notifies its listeners of each change, and of no other', () => {
  const store = createStore({ lap: 1, isOn: false })
  const seen: unknown[] = []
  const stop = store.subscribe(() => seen.push(store.get()))
  store.patch({ lap: 2 })
  store.set(store.get())
  store.set({ lap: 3, isOn: true })
  stop()
  store.patch({ lap: 4 })
  assert.deepEqual(seen, [
    { lap: 2, isOn: false },
    { lap: 3, isOn: true },
  ])
  assert.deepEqual(store.get(), { lap: 4, isOn: true })
})
