import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeSampleSession } from '@lapwing/simulator/sample'
import { sharedIbtFiles, sharedIbtMissing } from '../../testing/shared-ibt.ts'
import { bytesSource } from '../byte-source.ts'
import { previewSession } from '../preview/preview-session.ts'
import { countingSource } from '../testing/counting-source.ts'
import { OUTLINE_SIZE } from './lap-outline.ts'
import { type SessionSummary, summariseSession } from './summarise-session.ts'

const sample = makeSampleSession()

/** The parts of a summary that a preview has, too. */
async function agreesWithPreview(bytes: Uint8Array): Promise<SessionSummary> {
  const summary = await summariseSession(bytesSource(bytes))
  const preview = await previewSession(bytesSource(bytes))
  const { time_of_day_s: _, ...meta } = preview.meta
  const { time_of_day_s: __, ...summaryMeta } = summary.meta
  assert.deepEqual(summaryMeta, meta)
  assert.equal(summary.partial, preview.debug.partial)
  assert.deepEqual(
    summary.laps.map(({ drivenAtMs: _, ...lap }) => lap),
    preview.laps.map(({ figures, time_fmt, time_source, row_end, incidents, ...lap }) => ({
      ...lap,
      incidents: incidents.length,
    })),
  )
  return summary
}

test('gives laps the verdicts and times that the preview of the same file gives', async () => {
  const summary = await agreesWithPreview(sample)
  assert.ok(summary.laps.some(({ is_completed }) => is_completed))
  assert.ok(summary.movingS > 100)
})

test('reads each byte of the file at most once, and holds no sample', async () => {
  const source = countingSource(bytesSource(sample))
  const summary = await summariseSession(source)
  assert.ok(source.asked.bytes <= sample.byteLength + 200_000)
  assert.ok(JSON.stringify(summary).length < 20_000)
})

test('draws the outline of the track inside its square', async () => {
  const { outline } = await summariseSession(bytesSource(sample))
  assert.ok(outline.length >= 100)
  assert.equal(Math.max(...outline), OUTLINE_SIZE)
  assert.equal(Math.min(...outline), 0)
})

test('refuses what a preview refuses, with the same code', async () => {
  await assert.rejects(summariseSession(bytesSource(new Uint8Array(0))), { code: 'ibt.empty' })
  await assert.rejects(summariseSession(bytesSource(sample.subarray(0, 4000))), { name: 'IbtError' })
})

test('agrees with the preview on recorded files', { skip: sharedIbtMissing }, async () => {
  for (const { bytes } of sharedIbtFiles()) await agreesWithPreview(bytes)
})
