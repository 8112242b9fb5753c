import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rankStyle } from './rank-style.ts'

test('shows ranks 1, 2 and 3 in a colour each, and only ranks 4 to 10 in green', () => {
  const styles = [1, 2, 3, 4, 10, 11, 1000].map(rankStyle)
  assert.deepEqual(styles, [
    'text-(--rank-1)',
    'text-(--rank-2)',
    'text-(--rank-3)',
    'text-(--rank-10)',
    'text-(--rank-10)',
    'text-text',
    'text-text',
  ])
})
