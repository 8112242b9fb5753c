import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildIbt } from '@lapwing/simulator/build-ibt'
import { bytesSource, previewSession } from '@lapwing/telemetry'
import { longLapSpec } from './long-lap-file.ts'

test('generates one complete lap of 100,000 rows with positions', async () => {
  const preview = await previewSession(bytesSource(buildIbt(longLapSpec())))
  const complete = preview.laps.filter(lap => lap.is_completed)
  assert.deepEqual(
    complete.map(({ row_start, row_end }) => row_end - row_start + 1),
    [100_000],
  )
  assert.deepEqual(preview.debug.missing, [])
})
