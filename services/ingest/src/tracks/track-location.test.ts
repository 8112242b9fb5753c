import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { agreedLocation, isSameLocation, type TrackLocation } from './track-location.ts'

const summit: TrackLocation = { lat: 39.2337, lon: -77.9757, lengthM: 3_168 }
/** Some 300 m north. */
const near: TrackLocation = { ...summit, lat: summit.lat + 0.0027 }
const lagunaSeca: TrackLocation = { lat: 36.5842, lon: -121.7534, lengthM: 3_602 }

test('treats laps with about the same line and length as of one track', () => {
  assert.equal(isSameLocation(summit, near), true)
  assert.equal(isSameLocation(summit, lagunaSeca), false)
  assert.equal(isSameLocation(summit, { ...summit, lat: summit.lat + 0.0054 }), false)
  assert.equal(isSameLocation(summit, { ...summit, lon: summit.lon + 0.0054 }), true)
  assert.equal(isSameLocation(summit, { ...summit, lengthM: 1.04 * summit.lengthM }), true)
  assert.equal(isSameLocation(summit, { ...summit, lengthM: 1.06 * summit.lengthM }), false)
})

test('treats a track across the 180th meridian as one', () => {
  const east = { lat: 0, lon: 179.9999, lengthM: 1_000 }
  assert.equal(isSameLocation(east, { ...east, lon: -179.9999 }), true)
  assert.equal(isSameLocation(east, { ...east, lon: 0 }), false)
})

test('matches no location that is not a number', () => {
  for (const field of ['lat', 'lon', 'lengthM'] as const) {
    assert.equal(isSameLocation(summit, { ...summit, [field]: Number.NaN }), false)
    assert.equal(isSameLocation({ ...summit, [field]: Number.NaN }, summit), false)
  }
})

test('agrees on the location of three votes and more than half of all', () => {
  assert.equal(agreedLocation([]), null)
  assert.equal(agreedLocation([summit, summit]), null)
  assert.deepEqual(agreedLocation([lagunaSeca, summit, near, summit]), summit)
  assert.equal(agreedLocation([lagunaSeca, summit, lagunaSeca, summit, summit, lagunaSeca]), null)
  assert.deepEqual(agreedLocation([lagunaSeca, summit, lagunaSeca, summit, summit]), summit)
})

test('finds the same location in any order of votes', () => {
  const places = [summit, near, summit, lagunaSeca, lagunaSeca]
  fc.assert(
    fc.property(fc.shuffledSubarray(places, { minLength: 5 }), shuffled => {
      const found = agreedLocation(shuffled)
      assert.ok(found !== null && isSameLocation(found, summit))
    }),
  )
})
