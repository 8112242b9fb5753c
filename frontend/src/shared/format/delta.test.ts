import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDelta } from './delta.ts'

test('writes a delta with its sign and three decimals, and zero without a sign', () => {
  const cases: [number, string][] = [
    [0.2019, '+0.202'],
    [-0.041, '−0.041'],
    [12.5, '+12.500'],
    [0.0005, '+0.001'],
    [0, '0.000'],
    [-0.0001, '0.000'],
  ]
  for (const [seconds, text] of cases) assert.equal(formatDelta(seconds), text)
})
