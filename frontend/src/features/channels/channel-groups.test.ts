import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesSource, openIbt, type Variable } from '@lapwing/telemetry'
import { sharedIbtFiles, sharedIbtMissing } from '@lapwing/testing/shared-ibt.ts'
import { groupChannels, groupOf, wheelsOf } from './channel-groups.ts'

const variable = (name: string, description = '', count = 1): Variable => ({
  name,
  type: 'float',
  count,
  offset: 0,
  unit: '',
  description,
})

test('finds the group of a channel', () => {
  for (const [name, group] of [
    ['LFtempCL', 'Tyres'],
    ['RRshockVel', 'Suspension'],
    ['CFSRrideHeight', 'Suspension'],
    ['LRbrakeLinePress', 'Wheels and brakes'],
    ['BrakeABSactive', 'Wheels and brakes'],
    ['Brake', 'Driver’s inputs'],
    ['SteeringWheelTorque_ST', 'Driver’s inputs'],
    ['FuelLevel', 'Engine and fuel'],
    ['LatAccel', 'Movement'],
    ['Lat', 'Movement'],
    ['LapDistPct', 'Laps and timing'],
    ['dcBrakeBias', 'In-car controls'],
    ['dpLFTireChange', 'Pit stop and garage'],
    ['LFTiresUsed', 'Pit stop and garage'],
    ['AirTemp', 'Weather and track'],
    ['CpuUsageFG', 'Simulator'],
    ['SomethingNew', 'Others'],
  ] as const) {
    assert.equal(groupOf(name), group, name)
  }
})

test('offers the four wheels of a channel together, the front ones first', () => {
  assert.deepEqual(wheelsOf('RRtempM'), ['LFtempM', 'RFtempM', 'LRtempM', 'RRtempM'])
  assert.deepEqual(wheelsOf('TireLF_RumblePitch')?.[3], 'TireRR_RumblePitch')
  assert.equal(wheelsOf('RPM'), null)
  const wheels = ['RF', 'LF', 'RR', 'LR'].map(wheel =>
    variable(`${wheel}wearM`, `${wheel} tire percent tread`),
  )
  const [group] = groupChannels(wheels, '')
  assert.equal(group!.choices.length, 5)
  assert.deepEqual(group!.choices[0], {
    name: 'LF RF LR RR wearM',
    description: 'All four: tire percent tread',
    terms: ['LFwearM', 'RFwearM', 'LRwearM', 'RRwearM'],
  })
  assert.equal(groupChannels(wheels.slice(1), '')[0]!.choices.length, 3)
})

test('offers the elements of an array together', () => {
  const [group] = groupChannels([variable('Torque_ST', 'Torque at 360 Hz', 3)], '')
  assert.deepEqual(group!.choices[0]!.terms, ['Torque_ST[0]', 'Torque_ST[1]', 'Torque_ST[2]'])
})

test('finds channels by words of name, description and group, in any case and order', () => {
  const variables = [variable('OilTemp', 'Engine oil temperature'), variable('OilPress'), variable('Speed')]
  const found = (query: string) =>
    groupChannels(variables, query).flatMap(group => group.choices.map(c => c.name))
  assert.deepEqual(found('  '), ['Speed', 'OilTemp', 'OilPress'])
  assert.deepEqual(found('TEMPERATURE oil'), ['OilTemp'])
  assert.deepEqual(found('fuel'), ['OilTemp', 'OilPress'])
  assert.deepEqual(found('wing'), [])
})

test('knows a group for every channel of recorded files', { skip: sharedIbtMissing }, async () => {
  for (const { name, bytes } of sharedIbtFiles()) {
    const { variables } = await openIbt(bytesSource(bytes))
    const others = variables.filter(variable => groupOf(variable.name) === 'Others').map(each => each.name)
    assert.deepEqual(others, [], name)
  }
})
