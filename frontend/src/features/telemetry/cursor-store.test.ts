import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCursorStore } from './cursor-store.ts'

test('hovering sets the row, and leaving empties it', () => {
  const cursor = createCursorStore()
  cursor.hover(7)
  assert.deepEqual(cursor.get(), { row: 7, locked: false })
  cursor.hover(null)
  assert.deepEqual(cursor.get(), { row: null, locked: false })
})

test('a click locks the nearest sample, and hovering is ignored until a second click', () => {
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

test('a click without a position unlocks, and never locks', () => {
  const cursor = createCursorStore()
  cursor.toggleLock(null)
  assert.equal(cursor.get().locked, false)
  cursor.toggleLock(3)
  cursor.toggleLock(null)
  assert.deepEqual(cursor.get(), { row: 3, locked: false })
})

test('keys move a locked cursor, which stays locked', () => {
  const cursor = createCursorStore()
  cursor.toggleLock(3)
  cursor.move(4)
  assert.deepEqual(cursor.get(), { row: 4, locked: true })
})

test('listeners hear changes only, and nothing after they leave', () => {
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
