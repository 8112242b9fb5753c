import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatResults } from './format-results.ts'

test('prints one line a step, and shortens a long reason', () => {
  const text = formatResults([
    { name: 'up', outcome: 'ok', seconds: 12.34, figures: 'Kubernetes v1' },
    { name: 'install', outcome: 'failed', seconds: 3, figures: 'x'.repeat(500) },
    { name: 'trip', outcome: 'skipped', seconds: 0, figures: '' },
  ])
  assert.deepEqual(text.split('\n'), [
    'step     result   seconds  figures',
    'up       ok       12.3     Kubernetes v1',
    `install  failed   3.0      ${'x'.repeat(240)}…`,
    'trip     skipped',
  ])
})
