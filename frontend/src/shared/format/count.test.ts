import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCount } from './count.ts'

test('separates thousands', () => {
  assert.equal(formatCount(7), '7')
  assert.equal(formatCount(1204), '1,204')
  assert.equal(formatCount(10_000_000), '10,000,000')
})
