import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { lineWidths } from './line-widths.ts'

const scale = fc.double({ min: 0.02, max: 80, noNaN: true })

test('draws thinner lines when near, and none thinner than a pixel and a half', () => {
  fc.assert(
    fc.property(scale, scale, (a, b) => {
      const [far, near] = [Math.min(a, b), Math.max(a, b)].map(lineWidths)
      assert.ok(near!.lap <= far!.lap && near!.reference <= far!.reference)
      assert.ok(near!.lap >= 1.5)
    }),
  )
  assert.ok(lineWidths(6).lap < 0.6 * lineWidths(0.3).lap)
})

test('shows an edge of the reference on both sides of the lap at every zoom', () => {
  fc.assert(
    fc.property(scale, each => {
      const { lap, reference } = lineWidths(each)
      assert.ok((reference - lap) / 2 >= 1)
    }),
  )
})
