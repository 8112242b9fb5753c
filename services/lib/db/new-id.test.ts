import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from './new-id.ts'

test('returns a UUID of version 7 that begins with its time', () => {
  const id = newId(Date.parse('2026-03-01T12:00:00Z'))
  assert.match(id, /^019ca945-0a00-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('returns ids in the order of time, different within a millisecond', () => {
  const times = [0, 1, 1_700_000_000_000, 1_700_000_000_001, 2 ** 48 - 1]
  const ids = times.map(newId)
  assert.deepEqual([...ids].sort(), ids)
  assert.equal(new Set(Array.from({ length: 1000 }, () => newId(5))).size, 1000)
})
