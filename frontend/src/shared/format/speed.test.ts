import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatSpeed, speedIn } from './speed.ts'

test('writes whole km/h or mph', () => {
  assert.equal(formatSpeed(31.2, 'km/h'), '112')
  assert.equal(formatSpeed(44.704, 'mph'), '100')
})

test('converts 100 km/h to 62.14 mph', () => {
  assert.ok(Math.abs(speedIn('mph', 100 / 3.6) - 62.1371) < 1e-3)
})
