import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSessionVerifier } from '@lapwing/auth'
import { createLocalJWKSet } from 'jose'
import { goodPassword, type Harness, harness } from '../test/harness.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

const signUp = (email: string, password: unknown = goodPassword) =>
  service.call('createPassword', '/sdk/v1/passwords', {
    body: { email, password, session_duration_minutes: 60 },
  })
const signIn = (email: string, password: unknown, as?: string) =>
  service.call('authenticatePassword', '/sdk/v1/passwords/authenticate', {
    body: { email, password, session_duration_minutes: 60 },
    ...(as !== undefined && { as }),
  })

test('a sign-up answers a session of an hour with two tokens and the person twice', async () => {
  const { status, data } = await signUp('first@example.com')
  assert.equal(status, 200)
  assert.equal(data.session.expires_at, '2026-03-01T13:00:00.000Z')
  assert.match(data.session_token, /^[\w-]{43}$/)
  assert.deepEqual(data.user, data.__user)
  assert.deepEqual(data.user.emails, [
    { email_id: data.email_id, email: 'first@example.com', verified: false },
  ])
  assert.deepEqual(data.user.roles, ['driver'])
  assert.equal(data.session.authentication_factors[0].type, 'password')
})

test('the session token is one that the services accept, and lives as long as the session', async () => {
  const { data } = await signUp('jwt@example.com')
  const jwks = await service.call('getWellKnownJwks', '/.well-known/jwks.json', { method: 'GET' })
  const verify = createSessionVerifier({
    jwks: createLocalJWKSet(jwks.body),
    issuer: service.deps.settings.issuer,
    audience: service.deps.settings.projectId,
    now: service.now,
  })
  const claims = await verify(data.session_jwt)
  assert.equal(claims.userId, data.user_id)
  assert.equal(claims.sessionId, data.session.session_id)
  assert.deepEqual(claims.roles, ['driver'])
  assert.equal(claims.expiresAtS - claims.issuedAtS, 3_600)
})
