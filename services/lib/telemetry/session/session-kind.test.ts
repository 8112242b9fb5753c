import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sessionKindOf } from './session-kind.ts'

test('maps the simulator’s session types to kinds, and any other text to null', () => {
  const kinds = {
    'Offline Testing': 'testing',
    Practice: 'practice',
    'Open Practice': 'practice',
    'Open Qualify': 'qualifying',
    'Lone Qualify': 'qualifying',
    Warmup: 'warmup',
    Race: 'race',
    'Heat Race': 'race',
    'Time Trial': 'time_trial',
    'My friend Bob': null,
    '': null,
  }
  for (const [type, kind] of Object.entries(kinds)) assert.equal(sessionKindOf(type), kind, type)
  assert.equal(sessionKindOf(null), null)
  assert.equal(sessionKindOf(undefined), null)
})
