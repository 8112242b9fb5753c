import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Column, ColumnValues, Variable } from '@lapwing/telemetry'
import { channelValues, termUnit, whyNot } from './channel-values.ts'

const metric = { speed: 'km/h', temperature: 'celsius' } as const
const imperial = { speed: 'mph', temperature: 'fahrenheit' } as const

const variable = (name: string, unit: string, more: Partial<Variable> = {}): Variable => ({
  name,
  type: 'float',
  count: 1,
  offset: 0,
  unit,
  description: '',
  ...more,
})
const variables = new Map(
  [
    variable('LFtempM', 'C'),
    variable('RFtempM', 'C'),
    variable('Speed', 'm/s'),
    variable('Torque_ST', 'N*m', { count: 2 }),
    variable('Gear', '', { type: 'int' }),
  ].map(each => [each.name, each]),
)

const columnOf = (name: string, values: ColumnValues): [string, Column] => {
  const { type, count, unit } = variables.get(name)!
  return [name, { name, type, count, unit, values }]
}
const columns = new Map([
  columnOf('LFtempM', Float32Array.of(80, 90)),
  columnOf('RFtempM', Float32Array.of(70, 70)),
  columnOf('Torque_ST', Float32Array.of(1, 2, 3, 4)),
  columnOf('Gear', Int32Array.of(3, 4)),
])
const valuesOf = (text: string, choices: Parameters<typeof channelValues>[2] = metric) => {
  const found = channelValues(text, columns, choices)!
  return [[...found.values], found.unit]
}

test('returns the values of a channel, and of one element of an array', () => {
  assert.deepEqual(valuesOf('LFtempM'), [[80, 90], '°C'])
  assert.deepEqual(valuesOf('Torque_ST[1]'), [[2, 4], 'N·m'])
  assert.equal(channelValues('Gear', columns, metric)!.isStepped, true)
  assert.equal(channelValues('LFtempM', columns, metric)!.isStepped, false)
})

test('adds and subtracts channels, and a difference of temperatures has no offset', () => {
  assert.deepEqual(valuesOf('LFtempM + RFtempM'), [[150, 160], '°C'])
  assert.deepEqual(valuesOf('LFtempM - RFtempM'), [[10, 20], '°C'])
  assert.deepEqual(valuesOf('LFtempM - RFtempM', imperial), [[18, 36], '°F'])
  assert.deepEqual(valuesOf('Torque_ST[1] - Torque_ST[0]'), [[1, 1], 'N·m'])
  assert.deepEqual(valuesOf('LFtempM - LFtempM'), [[0, 0], '°C'])
})

test('returns null until all columns are there', () => {
  assert.equal(channelValues('Speed', columns, metric), null)
  assert.equal(channelValues('LFtempM - Speed', columns, metric), null)
})

test('says why a channel cannot be drawn', () => {
  assert.equal(whyNot('LFtempM - RFtempM', variables, metric), null)
  assert.equal(whyNot('Torque_ST', variables, metric), null)
  assert.equal(whyNot('Wings', variables, metric), 'This file has no Wings.')
  assert.equal(whyNot('Torque_ST[2]', variables, metric), 'Torque_ST has only 2 values a row.')
  assert.equal(
    whyNot('LFtempM - Speed', variables, metric),
    'LFtempM is in °C and Speed in km/h. Only channels of one unit can be added.',
  )
  assert.match(whyNot('Gear + Speed', variables, metric)!, /Gear is in no unit/)
  assert.equal(whyNot('a b', variables, metric), '“a b” is not a channel.')
  assert.equal(termUnit('LFtempM - RFtempM', variables, imperial), '°F')
})
