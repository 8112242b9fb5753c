import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SavePhase } from './save-lap-store.ts'
import { formatSettledSave, parseSettledSave } from './settled-save.ts'

const again = (phase: SavePhase, userId = 'user-a') =>
  parseSettledSave(formatSettledSave('user-a', phase, false), userId)

test('restores a save that ended as saved, skipped or cancelled, for its driver only', () => {
  const saved: SavePhase = {
    kind: 'saved',
    lap: {
      ok: true,
      ingest_id: 'i',
      lap_id: 'l',
      context_id: 7,
      best_lap_time_ms: 51_088,
      previous_best_ms: null,
      rank: 5,
      boards: ['complete'],
    },
  }
  const skipped: SavePhase = { kind: 'skipped', reason: 'not_faster' }
  const cancelled: SavePhase = { kind: 'cancelled' }
  assert.deepEqual(again(saved), { kind: 'skipped', reason: 'already_ingested' })
  assert.deepEqual(again(skipped), skipped)
  assert.deepEqual(again(cancelled), cancelled)
  const lap = parseSettledSave(formatSettledSave('user-a', saved, true), 'user-a')
  assert.deepEqual(lap, { kind: 'skipped', reason: 'lap_saved' })
  for (const phase of [saved, skipped, cancelled]) assert.equal(again(phase, 'user-b'), null)
})

test('saves a file again if its save failed or has not ended', () => {
  for (const phase of [
    { kind: 'preparing' },
    { kind: 'sending', share: 0.5 },
    { kind: 'judging', share: null },
    { kind: 'pausing', retry: 1 },
    { kind: 'failed', sentence: 'Upload failed: Please try again.', canRetry: true },
  ] as const) {
    assert.equal(again(phase), null, phase.kind)
  }
})

test('reads nothing from any other text', () => {
  for (const text of [null, '', '{', 'null', '7', '{"userId":"user-a"}', '{"userId":"user-a","reason":7}']) {
    assert.equal(parseSettledSave(text, 'user-a'), null, String(text))
  }
})
