import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeSampleSession } from '@lapwing/simulator/sample'
import { bytesSource, openIbt, previewSession } from '@lapwing/telemetry'
import { cutLap } from '@lapwing/telemetry/cut'
import { blobSource } from '#shared/files/blob-source.ts'
import { aPreview } from '#testing/a-preview.ts'
import { asFile, indexOfBest } from './cut-best-lap.ts'

test('chooses the fastest complete lap, the first of two equal ones', () => {
  const { laps } = aPreview({ completeLaps: 3, sampleRateHz: 4 })
  const times = (...of: (number | null)[]) => {
    const complete = laps.filter(lap => lap.is_completed)
    return complete.map((lap, i) => ({ ...lap, time_s: of[i]! }))
  }
  assert.equal(indexOfBest(times(81, 80, 80)), 1)
  assert.equal(indexOfBest(times(81, null, 80)), 2)
  assert.equal(indexOfBest(laps.filter(lap => !lap.is_completed)), -1)
})

test('makes a file of the lap out of slices, with its name', async () => {
  const bytes = makeSampleSession()
  const file = new File([bytes as Uint8Array<ArrayBuffer>], 'Greywater 14-20.IBT', { lastModified: 5 })
  const { laps } = await previewSession(bytesSource(bytes))
  const best = laps[indexOfBest(laps)]!
  const cut = await cutLap(await openIbt(bytesSource(bytes)), laps, best, null)
  const lap = asFile(file, cut!, best)
  assert.deepEqual(
    [lap.name, lap.size, lap.lastModified],
    [`Greywater 14-20 lap ${best.lap}.ibt`, cut!.sizeBytes, 5],
  )
  const preview = await previewSession(blobSource(lap))
  const found = preview.laps.filter(({ is_completed }) => is_completed)
  assert.deepEqual(
    found.map(({ lap, time_s }) => [lap, time_s]),
    [[best.lap, best.time_s]],
  )
})
