import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { minMaxDecimate } from './min-max-decimate.ts'

const wide = { min: 0, max: 100, columns: 10, maxStep: 1000 }

test('draws few samples as they are', () => {
  const line = minMaxDecimate(Float64Array.of(0, 25, 50, 100), [1, 3, 2, 5], wide)
  assert.deepEqual([...line.x], [0, 25, 50, 100])
  assert.deepEqual([...line.y], [1, 3, 2, 5])
})

test('keeps a spike of one sample among a hundred thousand', () => {
  const count = 100_000
  const x = Float64Array.from({ length: count }, (_, i) => (100 * i) / count)
  const y = new Float32Array(count)
  y[43_217] = 1
  const line = minMaxDecimate(x, y, { ...wide, columns: 800 })
  assert.ok(line.y.includes(1))
  assert.ok(line.x.length <= 4 * 801, `${line.x.length} points`)
})

test('keeps each pixel column’s first, lowest, highest and last sample, in the order driven', () => {
  const line = minMaxDecimate(Float64Array.of(0, 1, 2, 3, 4, 5), [5, 6, 9, 1, 3, 4], wide)
  assert.deepEqual([...line.y], [5, 9, 1, 4])
})

test('lifts the pen once for blank rows', () => {
  const y = [Number.NaN, 1, 2, Number.NaN, Number.NaN, 3]
  const line = minMaxDecimate(Float64Array.of(0, 10, 20, 30, Number.NaN, 50), y, wide)
  assert.deepEqual([...line.y], [1, 2, Number.NaN, 3])
})

test('lifts the pen at a reset, but not at a step backwards', () => {
  const reset = minMaxDecimate(Float64Array.of(0, 10, 90, 95), [1, 2, 3, 4], { ...wide, maxStep: 30 })
  assert.deepEqual([...reset.y], [1, 2, Number.NaN, 3, 4])
  const spin = minMaxDecimate(Float64Array.of(0, 40, 20, 60), [1, 2, 3, 4], { ...wide, maxStep: 50 })
  assert.deepEqual([...spin.x], [0, 40, 20, 60])
})

test('leaves the window with the slope of the samples beyond it', () => {
  const x = Float64Array.from({ length: 101 }, (_, i) => i)
  const line = minMaxDecimate(x, x, { min: 40, max: 60, columns: 20, maxStep: 1000 })
  assert.ok(line.x.includes(39) && line.x.includes(61))
  assert.ok(line.x.length <= 21 + 8)
})

test('does not draw at the edge what is outside the window', () => {
  const x = Float64Array.from({ length: 101 }, (_, i) => i)
  const y = Float64Array.from(x, metre => (metre < 39 ? 9 : 1))
  const line = minMaxDecimate(x, y, { min: 40, max: 60, columns: 20, maxStep: 1000 })
  const before = line.x.indexOf(39)
  assert.ok(Number.isNaN(line.y[before - 1]))
})

test('keeps every visible sample within the values of its pixel column', () => {
  const sample = fc.tuple(
    fc.double({ min: 0, max: 100, noNaN: true }),
    fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constant(Number.NaN)),
  )
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 80 }), samples => {
      const x = Float64Array.from(samples, entry => entry[0])
      const y = Float64Array.from(samples, entry => entry[1])
      const line = minMaxDecimate(x, y, wide)
      const columnOf = (metre: number) => Math.min(10, Math.floor(metre / 10))
      for (let i = 0; i < x.length; i++) {
        if (Number.isNaN(y[i]!)) continue
        const kept = [...line.y].filter((_, k) => columnOf(line.x[k]!) === columnOf(x[i]!))
        assert.ok(Math.min(...kept.filter(value => !Number.isNaN(value))) <= y[i]!)
        assert.ok(Math.max(...kept.filter(value => !Number.isNaN(value))) >= y[i]!)
      }
    }),
  )
})
