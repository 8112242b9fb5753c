import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatTemperature } from './temperature.ts'

test('°C of the file become whole °F, or stay °C where that is chosen', () => {
  assert.equal(formatTemperature(22.2, 'fahrenheit'), '72 °F')
  assert.equal(formatTemperature(0, 'fahrenheit'), '32 °F')
  assert.equal(formatTemperature(22.2, 'celsius'), '22 °C')
  assert.equal(formatTemperature(-0.4, 'celsius'), '0 °C')
  assert.equal(formatTemperature(-40, 'fahrenheit'), '−40 °F')
})
