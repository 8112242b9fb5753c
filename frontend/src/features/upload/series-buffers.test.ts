import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPreview } from '#testing/a-preview.ts'
import { seriesBuffers } from './series-buffers.ts'

test('transfers every array and copies none', () => {
  const preview = aPreview({ completeLaps: 1, sampleRateHz: 4 })
  const moved = structuredClone(preview, { transfer: seriesBuffers(preview) })
  assert.equal(preview.lat.length, 0)
  assert.equal(preview.gear.length, 0)
  assert.equal(moved.lat.length, moved.debug.rows)
})

test('transfers a shared buffer once', () => {
  const preview = aPreview({ completeLaps: 1, sampleRateHz: 4 })
  const shared = new Float64Array(20)
  const packed = { ...preview, lat: shared.subarray(0, 10), lon: shared.subarray(10) }
  assert.equal(seriesBuffers(packed).filter(buffer => buffer === shared.buffer).length, 1)
  assert.equal(structuredClone(packed, { transfer: seriesBuffers(packed) }).lon.length, 10)
})
