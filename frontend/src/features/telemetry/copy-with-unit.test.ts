import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withUnit } from './copy-with-unit.ts'

test('a number is copied with its unit', () => {
  assert.equal(withUnit({ text: ' 112\n', unit: 'km/h' }), '112 km/h')
  assert.equal(withUnit({ text: '−10', unit: '°' }), '−10°')
})

test('what is no number, or has no unit, is copied as it is', () => {
  assert.equal(withUnit({ text: '–', unit: 'km/h' }), null)
  assert.equal(withUnit({ text: 'N', unit: '' }), null)
  assert.equal(withUnit({ text: '112', unit: null }), null)
})
