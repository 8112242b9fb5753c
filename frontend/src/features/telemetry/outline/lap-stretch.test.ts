import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cornerMarks, incidentMarks, stretchBox } from './lap-stretch.ts'
import type { OutlineGeometry } from './outline-geometry.ts'

/** Returns points of a lap, one every 10 m. */
function aGeometry(points: readonly (readonly [number, number])[]): OutlineGeometry {
  return {
    plane: { lat: 0, lon: 0, middleX: 0, middleY: 0 },
    rowStart: 40,
    x: Float64Array.from(points, ([x]) => x),
    y: Float64Array.from(points, ([, y]) => y),
    breaks: new Uint8Array(points.length),
    halfWidth: 10,
    halfHeight: 10,
    known: points.length,
  }
}

const metres = Float64Array.of(0, 10, 20, 30, 40)

test('holds what was driven between its ends, and nothing without a position', () => {
  const geometry = aGeometry([
    [0, 0],
    [10, 2],
    [Number.NaN, Number.NaN],
    [12, -6],
    [50, 50],
  ])
  assert.deepEqual(stretchBox(geometry, metres, { minM: 5, maxM: 35 }), {
    minX: 10,
    maxX: 12,
    minY: -6,
    maxY: 2,
  })
  assert.equal(stretchBox(geometry, metres, { minM: 41, maxM: 60 }), null)
})

test('places a corner’s number on the side that the corner turns away from', () => {
  // Up the screen, around to the right, down again: it turns to the right around (5, 0).
  const geometry = aGeometry([
    [0, 10],
    [0, 5],
    [5, -5],
    [10, 5],
    [10, 10],
  ])
  const [mark] = cornerMarks(geometry, metres, [
    { name: 'Turn 1', label: '1', startM: 0, apexM: 20, endM: 40 },
  ])
  assert.deepEqual(mark, { x: 5, y: -5, awayX: 0, awayY: -1 })
})

test('has no number for a lap without positions, or a corner without a direction', () => {
  const corner = { name: 'Turn 1', label: '1', startM: 0, apexM: 20, endM: 40 }
  const nowhere = aGeometry(Array.from({ length: 5 }, () => [Number.NaN, Number.NaN] as const))
  const still = aGeometry(Array.from({ length: 5 }, () => [3, 3] as const))
  assert.deepEqual(cornerMarks(nowhere, metres, [corner]), [null])
  assert.deepEqual(cornerMarks(still, metres, [corner]), [null])
})

const off = { name: 'Off in Turn 1', label: 'Off', of: 'lap', startM: 10, endM: 30, lossS: 2.159 } as const

test('marks an incident on its part of the road, with its loss on the outer side of the lap', () => {
  // Along the upper edge of the lap, to the right.
  const geometry = aGeometry([
    [-20, -8],
    [-10, -8],
    [0, -8],
    [10, -8],
    [20, -8],
  ])
  const [mark] = incidentMarks(geometry, metres, [off])
  assert.deepEqual(
    { ...mark, awayX: mark!.awayX + 0, awayY: mark!.awayY + 0 },
    { label: 'Off +2.159', of: 'lap', from: 1, to: 3, x: 0, y: -8, awayX: 0, awayY: -1 },
  )
})

test('marks a contact although it takes no distance, and nothing without positions', () => {
  const geometry = aGeometry([
    [-2, -8],
    [-1, -8],
    [0, -8],
    [1, -8],
    [2, -8],
  ])
  const close = Float64Array.of(16, 18, 20, 22, 24)
  const [mark] = incidentMarks(geometry, close, [{ ...off, startM: 20, endM: 20 }])
  assert.ok(mark!.from < mark!.to)
  const nowhere = aGeometry(Array.from({ length: 5 }, () => [Number.NaN, Number.NaN] as const))
  assert.deepEqual(incidentMarks(nowhere, metres, [off]), [])
})
