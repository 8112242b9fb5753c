import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeySetError, type SessionClaims, SessionTokenError } from '@lapwing/auth'
import { AppError } from '@lapwing/http'
import { createFindPrincipal } from './find-principal.ts'

const startMs = Date.parse('2026-11-28T12:00:00Z')

test('verifies a token once in 30 s, and looks its session up each time', async () => {
  const { find, count, clock } = setUp()
  const first = await find('Bearer a.b.c')
  assert.deepEqual(first, {
    userId: 'user of a.b.c',
    sessionId: 'session of a.b.c',
    roles: ['driver'],
    identity: 'signed user of a.b.c',
  })
  assert.deepEqual(await find('bearer a.b.c'), first)
  assert.deepEqual(count, { verified: 1, signed: 1, looked: 2 })
  clock.ms += 30_000
  await find('Bearer a.b.c')
  assert.deepEqual(count, { verified: 2, signed: 2, looked: 3 })
})

test('verifies a token again after it may have expired, however short its life', async () => {
  const { find, count, clock } = setUp({ livesS: 3 })
  await find('Bearer a.b.c')
  clock.ms += 2_999
  await find('Bearer a.b.c')
  assert.equal(count.verified, 1)
  clock.ms += 1
  await find('Bearer a.b.c')
  assert.equal(count.verified, 2)
})

test('verifies a token again after the clock was set back', async () => {
  const { find, count, clock } = setUp()
  await find('Bearer a.b.c')
  clock.ms -= 3_600_000
  await find('Bearer a.b.c')
  assert.equal(count.verified, 2)
})

test('does not mix up two tokens that differ only in their last letter', async () => {
  const { find } = setUp()
  const long = 'x'.repeat(2_000)
  assert.equal((await find(`Bearer a.b.${long}1`))?.userId, `user of a.b.${long}1`)
  assert.equal((await find(`Bearer a.b.${long}2`))?.userId, `user of a.b.${long}2`)
})

test('returns null for an ended session, even if its token is cached', async () => {
  const { find, revoked } = setUp()
  assert.notEqual(await find('Bearer a.b.c'), null)
  revoked.add('session of a.b.c')
  assert.equal(await find('Bearer a.b.c'), null)
})

for (const authorization of [
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'Bearer a',
  'Bearer a.b',
  'Bearer a.b.c.d',
  'Bearer a.b.c, Bearer a.b.d',
  'Bearer a.b.=',
  'Basic a.b.c',
  'a.b.c',
]) {
  test(`returns null for "${authorization}" and verifies nothing`, async () => {
    const { find, count } = setUp()
    assert.equal(await find(authorization), null)
    assert.equal(count.verified, 0)
  })
}

test('returns null for an invalid token and does not cache it', async () => {
  let verified = 0
  const { find } = setUp({
    verify: async () => {
      verified += 1
      throw new SessionTokenError('expired')
    },
  })
  assert.equal(await find('Bearer a.b.c'), null)
  assert.equal(await find('Bearer a.b.c'), null)
  assert.equal(verified, 2)
})

for (const [what, failure] of [
  ['the key set cannot be loaded', { verify: () => Promise.reject(new KeySetError(new Error('refused'))) }],
  ['the session cannot be looked up', { isRevoked: () => Promise.reject(new Error('away')) }],
] as const) {
  test(`rejects with upstream_unavailable if ${what}`, async () => {
    const { find } = setUp(failure)
    await assert.rejects(
      find('Bearer a.b.c'),
      (error: unknown) => error instanceof AppError && error.code === 'gateway.upstream_unavailable',
    )
  })
}

function setUp({
  livesS = 3_600,
  verify,
  isRevoked,
}: {
  livesS?: number
  verify?: (token: string) => Promise<SessionClaims>
  isRevoked?: (sessionId: string) => Promise<boolean>
} = {}) {
  const count = { verified: 0, signed: 0, looked: 0 }
  const clock = { ms: startMs }
  const revoked = new Set<string>()
  const find = createFindPrincipal({
    async verify(token) {
      count.verified += 1
      if (verify !== undefined) return verify(token)
      return {
        userId: `user of ${token}`,
        sessionId: `session of ${token}`,
        roles: ['driver'],
        issuedAtS: startMs / 1000,
        expiresAtS: startMs / 1000 + livesS,
      }
    },
    verifyAccess: null,
    async sign({ userId }) {
      count.signed += 1
      return `signed ${userId}`
    },
    async isRevoked(sessionId) {
      count.looked += 1
      return isRevoked === undefined ? revoked.has(sessionId) : isRevoked(sessionId)
    },
    now: () => new Date(clock.ms),
  })
  return { find, count, clock, revoked }
}
