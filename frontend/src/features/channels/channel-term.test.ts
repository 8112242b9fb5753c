import assert from 'node:assert/strict'
import { test } from 'node:test'
import { combine, labelOf, namesOf, parseTerm } from './channel-term.ts'

test('parses a channel, an element of an array, a sum and a difference', () => {
  assert.deepEqual(parseTerm('RPM'), { first: { name: 'RPM', index: null }, second: null })
  assert.deepEqual(parseTerm('SteeringWheelTorque_ST[2]')!.first, {
    name: 'SteeringWheelTorque_ST',
    index: 2,
  })
  assert.deepEqual(parseTerm('LFtempM - RFtempM')!.second, {
    part: { name: 'RFtempM', index: null },
    sign: -1,
  })
  assert.deepEqual(parseTerm('A[0] + A[1]')!.second, { part: { name: 'A', index: 1 }, sign: 1 })
})

test('parses nothing else', () => {
  for (const text of [
    '',
    'A B',
    'A+B',
    'A * B',
    'A - B - C',
    'A[-1]',
    'A[]',
    'A - ',
    ' A',
    'A[99999]',
    'Ä',
  ]) {
    assert.equal(parseTerm(text), null, text)
  }
})

test('reads each variable once', () => {
  assert.deepEqual(namesOf(parseTerm('A[0] - A[1]')!), ['A'])
  assert.deepEqual(namesOf(parseTerm('A + B')!), ['A', 'B'])
})

test('combines two channels, and never a sum with another', () => {
  assert.equal(combine('A', '-', 'B[1]'), 'A - B[1]')
  assert.equal(combine('A + C', '-', 'B'), null)
  assert.equal(labelOf('A - B'), 'A − B')
})
