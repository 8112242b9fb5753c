import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { createPrincipalSigner, createPrincipalVerifier, IDENTITY_HEADER } from './internal-identity.ts'
import { optionalUser, requireUser } from './require-user.ts'
import { ACCESS_TOKEN_TYPE, AUTHORIZATION_CLAIM, createAccessTokenVerifier } from './verify-access-token.ts'
import { SessionTokenError } from './verify-token.ts'

const now = new Date('2026-03-01T12:00:00Z')
const nowS = now.getTime() / 1000
const { publicKey, privateKey } = await generateKeyPair('RS256')
const stranger = await generateKeyPair('RS256')
const jwks = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256' }] })
const verify = createAccessTokenVerifier({ jwks, issuer: 'https://lapwing.test', now: () => now })

const claims = {
  iss: 'https://lapwing.test',
  aud: 'https://lapwing.test/api',
  sub: 'user-live-1',
  client_id: 'app-1',
  scope: 'openid laps:read',
  iat: nowS,
  jti: 'token-1',
  exp: nowS + 900,
  [AUTHORIZATION_CLAIM]: 'app-authorization-live-1',
}

const sign = (changes: object = {}, { typ = ACCESS_TOKEN_TYPE, key = privateKey } = {}) =>
  new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: 'RS256', kid: 'one', typ }).sign(key)

test('reads an access token of ours', async () => {
  assert.deepEqual(await verify(await sign()), {
    userId: 'user-live-1',
    clientId: 'app-1',
    authorizationId: 'app-authorization-live-1',
    tokenId: 'token-1',
    scopes: ['openid', 'laps:read'],
    issuedAtS: nowS,
    expiresAtS: nowS + 900,
  })
})

for (const [name, make] of [
  ['for another audience', () => sign({ aud: 'https://other.test/api' })],
  ['of another issuer', () => sign({ iss: 'https://other.test' })],
  ['of the media type of a session', () => sign({}, { typ: 'JWT' })],
  ['that ended over 30 s ago', () => sign({ exp: nowS - 31 })],
  ['made over 30 s ahead', () => sign({ iat: nowS + 31 })],
  ['made over a day ago', () => sign({ iat: nowS - 24 * 3600 - 31 })],
  ['without an authorization', () => sign({ [AUTHORIZATION_CLAIM]: undefined })],
  ['without an app', () => sign({ client_id: undefined })],
  ['with a list as scope', () => sign({ scope: ['laps:read'] })],
  ['signed by another key under our key id', () => sign({}, { key: stranger.privateKey })],
  ['that is empty', async () => ''],
] as const) {
  test(`rejects an access token ${name}`, async () => {
    await assert.rejects(async () => verify(await make()), SessionTokenError)
  })
}

const key = new Uint8Array(32).fill(7)
const verifyPrincipal = createPrincipalVerifier(key)
const person = { userId: 'user-live-1', sessionId: 'session-live-1', roles: ['driver'] }
const app = { ...person, sessionId: 'app-authorization-live-1', roles: [], scopes: ['laps:read'] }

async function requestOf(principal: typeof person): Promise<FastifyRequest> {
  const header = await createPrincipalSigner(key)(principal)
  return { headers: { [IDENTITY_HEADER]: header } } as unknown as FastifyRequest
}

test('passes the scopes of a connected app to services', async () => {
  assert.deepEqual(await verifyPrincipal(await createPrincipalSigner(key)(app)), app)
})

test('lets a connected app in only where the handler names a scope that it has', async () => {
  const required = requireUser('ingest', verifyPrincipal)
  assert.deepEqual(await required(await requestOf(app), 'laps:read'), app)
  await assert.rejects(required(await requestOf(app), 'leaderboard:read'), { code: 'ingest.unauthorized' })
  await assert.rejects(required(await requestOf(app)), { code: 'ingest.unauthorized' })
  assert.deepEqual(await required(await requestOf(person)), person)
  assert.deepEqual(await required(await requestOf(person), 'laps:read'), person)
})

test('treats a connected app as anonymous on routes that are open to all', async () => {
  const optional = optionalUser(verifyPrincipal)
  assert.equal(await optional(await requestOf(app)), null)
  assert.deepEqual(await optional(await requestOf(person)), person)
})
