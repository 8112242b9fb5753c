import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimalsFor, drawnUnit, formatValue } from './drawn-unit.ts'

const metric = { speed: 'km/h', temperature: 'celsius' } as const
const imperial = { speed: 'mph', temperature: 'fahrenheit' } as const

test('draws speeds and temperatures in the units of the driver', () => {
  for (const [name, unit, choices, value, expected] of [
    ['Speed', 'm/s', metric, 10, '36 km/h'],
    ['RFspeed', 'm/s', imperial, 44.704, '100 mph'],
    ['LFtempM', 'C', metric, 85, '85 °C'],
    ['LFtempM', 'C', imperial, 85, '185 °F'],
  ] as const) {
    const { unit: drawn, scale, offset } = drawnUnit({ name, unit }, choices)
    assert.equal(`${Math.round(1e6 * (value * scale + offset)) / 1e6} ${drawn}`, expected)
  }
})

test('draws other units as the file states them, or as drivers use them', () => {
  for (const [name, unit, expected] of [
    ['Throttle', '%', '100 %'],
    ['LatAccel', 'm/s^2', '0.102 g'],
    ['SteeringWheelAngle', 'rad', '57.296 °'],
    ['LFshockDefl', 'm', '1000 mm'],
    ['LFshockVel', 'm/s', '1000 mm/s'],
    ['Alt', 'm', '1 m'],
    ['LFpressure', 'kPa', '1 kPa'],
    ['SessionState', 'irsdk_SessionState', '1 '],
    ['Gear', '', '1 '],
  ] as const) {
    const { unit: drawn, scale, offset } = drawnUnit({ name, unit }, metric)
    assert.equal(`${Math.round(1000 * (scale + offset)) / 1000} ${drawn}`, expected)
  }
})

test('formats all values of a channel with the same decimals, and no negative zero', () => {
  for (const [value, reach, text] of [
    [6512.4, 7000, '6512'],
    [-33.27, 180, '−33.3'],
    [0.5, 2, '0.50'],
    [-0.0001, 0.5, '0.000'],
  ] as const) {
    assert.equal(formatValue(value, decimalsFor(reach)), text)
  }
  assert.equal(formatValue(Number.NaN, 1), '–')
})
