import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPositions } from './positions.ts'

const HZ = 60

/** Returns a car that goes north at a steady speed. */
function createDrive({ rows = 600, speedMps = 40, hz = HZ } = {}) {
  const timeS = Float64Array.from({ length: rows }, (_, row) => 100 + row / hz)
  const lat = Float64Array.from({ length: rows }, (_, row) => 50 + (row * speedMps) / hz / 111_195)
  const lon = new Float64Array(rows).fill(8)
  const speed = new Float32Array(rows).fill(speedMps)
  return { timeS, lat, lon, speed }
}

const absentRows = (drive: ReturnType<typeof createDrive>): number[] => {
  const positions = findPositions(drive)
  assert.ok(positions)
  return [...positions.lat].flatMap((value, row) => (Number.isNaN(value) ? [row] : []))
}

test('returns the channels as they are if every row has a position', () => {
  const drive = createDrive()
  const positions = findPositions(drive)
  assert.equal(positions?.lat, drive.lat)
  assert.equal(positions?.lon, drive.lon)
})

test('finds no position in rows at 0/0, rows that are not finite, and rows that are not on Earth', () => {
  for (const [lat, lon] of [
    [0, 0],
    [Number.NaN, 8],
    [50, Number.POSITIVE_INFINITY],
    [91, 8],
    [50, -1e300],
  ] as const) {
    const drive = createDrive()
    drive.lat[300] = lat
    drive.lon[300] = lon
    assert.deepEqual(absentRows(drive), [300], `${lat} ${lon}`)
    assert.equal(drive.lat[300], lat, 'the channel is not changed')
  }
})

test('finds positions on the equator and on the meridian of Greenwich', () => {
  const drive = createDrive()
  drive.lon.fill(0)
  assert.deepEqual(absentRows(drive), [])
  assert.deepEqual(absentRows({ ...drive, lat: drive.lat.map(value => value - 50), lon: drive.lat }), [])
})

test('finds no position in rows that repeat one while the car moves, at any tick rate', () => {
  for (const hz of [30, 60, 360]) {
    const drive = createDrive({ rows: 10 * hz, hz })
    drive.lat.fill(drive.lat[hz]!, hz, 6 * hz)
    const absent = absentRows(drive)
    assert.deepEqual([absent[0], absent.at(-1), absent.length], [hz, 6 * hz - 1, 5 * hz], `${hz} Hz`)
  }
})

test('finds the position of a parked car, and one that is late by a row', () => {
  const standing = createDrive()
  standing.lat.fill(50)
  standing.speed.fill(0.02)
  assert.deepEqual(absentRows(standing), [])
  const late = createDrive({ speedMps: 90 })
  late.lat[300] = late.lat[299]!
  assert.deepEqual(absentRows(late), [])
})

test('finds no positions if all are 0/0, not finite or frozen, or if a channel is missing', () => {
  const drive = createDrive()
  const all = (value: number) => new Float64Array(drive.lat.length).fill(value)
  assert.equal(findPositions({ ...drive, lat: all(0), lon: all(0) }), null)
  assert.equal(findPositions({ ...drive, lat: all(Number.NaN) }), null)
  assert.equal(findPositions({ ...drive, lat: all(50) }), null)
  assert.equal(findPositions({ ...drive, lat: null }), null)
  assert.equal(findPositions({ ...drive, lon: null }), null)
})
