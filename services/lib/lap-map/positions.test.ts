import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { boundsOf, widenBounds } from './bounds.ts'
import { knownPositions } from './positions.ts'

const wholeLap = (samples: number) => [{ row_start: 0, row_end: samples - 1 }]

test('keeps a track on the 180th meridian in one piece', () => {
  const lon = [179.998, 179.999, -180, -179.999, -179.998]
  const positions = knownPositions({ lat: lon.map(() => -17), lon })
  assert.deepEqual(
    [...positions.lon].map(value => Math.round(value * 1000) / 1000),
    [179.998, 179.999, 180, 180.001, 180.002],
  )
  const { west, east } = boundsOf(positions, wholeLap(5))!
  assert.ok(Math.abs(west - 179.998) < 1e-9 && Math.abs(east - 180.002) < 1e-9)
})

test('changes a longitude by whole turns only, to within half a turn of the first', () => {
  const lon = fc.double({ min: -360, max: 360, noNaN: true })
  fc.assert(
    fc.property(fc.array(lon, { minLength: 1 }), lons => {
      const known = knownPositions({ lat: lons.map(() => 0), lon: lons })
      for (const [i, value] of known.lon.entries()) {
        assert.ok(Math.abs(value - known.lon[0]!) <= 180 + 1e-9)
        const turns = (value - lons[i]!) / 360
        assert.ok(Math.abs(turns - Math.round(turns)) < 1e-9)
      }
    }),
  )
})

test('turns samples without a place on Earth into NaN', () => {
  const lat = [Number.NaN, 51, 91, -90.1, 51, Number.POSITIVE_INFINITY, 52]
  const lon = [0, Number.NaN, 0, 0, 1e9, 0, 0]
  const positions = knownPositions({ lat, lon })
  assert.deepEqual([...positions.lat], [...Array(6).fill(Number.NaN), 52])
  assert.equal(positions.known, 1)
})

test('gives bounds that hold every sample, and at least 100 m', () => {
  const place = fc.record({
    lat: fc.double({ min: -84, max: 84, noNaN: true }),
    lon: fc.double({ min: -180, max: 180, noNaN: true }),
  })
  fc.assert(
    fc.property(fc.array(place, { minLength: 1 }), places => {
      const positions = knownPositions({
        lat: places.map(({ lat }) => lat),
        lon: places.map(({ lon }) => lon),
      })
      const bounds = boundsOf(positions, wholeLap(places.length))!
      for (const [i, lat] of positions.lat.entries()) {
        assert.ok(lat <= bounds.north && lat >= bounds.south)
        assert.ok(positions.lon[i]! <= bounds.east && positions.lon[i]! >= bounds.west)
      }
      assert.ok((bounds.north - bounds.south) * 111_000 >= 100 - 1e-6)
    }),
  )
})

test('keeps bounds at the poles inside the map', () => {
  for (const lat of [90, 89.9, -89.9, -90]) {
    const bounds = boundsOf(knownPositions({ lat: [lat, lat], lon: [10, 11] }), wholeLap(2))!
    assert.ok(bounds.north > bounds.south)
    assert.ok(Math.max(Math.abs(bounds.north), Math.abs(bounds.south)) < 85.06)
  }
})

test('widens bounds by a share of their size on each side', () => {
  const widened = widenBounds({ north: 2, south: 1, east: 12, west: 10 }, 0.04)
  const rounded = Object.values(widened).map(value => Math.round(value * 100) / 100)
  assert.deepEqual(rounded, [2.04, 0.96, 12.08, 9.92])
})
