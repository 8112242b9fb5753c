import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rankStyle } from './rank-style.ts'

test('ranks 1, 2 and 3 have a colour each, those up to 10 are green, and no other is', () => {
  const styles = [1, 2, 3, 4, 10, 11, 1000].map(rankStyle)
  assert.deepEqual(styles, [
    'text-(--rank-1)',
    'text-(--rank-2)',
    'text-(--rank-3)',
    'text-gain',
    'text-gain',
    'text-text',
    'text-text',
  ])
})
