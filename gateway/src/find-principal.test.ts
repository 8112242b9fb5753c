import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeySetError, type SessionClaims, SessionTokenError } from '@lapwing/auth'
import { AppError } from '@lapwing/http'
import { createFindPrincipal } from './find-principal.ts'

const startMs = Date.parse('2026-11-28T12:00:00Z')

test('a token is verified once in half a minute, the session is looked up each time', async () => {
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

test('it is verified again once it may have ended, however short it lives', async () => {
  const { find, count, clock } = setUp({ livesS: 3 })
  await find('Bearer a.b.c')
  clock.ms += 2_999
  await find('Bearer a.b.c')
  assert.equal(count.verified, 1)
  clock.ms += 1
  await find('Bearer a.b.c')
  assert.equal(count.verified, 2)
})

test('and after the clock was set back', async () => {
  const { find, count, clock } = setUp()
  await find('Bearer a.b.c')
  clock.ms -= 3_600_000
  await find('Bearer a.b.c')
  assert.equal(count.verified, 2)
})

test('two tokens that differ in their last letter alone are two people', async () => {
  const { find } = setUp()
  const long = 'x'.repeat(2_000)
  assert.equal((await find(`Bearer a.b.${long}1`))?.userId, `user of a.b.${long}1`)
  assert.equal((await find(`Bearer a.b.${long}2`))?.userId, `user of a.b.${long}2`)
})

test('a session that was ended is nobody, though its token was verified a moment ago', async () => {
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
  test(`"${authorization}" is nobody, and nothing is verified`, async () => {
    const { find, count } = setUp()
    assert.equal(await find(authorization), null)
    assert.equal(count.verified, 0)
  })
}

test('a refused token is nobody, and is not remembered', async () => {
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
  ['the key set cannot be had', { verify: () => Promise.reject(new KeySetError(new Error('refused'))) }],
  ['nobody knows whether the session stands', { isRevoked: () => Promise.reject(new Error('away')) }],
] as const) {
  test(`it is said that it cannot be said when ${what}`, async () => {
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
