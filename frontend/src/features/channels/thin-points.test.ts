import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { thinPoints } from './thin-points.ts'

const window = { x: [0, 1], y: [0, 1], width: 30, height: 15 } as const

test('leaves no point out that lies apart from all others, and never more points than cells', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(fc.array(fc.tuple(share, share), { maxLength: 2000 }), points => {
      const xs = Float64Array.from(points, ([x]) => x)
      const ys = Float64Array.from(points, ([, y]) => y)
      const { x, y } = thinPoints(xs, ys, () => true, window)
      assert.ok(x.length <= 21 * 11)
      for (const [px, py] of points) {
        const isDrawn = x.some((at, i) => Math.abs(at - px) * 30 <= 1.5 && Math.abs(y[i]! - py) * 15 <= 1.5)
        assert.ok(isDrawn, `${px}, ${py}`)
      }
    }),
  )
})

test('draws only selected points with both values', () => {
  const xs = Float64Array.of(0.1, 0.5, Number.NaN, 0.9)
  const ys = Float64Array.of(0.1, Number.NaN, 0.5, 0.9)
  assert.deepEqual([...thinPoints(xs, ys, () => true, window).x], [0.1, 0.9])
  assert.deepEqual([...thinPoints(xs, ys, i => i > 0, window).x], [0.9])
})
