import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowAfterKey } from './row-after-key.ts'

test('moves by rows and pages, to both ends, and never past them', () => {
  const after = (key: string, at: number) => rowAfterKey(key, at, 30, 8)
  assert.deepEqual([after('ArrowDown', 4), after('ArrowUp', 4)], [5, 3])
  assert.deepEqual([after('PageDown', 4), after('PageUp', 12)], [12, 4])
  assert.deepEqual([after('Home', 4), after('End', 4)], [0, 29])
  assert.deepEqual([after('ArrowUp', 0), after('PageDown', 25)], [0, 29])
})

test('leaves other keys to the browser, and all keys of an empty list', () => {
  for (const key of ['a', 'Tab', 'constructor']) assert.equal(rowAfterKey(key, 4, 30, 8), null)
  assert.equal(rowAfterKey('End', 0, 0, 8), null)
})
