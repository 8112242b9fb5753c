import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TrackSurface } from '@lapwing/lap-map/ground'
import { groundUniforms, roadMesh } from './ground-mesh.ts'

/** A straight road of four points, 10 m apart, where two laps lie as far apart as given. */
function road(spread: readonly number[]): TrackSurface {
  const of = (value: (i: number) => number) => Float32Array.from(spread, (_, i) => value(i))
  const none = of(() => 0)
  return {
    x: of(i => 10 * i),
    y: none,
    z: none,
    leftX: none,
    leftZ: of(() => -1),
    toLeft: of(() => 5),
    toRight: of(() => 5),
    spread: of(i => spread[i]!),
    share: of(i => i / spread.length),
    stepM: 10,
    isClosed: false,
  } as unknown as TrackSurface
}

test('has kerbs where the laps differ, on both sides of the road', () => {
  const { geometry } = roadMesh(road([0, 0.4, 6, 12]), groundUniforms())
  assert.deepEqual([...geometry.getAttribute('kerb').array], [0, 0, 0, 0, 1, 1, 1, 1])
})
