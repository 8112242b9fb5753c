import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineWidth } from './line-width.ts'

const widths = (isColourBlind: boolean) =>
  (['double', 'plain', 'thin'] as const).map(style => lineWidth(style, isColourBlind))

test('draws lines of 4 pixels, and in the colour-blind palette braking wide and coasting thin', () => {
  assert.deepEqual(widths(false), [4, 4, 4])
  assert.deepEqual(widths(true), [7, 4, 2])
})
