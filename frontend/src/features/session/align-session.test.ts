import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeSampleSession } from '@lapwing/simulator/sample'
import { bytesSource, previewSession } from '@lapwing/telemetry'
import { MINI_SECTORS } from '@lapwing/telemetry/compare'
import { alignSession, STEPS } from './align-session.ts'
import { costliest, lossLevel } from './mini-sector-levels.ts'
import { neededOf } from './study-session.ts'

test('lines up every whole lap, from the part of the preview that a worker receives', async () => {
  const preview = await previewSession(bytesSource(makeSampleSession()))
  const { laps, meta } = preview
  const aligned = alignSession({ preview, laps, track: meta, corners: null })
  assert.equal(aligned.laps.length, laps.filter(({ is_completed }) => is_completed).length)
  assert.equal(aligned.outline.length, 2 * (STEPS * MINI_SECTORS + 1))
  assert.ok(aligned.corners.length > 5)
  assert.deepEqual(alignSession({ preview: neededOf(preview), laps, track: meta, corners: null }), aligned)
  const shown = aligned.corners.slice(0, 2)
  assert.deepEqual(alignSession({ preview, laps, track: meta, corners: shown }).corners, shown)
})

test('has nothing for a session without a whole lap', async () => {
  const preview = await previewSession(bytesSource(makeSampleSession()))
  const laps = preview.laps.filter(({ is_completed }) => !is_completed)
  const {
    corners,
    laps: aligned,
    outline,
  } = alignSession({ preview, laps, track: preview.meta, corners: null })
  assert.deepEqual([corners.length, aligned.length, outline.length], [0, 0, 0])
})

test('grades losses by what a driver can see, and names the costliest', () => {
  assert.deepEqual([-0.1, 0, 0.0004, 0.001, 0.02, 0.05, 0.1, 3].map(lossLevel), [0, 0, 0, 1, 2, 3, 4, 4])
  assert.deepEqual(costliest(Float64Array.of(0.01, 0.2, 0.03, 0.4, 0.02), 3), [3, 1, 2])
  assert.deepEqual(costliest(Float64Array.of(0, 0.01), 3), [])
})
