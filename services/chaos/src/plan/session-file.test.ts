import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesSource, lapTimeMs, previewSession } from '@lapwing/telemetry'
import { type SessionFile, sessionFile } from './session-file.ts'

const plan: SessionFile = {
  combination: { trackId: 9001, trackName: 'Chaos Ring', carId: 77, carName: 'Chaos GT' },
  driverId: 4711,
  laps: [
    { timeMs: 21_345, isDirty: false },
    { timeMs: 19_001, isDirty: true },
    { timeMs: 29_999, isDirty: false },
  ],
  startedAtMs: Date.UTC(2026, 4, 1),
}

test('plans laps that are judged as planned, to the millisecond', async () => {
  const bytes = sessionFile(plan)
  assert.ok(bytes.byteLength < 1_000_000, `${bytes.byteLength} bytes`)
  const { laps, meta } = await previewSession(bytesSource(bytes))
  assert.deepEqual(
    laps
      .filter(lap => lap.is_completed)
      .map(lap => ({ timeMs: lapTimeMs(lap.time_s!), isDirty: !lap.is_clean, source: lap.time_source })),
    plan.laps.map(lap => ({ ...lap, source: 'official' })),
  )
  assert.equal(meta.track_slug, 'chaos-ring')
  assert.equal(meta.layout, 'default')
  assert.equal(meta.car_slug, 'chaos-gt')
})

test('builds the same bytes from the same plan, and others for another start', () => {
  const bytes = Buffer.from(sessionFile(plan))
  assert.ok(bytes.equals(sessionFile(plan)))
  assert.ok(!bytes.equals(sessionFile({ ...plan, startedAtMs: plan.startedAtMs + 1000 })))
})
