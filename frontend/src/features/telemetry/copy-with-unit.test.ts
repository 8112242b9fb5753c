import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withUnit } from './copy-with-unit.ts'

test('copies a number with its unit', () => {
  assert.equal(withUnit({ text: ' 112\n', unit: 'km/h' }), '112 km/h')
  assert.equal(withUnit({ text: '−10', unit: '°' }), '−10°')
})

test('copies anything else, and a number without a unit, unchanged', () => {
  assert.equal(withUnit({ text: '–', unit: 'km/h' }), null)
  assert.equal(withUnit({ text: 'N', unit: '' }), null)
  assert.equal(withUnit({ text: '112', unit: null }), null)
})
