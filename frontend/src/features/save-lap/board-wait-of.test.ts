import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BoardWait } from '#shared/boards/board-wait.ts'
import { boardWaitOf } from './board-wait-of.ts'
import type { SavedLap } from './save-lap-api.ts'
import type { SavePhase } from './save-lap-store.ts'

const lap = { rank: 3 } as SavedLap

test('expects a lap that is on its way or judged, and nothing else', () => {
  const cases: [SavePhase, BoardWait['kind']][] = [
    [{ kind: 'idle' }, 'nothing'],
    [{ kind: 'preparing' }, 'coming'],
    [{ kind: 'sending', share: 0.5 }, 'coming'],
    [{ kind: 'checking' }, 'coming'],
    [{ kind: 'judging', share: null }, 'coming'],
    [{ kind: 'pausing', retry: 1 }, 'coming'],
    [{ kind: 'saved', lap }, 'due'],
    [{ kind: 'saved', lap: { ...lap, rank: null } }, 'nothing'],
    [{ kind: 'skipped', reason: 'not_faster' }, 'due'],
    [{ kind: 'skipped', reason: 'already_ingested' }, 'past'],
    [{ kind: 'skipped', reason: 'lap_saved' }, 'past'],
    [{ kind: 'skipped', reason: 'held_for_review' }, 'held'],
    [{ kind: 'skipped', reason: 'no_complete_lap' }, 'nothing'],
    [{ kind: 'failed', sentence: 'Upload failed: Please try again.', canRetry: true }, 'failed'],
    [{ kind: 'cancelled' }, 'nothing'],
  ]
  for (const [phase, kind] of cases) {
    const wait = boardWaitOf({ phase, judgedSinceMs: 5 }, { kind: 'idle' })
    assert.equal(wait.kind, kind, phase.kind)
    if (wait.kind === 'coming' || wait.kind === 'due') assert.equal(wait.sinceMs, 5)
  }
})

test('expects the lap while the driver number is checked, and not while the driver is asked', () => {
  const idle = { phase: { kind: 'idle' }, judgedSinceMs: null } as const
  assert.deepEqual(boardWaitOf(idle, { kind: 'checking' }), { kind: 'coming', sinceMs: null })
  const asking = { kind: 'asking', number: '7', boundNumber: '5' } as const
  assert.deepEqual(boardWaitOf(idle, asking), { kind: 'nothing' })
})
