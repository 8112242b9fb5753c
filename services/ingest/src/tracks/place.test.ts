import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { agreedPlace, isSamePlace, type Place } from './place.ts'

const summit: Place = { lat: 39.2337, lon: -77.9757, lengthM: 3_168 }
/** Some 300 m north. */
const near: Place = { ...summit, lat: summit.lat + 0.0027 }
const lagunaSeca: Place = { lat: 36.5842, lon: -121.7534, lengthM: 3_602 }

test('laps are of one track where line and length are about the same', () => {
  assert.equal(isSamePlace(summit, near), true)
  assert.equal(isSamePlace(summit, lagunaSeca), false)
  assert.equal(isSamePlace(summit, { ...summit, lat: summit.lat + 0.0054 }), false)
  assert.equal(isSamePlace(summit, { ...summit, lon: summit.lon + 0.0054 }), true)
  assert.equal(isSamePlace(summit, { ...summit, lengthM: 1.04 * summit.lengthM }), true)
  assert.equal(isSamePlace(summit, { ...summit, lengthM: 1.06 * summit.lengthM }), false)
})

test('the meridian at which degrees begin anew divides no track', () => {
  const east = { lat: 0, lon: 179.9999, lengthM: 1_000 }
  assert.equal(isSamePlace(east, { ...east, lon: -179.9999 }), true)
  assert.equal(isSamePlace(east, { ...east, lon: 0 }), false)
})

test('a place that is no number is nowhere', () => {
  for (const field of ['lat', 'lon', 'lengthM'] as const) {
    assert.equal(isSamePlace(summit, { ...summit, [field]: Number.NaN }), false)
    assert.equal(isSamePlace({ ...summit, [field]: Number.NaN }, summit), false)
  }
})

test('a track is where three drivers and more than half of all say', () => {
  assert.equal(agreedPlace([]), null)
  assert.equal(agreedPlace([summit, summit]), null)
  assert.deepEqual(agreedPlace([lagunaSeca, summit, near, summit]), summit)
  assert.equal(agreedPlace([lagunaSeca, summit, lagunaSeca, summit, summit, lagunaSeca]), null)
  assert.deepEqual(agreedPlace([lagunaSeca, summit, lagunaSeca, summit, summit]), summit)
})

test('in whatever order they came, the same track is found', () => {
  const places = [summit, near, summit, lagunaSeca, lagunaSeca]
  fc.assert(
    fc.property(fc.shuffledSubarray(places, { minLength: 5 }), shuffled => {
      const found = agreedPlace(shuffled)
      assert.ok(found !== null && isSamePlace(found, summit))
    }),
  )
})
