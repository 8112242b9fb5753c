import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deltaStyle, lossStyle } from './delta-style.ts'

test('shows a faster lap of another driver as a gain, and an equal or slower one without a colour', () => {
  assert.deepEqual([-1, 0, 1, null].map(deltaStyle), ['text-gain', 'text-muted', 'text-muted', 'text-muted'])
})

test('shows the time to the leader as a loss, but not a tie', () => {
  assert.deepEqual([1, 0].map(lossStyle), ['text-loss', 'text-muted'])
})
