import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  fitOutline,
  fittedView,
  formatZoom,
  panOutline,
  viewedTransform,
  zoomOutline,
} from './outline-view.ts'

const fit = { scale: 0.5, x: 30, y: -20 }
const fitted = fittedView(fit)

test('keeps the zoom within 0.6 and 4 of what is fitted', () => {
  assert.equal(zoomOutline(fitted, 100, fit, 0, 0).zoom, 4)
  assert.equal(zoomOutline(fitted, 0.01, fit, 0, 0).zoom, 0.6)
})

test('keeps the point under the pointer in place while zooming', () => {
  const number = fc.integer({ min: -600, max: 600 })
  const zoom = fc.double({ min: 0.2, max: 5, noNaN: true })
  fc.assert(
    fc.property(number, number, number, number, zoom, (x, y, pointX, pointY, factor) => {
      const before = { zoom: 1.3, x, y }
      const metre = (view: typeof before) => {
        const { scale, middleX, middleY } = viewedTransform(fit, view, 600, 400)
        return [(300 + pointX - middleX) / scale, (200 + pointY - middleY) / scale] as const
      }
      const [wasX, wasY] = metre(before)
      const [isX, isY] = metre(zoomOutline(before, factor, fit, pointX, pointY))
      assert.ok(Math.abs(wasX - isX) < 1e-6 && Math.abs(wasY - isY) < 1e-6)
    }),
  )
})

test('moves with the pointer, and keeps the lap in view', () => {
  const extent = { halfWidth: 200, halfHeight: 100 }
  assert.deepEqual(panOutline({ zoom: 2, x: 10, y: 0 }, 30, -40, fit, extent), { zoom: 2, x: -20, y: 40 })
  assert.deepEqual(panOutline({ zoom: 2, x: 0, y: 0 }, 9999, -9999, fit, extent), {
    zoom: 2,
    x: -200,
    y: 100,
  })
})

test('shows the zoom with one decimal', () => {
  assert.equal(formatZoom(1), '1.0×')
  assert.equal(formatZoom(1.5625), '1.6×')
})

test('fits a part in the middle, with a margin of 20 px on its longer side', () => {
  const coordinate = fc.double({ min: -500, max: 500, noNaN: true })
  const size = fc.double({ min: 0, max: 900, noNaN: true })
  fc.assert(
    fc.property(coordinate, coordinate, size, size, (minX, minY, width, height) => {
      const part = fitOutline({ minX, maxX: minX + width, minY, maxY: minY + height }, 600, 400)
      const { scale, middleX, middleY } = viewedTransform(part, fittedView(part), 600, 400)
      assert.ok(Math.abs(middleX + scale * (minX + width / 2) - 300) < 1e-6)
      assert.ok(Math.abs(middleY + scale * (minY + height / 2) - 200) < 1e-6)
      const [freeX, freeY] = [600 - scale * width, 400 - scale * height]
      assert.ok(freeX >= 40 - 1e-6 && freeY >= 40 - 1e-6)
      // It fills the canvas, unless it is smaller than a hairpin.
      if (Math.min(width, height) >= 30) assert.ok(Math.min(freeX, freeY) < 40 + 1e-6)
    }),
  )
})

test('draws a car that never moved at a usable scale', () => {
  const nowhere = { minX: 0, maxX: 0, minY: 0, maxY: 0 }
  assert.equal(fitOutline(nowhere, 340, 240, 100).scale, 2)
})
