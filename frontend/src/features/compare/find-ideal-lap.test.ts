import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeSampleSession } from '@lapwing/simulator/sample'
import { bytesSource, type Preview, previewSession } from '@lapwing/telemetry'
import { findIdealLap, NO_PLACES, NONE_FASTER, TOO_FEW } from './find-ideal-lap.ts'

const sample = await previewSession(bytesSource(makeSampleSession()))

const pause = async () => {}

const find = (preview: Preview) => findIdealLap(preview, pause, new WeakMap())

test('finds a faster lap than the best in the parts of clean laps of one stint', async () => {
  const ideal = await find(sample)
  assert.ok(ideal.kind === 'found')
  const clean = sample.laps.filter(lap => lap.is_clean)
  assert.ok(ideal.parts.length > 1)
  assert.ok(ideal.parts.every(({ lap }) => clean.includes(lap)))
  assert.ok(ideal.track.timeMs < 1000 * Math.min(...clean.map(lap => lap.time_s!)))
})

test('says why a session has no ideal lap', async () => {
  const one = sample.laps.map((lap, i) => ({ ...lap, is_clean: i === 1 }))
  assert.deepEqual(await find({ ...sample, laps: one }), { kind: 'none', why: TOO_FEW })
  const lost = { ...sample, debug: { ...sample.debug, missing: ['lat', 'lon'] as const } }
  assert.deepEqual(await find(lost), { kind: 'none', why: NO_PLACES })
  const apart = { ...sample, lat: sample.lat.map((lat, row) => lat + (row / sample.lat.length) * 0.01) }
  assert.deepEqual(await find(apart), { kind: 'none', why: NONE_FASTER })
})

test('stops between two laps', async () => {
  const stop = async () => {
    throw new Error('stopped')
  }
  await assert.rejects(findIdealLap(sample, stop, new WeakMap()), { message: 'stopped' })
})
