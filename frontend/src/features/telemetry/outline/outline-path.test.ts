import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVERYWHERE } from './outline-box.ts'
import type { OutlineGeometry } from './outline-geometry.ts'
import { type PathSink, writeLine, writeSegments } from './outline-path.ts'

/** Records "M0 L1" for a move to x 0 and a line to x 1. */
function recorder(): PathSink & { readonly text: () => string } {
  const parts: string[] = []
  return {
    moveTo: x => void parts.push(`M${x}`),
    lineTo: x => void parts.push(`L${x}`),
    text: () => parts.join(' '),
  }
}

function aGeometry(x: readonly number[], breaks: readonly number[] = [0]): OutlineGeometry {
  return {
    plane: { lat: 0, lon: 0, middleX: 0, middleY: 0 },
    rowStart: 100,
    x: Float64Array.from(x),
    y: new Float64Array(x.length),
    breaks: Uint8Array.from(x, (_, i) => (breaks.includes(i) ? 1 : 0)),
    halfWidth: 1,
    halfHeight: 1,
    known: x.length,
  }
}

test('leaves out points too near to be seen, but never the last one', () => {
  const path = recorder()
  writeLine(path, aGeometry([0, 0.2, 0.4, 1.1, 1.2, 1.3]), 0, 5, 1, EVERYWHERE)
  assert.equal(path.text(), 'M0 L1.1 L1.3')
})

test('lifts the pen where the car was towed', () => {
  const path = recorder()
  writeLine(path, aGeometry([0, 5, 5.5, 90, 95], [0, 3]), 0, 4, 1, EVERYWHERE)
  assert.equal(path.text(), 'M0 L5 L5.5 M90 L95')
})

test('skips rows without a position', () => {
  const path = recorder()
  writeLine(path, aGeometry([Number.NaN, 0, Number.NaN, 5]), 0, 3, 1, EVERYWHERE)
  assert.equal(path.text(), 'M0 L5')
})

test('leaves out what a box does not reach, but not a straight that crosses it', () => {
  const box = { minX: 20, maxX: 30, minY: -1, maxY: 1 }
  const path = recorder()
  writeLine(path, aGeometry([0, 10, 50, 60, 70, 25, 22, 5]), 0, 7, 1, box)
  assert.equal(path.text(), 'M10 L50 M70 L25 L22 L5')
  const away = recorder()
  writeLine(away, aGeometry([0, 10, 50]), 0, 2, 1, { ...box, minY: 5, maxY: 9 })
  assert.equal(away.text(), '')
})

test('continues a segment to the first sample of the next, but not past the requested end', () => {
  const segments = [
    { state: 'throttle', start: 100, end: 102 },
    { state: 'brake', start: 103, end: 104 },
  ] as const
  const geometry = aGeometry([0, 10, 20, 30, 40])
  const throttle = recorder()
  writeSegments(throttle, geometry, segments, 'throttle', 4, 1, EVERYWHERE)
  assert.equal(throttle.text(), 'M0 L10 L20 L30')
  const brake = recorder()
  writeSegments(brake, geometry, segments, 'brake', 4, 1, EVERYWHERE)
  assert.equal(brake.text(), 'M30 L40')
  const half = recorder()
  writeSegments(half, geometry, segments, 'throttle', 1, 1, EVERYWHERE)
  assert.equal(half.text(), 'M0 L10')
})

test('does not continue a segment across a break', () => {
  const path = recorder()
  const segments = [{ state: 'throttle', start: 100, end: 101 }] as const
  writeSegments(path, aGeometry([0, 10, 900], [0, 2]), segments, 'throttle', 2, 1, EVERYWHERE)
  assert.equal(path.text(), 'M0 L10')
})
