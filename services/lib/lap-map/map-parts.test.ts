import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { altitudeM, clampRangeM } from './clamps.ts'
import { connectors } from './connectors.ts'
import { distanceGrid } from './distance-grid.ts'
import { latOfMercatorY, lonOfMercatorX, mercatorX, mercatorY } from './mercator.ts'
import { indexSamples } from './nearest-sample.ts'
import { knownPositions } from './positions.ts'

const places = fc.array(
  fc.record({
    lat: fc.oneof(fc.double({ min: 51, max: 51.1, noNaN: true }), fc.constant(Number.NaN)),
    lon: fc.double({ min: 179.95, max: 180.05, noNaN: true }).map(lon => (lon >= 180 ? lon - 360 : lon)),
  }),
  { maxLength: 60 },
)

test('finds the nearest sample, as a search through all of them does', () => {
  const query = fc.record({
    lat: fc.double({ min: 50.9, max: 51.2, noNaN: true }),
    lon: fc.double({ min: 179.9, max: 180.1, noNaN: true }).map(lon => (lon >= 180 ? lon - 360 : lon)),
  })
  fc.assert(
    fc.property(places, query, (samples, place) => {
      const positions = knownPositions({
        lat: samples.map(({ lat }) => lat),
        lon: samples.map(({ lon }) => lon),
      })
      const found = indexSamples(positions, 0, samples.length - 1)(place)
      const squareTo = (i: number) => {
        const turned = Math.abs(mercatorX(positions.lon[i]!) - mercatorX(place.lon)) % 1
        const x = Math.min(turned, 1 - turned)
        return x ** 2 + (mercatorY(positions.lat[i]!) - mercatorY(place.lat)) ** 2
      }
      const known = samples.flatMap(({ lat }, i) => (Number.isNaN(lat) ? [] : [i]))
      if (known.length === 0) assert.equal(found, -1)
      else assert.ok(squareTo(found) <= Math.min(...known.map(squareTo)) + 1e-18)
    }),
  )
})

test('finds only samples of the given range', () => {
  const positions = knownPositions({ lat: [51, 51, 51, 51], lon: [1, 2, 3, 4] })
  const nearest = indexSamples(positions, 1, 2)
  assert.deepEqual([nearest({ lat: 51, lon: 0 }), nearest({ lat: 51, lon: 9 })], [1, 2])
})

test('connects only samples that exist and have a position', () => {
  const positions = knownPositions({ lat: [51, 51.1, Number.NaN], lon: [1, 2, 3] })
  const pairs = [
    [0, 1],
    [0, 2],
    [1, 3],
    [-1, 0],
    [0.5, 1],
  ] as const
  assert.deepEqual(connectors(positions, pairs), [{ lat: [51, 51.1], lon: [1, 2] }])
})

test('draws a grid of round distances beyond the bounds, with few lines', () => {
  const lats = fc.double({ min: -84, max: 84, noNaN: true })
  fc.assert(
    fc.property(lats, fc.double({ min: 0.001, max: 0.5, noNaN: true }), (lat, size) => {
      const bounds = { north: lat + size, south: lat, east: 10 + size, west: 10 }
      const { spacingM, lines } = distanceGrid(bounds)
      assert.match(String(spacingM), /^[125]0+$/)
      assert.ok(lines.length > 6 && lines.length <= 2 * (2 * 3 * 12 + 1), `${lines.length} lines`)
      const lons = lines.flatMap(line => line.map(([lon]) => lon))
      assert.ok(Math.min(...lons) < bounds.west && Math.max(...lons) > bounds.east)
    }),
  )
})

test('converts a place to the Mercator map and back', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -85, max: 85, noNaN: true }),
      fc.double({ min: -180, max: 180, noNaN: true }),
      (lat, lon) => {
        assert.ok(Math.abs(latOfMercatorY(mercatorY(lat)) - lat) < 1e-9)
        assert.ok(Math.abs(lonOfMercatorX(mercatorX(lon)) - lon) < 1e-9)
      },
    ),
  )
  assert.deepEqual([mercatorY(90), mercatorY(-90)], [mercatorY(85.051129), mercatorY(-85.051129)])
})

test('keeps the range of the camera within 300 and 20000 m, and counts a missing altitude as 0', () => {
  assert.deepEqual([0, 300, 5000, 20_000, 1e9].map(clampRangeM), [300, 300, 5000, 20_000, 20_000])
  const altitudes = [12, Number.NaN, Number.POSITIVE_INFINITY, undefined].map(altitudeM)
  assert.deepEqual(altitudes, [12, 0, 0, 0])
})
