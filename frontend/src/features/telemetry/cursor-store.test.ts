import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCursorStore } from './cursor-store.ts'

test('sets the row on hover, and empties it when the pointer leaves', () => {
  const cursor = createCursorStore()
  cursor.hover(7)
  assert.deepEqual(cursor.get(), { row: 7, locked: false })
  cursor.hover(null)
  assert.deepEqual(cursor.get(), { row: null, locked: false })
})

test('locks the nearest sample on a click, and ignores hover until a second click', () => {
  const cursor = createCursorStore()
  cursor.hover(7)
  cursor.toggleLock(8)
  cursor.hover(99)
  cursor.hover(null)
  assert.deepEqual(cursor.get(), { row: 8, locked: true })
  cursor.toggleLock(99)
  assert.deepEqual(cursor.get(), { row: 8, locked: false })
  cursor.hover(99)
  assert.deepEqual(cursor.get(), { row: 99, locked: false })
})

test('unlocks on a click without a position, and never locks', () => {
  const cursor = createCursorStore()
  cursor.toggleLock(null)
  assert.equal(cursor.get().locked, false)
  cursor.toggleLock(3)
  cursor.toggleLock(null)
  assert.deepEqual(cursor.get(), { row: 3, locked: false })
})

test('moves a locked cursor by keys, and keeps it locked', () => {
  const cursor = createCursorStore()
  cursor.toggleLock(3)
  cursor.move(4)
  assert.deepEqual(cursor.get(), { row: 4, locked: true })
})

test('notifies listeners of changes only, and not after they unsubscribe', () => {
  const cursor = createCursorStore()
  let heard = 0
  const leave = cursor.subscribe(() => heard++)
  cursor.hover(1)
  cursor.hover(1)
  assert.equal(heard, 1)
  const before = cursor.get()
  cursor.hover(1)
  assert.equal(cursor.get(), before)
  leave()
  cursor.hover(2)
  assert.equal(heard, 1)
})
