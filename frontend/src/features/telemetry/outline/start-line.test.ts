import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPreview } from '#testing/a-preview.ts'
import { projectLap } from './outline-geometry.ts'
import { findStartLine } from './start-line.ts'

function lineOf(lapIndex: number, rows?: { row_start: number; row_end: number }) {
  const preview = aPreview()
  const lap = { ...preview.laps[lapIndex]!, ...rows }
  const geometry = projectLap(preview.lat, preview.lon, preview.sessionTime, lap.row_start, lap.row_end)
  return { line: findStartLine({ role: 'lap', name: 'Lap 2', preview, lap }, geometry), geometry, lap }
}

test('a complete lap has its line at its first sample, pointing the way it drives', () => {
  const { line, geometry } = lineOf(1)
  assert.deepEqual([line?.x, line?.y], [geometry.x[0], geometry.y[0]])
  const ahead = Math.atan2(geometry.y[30]! - geometry.y[0]!, geometry.x[30]! - geometry.x[0]!)
  assert.ok(Math.abs(line!.heading - ahead) < 0.1)
})

test('an out lap ends at the line', () => {
  const { line, geometry } = lineOf(0)
  assert.deepEqual([line?.x, line?.y], [geometry.x.at(-1), geometry.y.at(-1)])
})

test('both laps agree which way the track runs there', () => {
  assert.ok(Math.abs(lineOf(0).line!.heading - lineOf(1).line!.heading) < 0.2)
})

test('a lap driven anticlockwise has its outside on the right', () => {
  assert.equal(lineOf(1).line!.outside, 1)
})

test('a stretch that never came to the line has none', () => {
  const { lap } = lineOf(1)
  assert.equal(lineOf(1, { row_start: lap.row_start + 1000, row_end: lap.row_end - 1000 }).line, null)
})
