import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { localFrame, meanAltitudeM, roadHeights, terrainAround, trackSurfaces } from './ground.ts'
import { knownPositions } from './positions.ts'

test('a frame has its place in the middle, metres along its axes, and the curve of the Earth', () => {
  const frame = localFrame(52, -1, 150)
  for (const value of frame.toLocal(52, -1, 150)) assert.ok(Math.abs(value) < 1e-6)
  const [, up] = frame.toLocal(52, -1, 250)
  assert.ok(Math.abs(up - 100) < 1e-6)
  // A minute of latitude is near a nautical mile, 1,852 m.
  const [x, y, z] = frame.toLocal(52 + 1 / 60, -1, 150)
  assert.ok(Math.abs(x) < 1e-6 && z < 0 && Math.abs(-z - 1854) < 2, `${x} ${z}`)
  assert.ok(y < -0.2 && y > -0.35, `${y}`)
  const [east] = frame.toLocal(52, -0.99, 150)
  assert.ok(east > 680 && east < 692, `${east}`)
})

test('a frame keeps distances, at poles and on the 180th meridian too', () => {
  const lat = fc.double({ min: -89.9, max: 89.9, noNaN: true })
  const lon = fc.double({ min: -180, max: 540, noNaN: true })
  fc.assert(
    fc.property(lat, lon, lat, lon, (atLat, atLon, lat2, lon2) => {
      const one = localFrame(atLat, atLon, 0).toLocal(lat2, lon2, 0)
      const other = localFrame(lat2, lon2, 0).toLocal(atLat, atLon, 0)
      const difference = Math.hypot(...one) - Math.hypot(...other)
      assert.ok(Math.abs(difference) < 1e-3, `${difference}`)
    }),
  )
})

test('a point of the frame is where its place is on Earth', () => {
  const frame = localFrame(47.2, 14.76, 700)
  const at = frame.toLocal(47.25, 14.8, 760)
  const middle = frame.fromLocal(0, 0, 0)
  const there = frame.fromLocal(...at)
  const other = localFrame(47.25, 14.8, 760).fromLocal(0, 0, 0)
  there.forEach((value, i) => {
    assert.ok(Math.abs(value - other[i]!) < 1e-3)
  })
  // The Earth is 6,378 km at the equator, and 22 km less at a pole.
  assert.ok(Math.hypot(...middle) > 6_356_000 && Math.hypot(...middle) < 6_379_000)
})

const ROWS = 600

/** A ring of 1,900 m around a place, driven `besideM` to the left of the first lap. */
function ring(besideM: number, { alt = (share: number) => 100 + 10 * Math.sin(2 * Math.PI * share) } = {}) {
  const share = Float64Array.from({ length: ROWS }, (_, i) => i / ROWS)
  // Anticlockwise, so that the left is the middle.
  const radius = (300 - besideM) / 111_195
  return {
    lat: share.map(part => 50 + radius * Math.sin(2 * Math.PI * part)),
    lon: share.map(part => 8 + (radius * Math.cos(2 * Math.PI * part)) / Math.cos((50 * Math.PI) / 180)),
    alt: share.map(alt),
    share,
  }
}

function laps(...rings: ReturnType<typeof ring>[]) {
  const join = (column: 'lat' | 'lon' | 'alt' | 'share') =>
    Float64Array.from(rings.flatMap(of => [...of[column]]))
  const rows = rings.map((_, i) => ({ row_start: i * ROWS, row_end: (i + 1) * ROWS - 1 }))
  const alt = join('alt')
  return {
    frame: localFrame(50, 8, meanAltitudeM(alt, rows[0]!)),
    positions: knownPositions({ lat: join('lat'), lon: join('lon') }),
    alt,
    share: join('share'),
    guide: rows[0]!,
    laps: rows,
  }
}

test('the road follows the lap and its altitude, and is closed', () => {
  const [surface, ...others] = trackSurfaces(laps(ring(0)))
  assert.equal(others.length, 0)
  assert.equal(surface!.isClosed, true)
  for (let i = 0; i < surface!.x.length; i++) {
    assert.ok(Math.abs(Math.hypot(surface!.x[i]!, surface!.z[i]!) - 300) < 2)
    assert.ok(Math.abs(surface!.y[i]! - 10 * Math.sin(2 * Math.PI * surface!.share[i]!)) < 0.6)
    assert.equal(surface!.toLeft[i], 5)
    assert.equal(surface!.toRight[i], 5)
  }
})

test('the road is as wide as the laps that came by, on their side', () => {
  const [surface] = trackSurfaces(laps(ring(0), ring(6)))
  const middle = Math.floor(surface!.x.length / 2)
  assert.ok(Math.abs(surface!.spread[middle]! - 6) < 0.4, `${surface!.spread[middle]}`)
  assert.ok(Math.abs(surface!.toLeft[middle]! - 7.6) < 0.4, `${surface!.toLeft[middle]}`)
  assert.equal(surface!.toRight[middle], 5)
})

test('a lap through the pit lane does not widen the road', () => {
  const [surface] = trackSurfaces(laps(ring(0), ring(40)))
  assert.ok(surface!.toLeft.every(metres => metres === 5))
})

test('the road ends where positions are missing, and continues behind', () => {
  const input = laps(ring(0))
  input.positions.lat.fill(Number.NaN, 200, 260)
  const pieces = trackSurfaces(input)
  assert.equal(pieces.length, 2)
  assert.ok(pieces.every(({ isClosed }) => !isClosed))
})

test('without altitudes the road is flat', () => {
  const [surface] = trackSurfaces(laps(ring(0, { alt: () => Number.NaN })))
  assert.ok(surface!.y.every(y => Math.abs(y) < 0.1))
})

test('one sample, two samples in one place, and no position make no road', () => {
  const input = laps(ring(0))
  assert.deepEqual(trackSurfaces({ ...input, guide: { row_start: 5, row_end: 5 } }), [])
  const still = { ...input, positions: knownPositions({ lat: [50, 50], lon: [8, 8] }) }
  assert.deepEqual(trackSurfaces({ ...still, guide: { row_start: 0, row_end: 1 }, laps: [] }), [])
  const nowhere = { ...input, positions: knownPositions({ lat: [Number.NaN], lon: [Number.NaN] }) }
  assert.deepEqual(trackSurfaces({ ...nowhere, laps: [] }), [])
  assert.equal(terrainAround([]), null)
})

test('a lap of 25 km has at most 2,500 points', () => {
  const rows = Array.from({ length: 3000 }, (_, i) => i / 3000)
  const lat = rows.map(part => 50 + 0.036 * Math.sin(2 * Math.PI * part))
  const lon = rows.map(part => 8 + 0.056 * Math.cos(2 * Math.PI * part))
  const guide = { row_start: 0, row_end: 2999 }
  const [surface] = trackSurfaces({
    frame: localFrame(50, 8, 0),
    positions: knownPositions({ lat, lon }),
    alt: rows,
    share: rows,
    guide,
    laps: [guide],
  })
  assert.ok(surface!.x.length <= 2501 && surface!.x.length > 2000)
})

test('the height of the road at a share is that of its points, and null without a road', () => {
  const surfaces = trackSurfaces(laps(ring(0)))
  const heightAt = roadHeights(surfaces)
  for (const share of [0.1, 0.25, 0.5, 0.9]) {
    assert.ok(Math.abs(heightAt(share)! - 10 * Math.sin(2 * Math.PI * share)) < 0.6, `${share}`)
  }
  assert.equal(heightAt(Number.NaN), null)
  assert.equal(roadHeights([])(0.5), null)
})

test('the land meets the road from below, and reaches the horizon', () => {
  const surfaces = trackSurfaces(laps(ring(0)))
  const { points, toRoad, side } = terrainAround(surfaces)!
  assert.equal(points.length, 3 * side * side)
  const heightAt = roadHeights(surfaces)
  let near = 0
  for (let i = 0; i < toRoad.length; i++) {
    assert.ok(Number.isFinite(points[3 * i + 1]!))
    if (toRoad[i]! > 12) continue
    near++
    const turn = Math.atan2(-points[3 * i + 2]!, points[3 * i]!) / (2 * Math.PI)
    const gap = points[3 * i + 1]! - heightAt((turn + 1) % 1)!
    assert.ok(gap < 0.5 && gap > -2, `${gap}`)
  }
  assert.ok(near > 20)
  assert.ok(points[0]! < -30_000 && points[3 * side * side - 3]! > 30_000)
})
