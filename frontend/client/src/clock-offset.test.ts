import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockOffsetMs } from './clock-offset.ts'

const nowMs = Date.parse('2026-03-01T12:00:00Z')

for (const [what, session, offsetMs] of [
  ['the same moment', { last_accessed_at: '2026-03-01T12:00:00Z' }, 0],
  ['a slow answer', { last_accessed_at: '2026-03-01T11:59:01Z' }, 0],
  ['an hour later', { last_accessed_at: '2026-03-01T13:00:00Z' }, 3_600_000],
  ['an hour earlier', { last_accessed_at: '2026-03-01T11:00:00Z' }, -3_600_000],
  ['no moment', {}, 0],
  ['nonsense', { last_accessed_at: 'yesterday' }, 0],
  ['no session', null, 0],
] as const) {
  test(`returns an offset of ${offsetMs} ms for an answer with ${what}`, () => {
    assert.equal(clockOffsetMs(session, nowMs), offsetMs)
  })
}
