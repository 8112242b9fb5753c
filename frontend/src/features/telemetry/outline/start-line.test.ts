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

test('puts a complete lap’s line at its first sample, in the driving direction', () => {
  const { line, geometry } = lineOf(1)
  assert.deepEqual([line?.x, line?.y], [geometry.x[0], geometry.y[0]])
  const ahead = Math.atan2(geometry.y[30]! - geometry.y[0]!, geometry.x[30]! - geometry.x[0]!)
  assert.ok(Math.abs(line!.heading - ahead) < 0.1)
})

test('ends an out lap at the line', () => {
  const { line, geometry } = lineOf(0)
  assert.deepEqual([line?.x, line?.y], [geometry.x.at(-1), geometry.y.at(-1)])
})

test('finds the same direction on both laps', () => {
  assert.ok(Math.abs(lineOf(0).line!.heading - lineOf(1).line!.heading) < 0.2)
})

test('has the outside of an anticlockwise lap on the right', () => {
  assert.equal(lineOf(1).line!.outside, 1)
})

test('has no line for a part of a lap that never came to it', () => {
  const { lap } = lineOf(1)
  assert.equal(lineOf(1, { row_start: lap.row_start + 1000, row_end: lap.row_end - 1000 }).line, null)
})
