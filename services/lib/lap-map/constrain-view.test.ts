import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Bounds, widenBounds } from './bounds.ts'
import { constrainView, type FlatView, fitView, type ViewSize } from './constrain-view.ts'
import { FIT_PADDING } from './fit.ts'
import { mercatorX, mercatorY } from './mercator.ts'

const lap: Bounds = { north: 51.51, south: 51.49, east: -1.23, west: -1.27 }
const sizes: readonly ViewSize[] = [
  { width: 1200, height: 800 },
  { width: 500, height: 800 },
  { width: 320, height: 192 },
]

const boxes = fc
  .record({
    lat: fc.double({ min: -84, max: 84, noNaN: true }),
    lon: fc.double({ min: -180, max: 180, noNaN: true }),
    size: fc.double({ min: 0.001, max: 0.5, noNaN: true }),
  })
  .map(({ lat, lon, size }): Bounds => ({ north: lat + size, south: lat, east: lon + size, west: lon }))

/** Returns the edges of a view on a Mercator map with the width of 1. */
function edgesOf({ lat, lon, zoom }: FlatView, { width, height }: ViewSize) {
  const pixel = 1 / (512 * 2 ** zoom)
  const [x, y] = [mercatorX(lon), mercatorY(lat)]
  return {
    left: x - (width / 2) * pixel,
    right: x + (width / 2) * pixel,
    top: y - (height / 2) * pixel,
    bottom: y + (height / 2) * pixel,
    pixel,
  }
}

test('fits the whole lap with 20 px around it', () => {
  fc.assert(
    fc.property(boxes, fc.constantFrom(...sizes), (bounds, size) => {
      const { left, right, top, bottom, pixel } = edgesOf(fitView(bounds, size), size)
      const gaps = {
        x: [mercatorX(bounds.west) - left, right - mercatorX(bounds.east)],
        y: [mercatorY(bounds.north) - top, bottom - mercatorY(bounds.south)],
      }
      const pixels = [...gaps.x, ...gaps.y].map(gap => gap / pixel)
      assert.ok(Math.abs(Math.min(...pixels) - FIT_PADDING) < 0.01, pixels.join(' '))
    }),
  )
})

test('leaves the fitted view as it is', () => {
  for (const size of sizes) {
    const fitted = fitView(lap, size)
    const kept = constrainView(fitted, lap, size)
    assert.equal(kept.zoom, fitted.zoom)
    assert.ok(Math.abs(kept.lat - fitted.lat) < 1e-9 && Math.abs(kept.lon - fitted.lon) < 1e-9)
  }
})

test('zooms out by one level from the fitted view', () => {
  for (const size of sizes) {
    assert.equal(constrainView({ lat: 0, lon: 0, zoom: 3 }, lap, size).zoom, fitView(lap, size).zoom - 1)
  }
})

test('shows either only the bounds with 4 % around them, or all of them', () => {
  const views = fc.record({
    lat: fc.double({ min: -90, max: 90, noNaN: true }),
    lon: fc.double({ min: -540, max: 540, noNaN: true }),
    zoom: fc.double({ min: -2, max: 24, noNaN: true }),
  })
  fc.assert(
    fc.property(views, boxes, fc.constantFrom(...sizes), (view, bounds, size) => {
      const constrained = constrainView(view, bounds, size)
      const turns = Math.round(((bounds.east + bounds.west) / 2 - constrained.lon) / 360)
      const kept = { ...constrained, lon: constrained.lon + 360 * turns }
      const { left, right, top, bottom } = edgesOf(kept, size)
      const outer = widenBounds(bounds, 0.04)
      const inner = widenBounds(bounds, 0.02)
      const [west, east] = [mercatorX(outer.west), mercatorX(outer.east)]
      const [north, south] = [mercatorY(outer.north), mercatorY(outer.south)]
      const slack = 1e-9
      assert.ok(
        (left >= west - slack && right <= east + slack) || (left <= west + slack && right >= east - slack),
      )
      assert.ok(
        (top >= north - slack && bottom <= south + slack) ||
          (top <= north + slack && bottom >= south - slack),
      )
      assert.ok(kept.lon >= inner.west - slack && kept.lon <= inner.east + slack)
      assert.ok(kept.zoom >= view.zoom)
    }),
  )
})

test('keeps the middle of the view while it is allowed', () => {
  const size = { width: 500, height: 300 }
  const view = { lat: 51.5, lon: -1.25, zoom: 18 }
  const kept = constrainView(view, lap, size)
  assert.equal(kept.zoom, 18)
  assert.ok(Math.abs(kept.lat - view.lat) < 1e-9 && Math.abs(kept.lon - view.lon) < 1e-9)
})

test('lets the middle leave the bounds by 2 %, and the edge of the view by 4 %, and no further', () => {
  const size = { width: 400, height: 400 }
  const [west, east] = [mercatorX(lap.west), mercatorX(lap.east)]
  const [north, south] = [mercatorY(lap.north), mercatorY(lap.south)]
  // The height of the view as a share of the bounds' height: less than 4 % of it is on each side of the middle.
  for (const share of [0.01, 0.1]) {
    const zoom = Math.log2(400 / (512 * share * (south - north)))
    const { left, right, top, bottom } = edgesOf(constrainView({ lat: 60, lon: 20, zoom }, lap, size), size)
    const [middle, edge] = [((left + right) / 2 - east) / (east - west), (right - east) / (east - west)]
    const above = [(north - (top + bottom) / 2) / (south - north), (north - top) / (south - north)]
    const near = (found: number, wanted: number) =>
      assert.ok(Math.abs(found - wanted) < 2e-4, `${found} instead of ${wanted}`)
    if (share === 0.01) {
      near(middle, 0.02)
      near(above[0]!, 0.02)
    } else {
      near(edge, 0.04)
      near(above[1]!, 0.04)
    }
  }
})
