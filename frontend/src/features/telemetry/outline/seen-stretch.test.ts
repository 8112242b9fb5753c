import assert from 'node:assert/strict'
import { test } from 'node:test'
import { projectLap } from './outline-geometry.ts'
import { seenStretch } from './seen-stretch.ts'

/** A road of 1000 m to the east in steps of 10 m, and back 200 m farther south. */
const east = (i: number) => (i <= 100 ? i * 10 : 2010 - i * 10)
const rows = 202
const lat = Float64Array.from({ length: rows }, (_, i) => (i <= 100 ? 0 : -200 / 111_132))
const lon = Float64Array.from({ length: rows }, (_, i) => east(i) / 111_320)
const metres = Float64Array.from({ length: rows }, (_, i) => i * 10)
const timeS = Float64Array.from({ length: rows }, (_, i) => i * 3)
const geometry = projectLap(lat, lon, timeS, 0, rows - 1)
/** Shows 200 m by 100 m around a place of the upper road, at 2 px/m. */
const around = (i: number) => ({
  scale: 2,
  middleX: 200 - geometry.x[i]! * 2,
  middleY: 100 - geometry.y[i]! * 2,
})

test('returns what the canvas shows of the road around its middle', () => {
  const seen = seenStretch(geometry, metres, 50, around(50), 400, 200)!
  assert.ok(Math.abs(seen.minM - 400) <= 10 && Math.abs(seen.maxM - 600) <= 10, JSON.stringify(seen))
})

test('leaves out a part of the lap that is in sight, but not on the way', () => {
  const both = { ...around(50), middleY: 300 }
  const seen = seenStretch(geometry, metres, 50, both, 400, 600)!
  assert.ok(seen.maxM < 620)
})

test('ends at a break, and skips rows without a position', () => {
  const broken = { ...geometry, breaks: geometry.breaks.slice(), x: geometry.x.slice() }
  broken.breaks[55] = 1
  broken.x[47] = Number.NaN
  assert.deepEqual(seenStretch(broken, metres, 50, around(50), 400, 200), { minM: 400, maxM: 540 })
})

test('returns null if the road is out of sight', () => {
  assert.equal(seenStretch(geometry, metres, 90, around(10), 400, 200), null)
  assert.equal(seenStretch(geometry, metres, -1, around(10), 400, 200), null)
})
