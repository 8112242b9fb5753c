import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distanceLabels } from './distance-labels.ts'

test('labels long ranges in kilometres, with no more digits than they need', () => {
  assert.deepEqual(distanceLabels([0, 1000, 2000]), ['0 km', '1 km', '2 km'])
  assert.deepEqual(distanceLabels([0, 500, 1000]), ['0 km', '0.5 km', '1.0 km'])
  assert.deepEqual(distanceLabels([250, 500]), ['0.25 km', '0.50 km'])
})

test('labels short ranges in metres', () => {
  assert.deepEqual(distanceLabels([1240, 1260, 1280]), ['1240 m', '1260 m', '1280 m'])
  assert.deepEqual(distanceLabels([7.5, 10, 12.5]), ['7.5 m', '10.0 m', '12.5 m'])
})
