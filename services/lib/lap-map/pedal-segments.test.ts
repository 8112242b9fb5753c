import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pedalSegments, pedalShare, pedalState } from './pedal-segments.ts'

test('shows brake above 0.02, then throttle above 0.02, else coasting', () => {
  assert.equal(pedalState(1, 0.03), 'brake')
  assert.equal(pedalState(1, 0.02), 'throttle')
  assert.equal(pedalState(0.03, 0), 'throttle')
  assert.equal(pedalState(0.02, 0.02), 'coast')
})

test('counts values that are not finite as 0, and keeps pedals within 0 and 1', () => {
  assert.deepEqual(
    [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, undefined].map(pedalShare),
    [0, 0, 0, 0],
  )
  assert.deepEqual([-0.5, 0.5, 1.5].map(pedalShare), [0, 0.5, 1])
  assert.equal(pedalState(Number.NaN, Number.POSITIVE_INFINITY), 'coast')
})

test('splits a lap at each change of colour', () => {
  const throttle = [1, 1, 1, 0, 0, 0, 0, 1, 1]
  const brake = [0, 0, 0, 0, 0, 1, 1, 0, 0]
  assert.deepEqual(pedalSegments(throttle, brake, 0, 8), [
    { state: 'throttle', start: 0, end: 2 },
    { state: 'coast', start: 3, end: 4 },
    { state: 'brake', start: 5, end: 6 },
    { state: 'throttle', start: 7, end: 8 },
  ])
})

test('leaves out a segment of one point', () => {
  assert.deepEqual(pedalSegments([1, 1, 0, 1, 1, 0], [0, 0, 0, 0, 0, 0], 0, 5), [
    { state: 'throttle', start: 0, end: 1 },
    { state: 'throttle', start: 3, end: 4 },
  ])
})

test('reads only the requested rows', () => {
  assert.deepEqual(pedalSegments([0, 1, 1, 1, 0], [0, 0, 0, 0, 0], 1, 3), [
    { state: 'throttle', start: 1, end: 3 },
  ])
  assert.deepEqual(pedalSegments([1], [0], 0, 0), [])
})

test('makes segments that never overlap, hold one state each, and leave out only single rows', () => {
  const pedal = fc.constantFrom(0, 0.02, 0.021, 1, Number.NaN)
  fc.assert(
    fc.property(fc.array(fc.tuple(pedal, pedal), { minLength: 1, maxLength: 60 }), rows => {
      const throttle = rows.map(row => row[0])
      const brake = rows.map(row => row[1])
      const covered = new Set<number>()
      for (const { state, start, end } of pedalSegments(throttle, brake, 0, rows.length - 1)) {
        assert.ok(end > start)
        for (let row = start; row <= end; row++) {
          assert.equal(pedalState(throttle[row], brake[row]), state)
          assert.ok(!covered.has(row))
          covered.add(row)
        }
      }
      for (let row = 0; row < rows.length; row++) {
        if (covered.has(row)) continue
        const state = pedalState(throttle[row], brake[row])
        for (const other of [row - 1, row + 1]) {
          if (other < 0 || other >= rows.length) continue
          assert.notEqual(pedalState(throttle[other], brake[other]), state)
        }
      }
    }),
  )
})
