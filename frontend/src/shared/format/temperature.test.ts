import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatTemperature } from './temperature.ts'

test('rounds a file’s °C to whole °F, or to whole °C if that is chosen', () => {
  assert.equal(formatTemperature(22.2, 'fahrenheit'), '72 °F')
  assert.equal(formatTemperature(0, 'fahrenheit'), '32 °F')
  assert.equal(formatTemperature(22.2, 'celsius'), '22 °C')
  assert.equal(formatTemperature(-0.4, 'celsius'), '0 °C')
  assert.equal(formatTemperature(-40, 'fahrenheit'), '−40 °F')
})
