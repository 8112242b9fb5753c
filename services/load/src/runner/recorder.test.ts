import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRecorder } from './recorder.ts'

test('returns percentiles that are right to three digits', () => {
  const recorder = createRecorder()
  for (let ms = 1; ms <= 10_000; ms++) recorder.record('journey', 'browse', ms)
  const { browse } = recorder.times('journey')
  assert.equal(browse!.count, 10_000)
  for (const [statistic, expected] of [
    ['p50', 5_000],
    ['p95', 9_500],
    ['p99', 9_900],
    ['max', 10_000],
  ] as const) {
    assert.ok(
      Math.abs(browse![statistic] - expected) <= 0.001 * expected,
      `${statistic} ${browse![statistic]}`,
    )
  }
  assert.deepEqual(recorder.times('call'), {})
})

test('counts by name', () => {
  const recorder = createRecorder()
  recorder.count('page 200')
  recorder.count('bytes', 40)
  recorder.count('page 200')
  assert.deepEqual(recorder.counts(), { bytes: 40, 'page 200': 2 })
})
