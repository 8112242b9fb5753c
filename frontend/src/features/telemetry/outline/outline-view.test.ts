import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  FITTED_VIEW,
  focusOutline,
  formatZoom,
  panOutline,
  viewedTransform,
  zoomOutline,
} from './outline-view.ts'

const fit = { scale: 0.5, middleX: 300, middleY: 200 }

test('keeps the zoom within 0.6 and 4', () => {
  assert.equal(zoomOutline(FITTED_VIEW, 100, fit, 0, 0).zoom, 4)
  assert.equal(zoomOutline(FITTED_VIEW, 0.01, fit, 0, 0).zoom, 0.6)
})

test('keeps the point under the pointer in place while zooming', () => {
  const pixel = fc.integer({ min: -600, max: 600 })
  fc.assert(
    fc.property(
      pixel,
      pixel,
      pixel,
      pixel,
      fc.double({ min: 0.2, max: 5, noNaN: true }),
      (panX, panY, x, y, factor) => {
        const before = { zoom: 1.3, panX, panY }
        const metre = (view: typeof before) => {
          const { scale, middleX, middleY } = viewedTransform(fit, view)
          return [(x - middleX) / scale, (y - middleY) / scale] as const
        }
        const [wasX, wasY] = metre(before)
        const [isX, isY] = metre(zoomOutline(before, factor, fit, x, y))
        assert.ok(Math.abs(wasX - isX) < 1e-6 && Math.abs(wasY - isY) < 1e-6)
      },
    ),
  )
})

test('keeps the lap in view while dragging', () => {
  const extent = { halfWidthPx: 200, halfHeightPx: 100 }
  assert.deepEqual(panOutline({ zoom: 2, panX: 0, panY: 0 }, 9999, -9999, extent), {
    zoom: 2,
    panX: 400,
    panY: -200,
  })
})

test('shows the zoom with one decimal', () => {
  assert.equal(formatZoom(1), '1.0×')
  assert.equal(formatZoom(1.5625), '1.6×')
})

test('centres a focused part, complete and as large as the zoom allows', () => {
  const coordinate = fc.double({ min: -500, max: 500, noNaN: true })
  const size = fc.double({ min: 0, max: 900, noNaN: true })
  fc.assert(
    fc.property(coordinate, coordinate, size, size, (minX, minY, width, height) => {
      const view = focusOutline({ minX, maxX: minX + width, minY, maxY: minY + height }, fit, 600, 400)
      assert.ok(view.zoom >= 0.6 && view.zoom <= 4)
      const { scale, middleX, middleY } = viewedTransform(fit, view)
      assert.ok(Math.abs(middleX + scale * (minX + width / 2) - 300) < 1e-6)
      assert.ok(Math.abs(middleY + scale * (minY + height / 2) - 200) < 1e-6)
      if (view.zoom > 0.6) assert.ok(scale * width <= 600 && scale * height <= 400)
    }),
  )
})
