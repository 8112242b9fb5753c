import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFacts, isValidSession, readSession, type SessionFacts } from './session-facts.ts'

const nowMs = Date.UTC(2026, 0, 2)
const good: SessionFacts = {
  userId: 'user-1',
  sessionId: 'session-10',
  startedAtMs: nowMs - 60_000,
  expiresAtMs: nowMs + 3600_000,
}
const hours = (count: number) => count * 3600_000

for (const [name, change, isValid] of [
  ['a user id and a session id of ten characters', {}, true],
  ['no user id', { userId: '' }, false],
  ['a session id of nine characters', { sessionId: 'session-1' }, false],
  ['31 s left', { expiresAtMs: nowMs + 31_000 }, true],
  ['30 s left', { expiresAtMs: nowMs + 30_000 }, false],
  ['an end in the past', { expiresAtMs: nowMs - 1 }, false],
  ['a start 24 hours ago', { startedAtMs: nowMs - hours(24) }, true],
  ['a start a millisecond earlier', { startedAtMs: nowMs - hours(24) - 1 }, false],
] as const) {
  test(`treats a session with ${name} as ${isValid ? 'valid' : 'not valid'}`, () => {
    assert.equal(isValidSession({ ...good, ...change }, nowMs), isValid)
  })
}

test('reads the session of an answer, whatever else the answer holds', () => {
  const session = {
    user_id: 'user-1',
    session_id: 'session-10',
    started_at: '2026-01-01T23:59:00Z',
    expires_at: '2026-01-02T01:00:00Z',
    roles: ['driver'],
  }
  assert.deepEqual(readSession(session), good)
  const factors = [null, { type: 'password' }]
  assert.deepEqual(readSession({ ...session, authentication_factors: factors }), good)
  const acting = { impersonator_email_address: 'ada@lapwing.test' }
  assert.deepEqual(
    readSession({
      ...session,
      authentication_factors: [...factors, { type: 'impersonated', impersonated_factor: acting }],
    }),
    { ...good, impersonator: 'ada@lapwing.test' },
  )
  for (const broken of [
    null,
    undefined,
    'session',
    {},
    { ...session, user_id: 7 },
    { ...session, session_id: null },
    { ...session, expires_at: 'tomorrow' },
    { ...session, started_at: undefined },
  ]) {
    assert.equal(readSession(broken), null, JSON.stringify(broken))
  }
})

test('accepts stored facts only with the right types', () => {
  assert.equal(isFacts({ ...good, more: 1 }), true)
  for (const broken of [
    null,
    1,
    { ...good, userId: 1 },
    { ...good, expiresAtMs: '1' },
    { ...good, startedAtMs: null },
  ]) {
    assert.equal(isFacts(broken), false, JSON.stringify(broken))
  }
})
