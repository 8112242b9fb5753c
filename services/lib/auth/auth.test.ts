import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CryptoKey, createLocalJWKSet, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { createPrincipalSigner, createPrincipalVerifier } from './internal-identity.ts'
import { createServiceTokenSigner, createServiceTokenVerifier } from './service-token.ts'
import { createSessionVerifier, SESSION_CLAIM } from './verify-session-token.ts'
import { SessionTokenError } from './verify-token.ts'

const now = new Date('2026-03-01T12:00:00Z')
const nowS = now.getTime() / 1000
const principal = { userId: 'user-live-1', sessionId: 'session-live-1', roles: ['driver'] }
const key = new Uint8Array(32).fill(7)

test('reads the principal that the gateway signed', async () => {
  const token = await createPrincipalSigner(key, () => now)(principal)
  assert.deepEqual(await createPrincipalVerifier(key, () => now)(token), principal)
})

for (const [name, verify] of [
  ['another key', createPrincipalVerifier(new Uint8Array(32).fill(8), () => now)],
  ['a later moment', createPrincipalVerifier(key, () => new Date(now.getTime() + 120_000))],
] as const) {
  test(`rejects a signed principal with ${name}`, async () => {
    assert.equal(await verify(await createPrincipalSigner(key, () => now)(principal)), null)
  })
}

test('rejects an unsigned principal', async () => {
  const token = new UnsecuredJWT({ sid: 'session-live-1' })
    .setSubject('user-live-1')
    .setIssuer('lapwing-gateway')
    .setExpirationTime(nowS + 60)
    .encode()
  assert.equal(await createPrincipalVerifier(key, () => now)(token), null)
})

test('rejects a key under 32 bytes at start', () => {
  assert.throws(() => createPrincipalSigner(new Uint8Array(31)), /32 bytes/)
})

const { publicKey, privateKey } = await generateKeyPair('RS256')
const jwks = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256' }] })
const verifySession = createSessionVerifier({
  jwks,
  issuer: 'https://id.test',
  audience: 'project',
  now: () => now,
})

interface Changes {
  readonly issuer?: string
  readonly audience?: string
  readonly issuedAt?: number
  readonly begins?: number
  readonly expires?: number
  readonly session?: unknown
  readonly key?: CryptoKey
  readonly kid?: string
}

function sessionToken(changes: Changes = {}): Promise<string> {
  return new SignJWT({
    [SESSION_CLAIM]: 'session' in changes ? changes.session : { id: 'session-live-1', roles: ['driver'] },
  })
    .setProtectedHeader({ alg: 'RS256', kid: changes.kid ?? 'one' })
    .setSubject('user-live-1')
    .setIssuer(changes.issuer ?? 'https://id.test')
    .setAudience(changes.audience ?? 'project')
    .setIssuedAt(changes.issuedAt ?? nowS)
    .setNotBefore(changes.begins ?? changes.issuedAt ?? nowS)
    .setExpirationTime(changes.expires ?? nowS + 3600)
    .sign(changes.key ?? privateKey)
}

test('reads a session token of ours', async () => {
  assert.deepEqual(await verifySession(await sessionToken()), {
    userId: 'user-live-1',
    sessionId: 'session-live-1',
    roles: ['driver'],
    isImpersonated: false,
    issuedAtS: nowS,
    expiresAtS: nowS + 3600,
  })
})

test('reads that an operator acts for the person', async () => {
  const factors = [null, { type: 'password' }, { type: 'impersonated' }]
  const session = { id: 'session-live-1', roles: [], authentication_factors: factors }
  assert.equal((await verifySession(await sessionToken({ session }))).isImpersonated, true)
})

const stranger = await generateKeyPair('RS256')
const refused: readonly (readonly [string, () => Promise<string> | string])[] = [
  ['of another issuer', () => sessionToken({ issuer: 'https://evil.test' })],
  ['for another audience', () => sessionToken({ audience: 'other' })],
  ['that ended over 30 s ago', () => sessionToken({ expires: nowS - 31 })],
  ['that begins over 30 s ahead', () => sessionToken({ issuedAt: nowS + 31 })],
  ['made over 30 s ahead, though valid already', () => sessionToken({ issuedAt: nowS + 31, begins: nowS })],
  ['made over a week ago', () => sessionToken({ issuedAt: nowS - 7 * 24 * 3600 - 31 })],
  ['of 1970', () => sessionToken({ issuedAt: 0, expires: 3600 })],
  ['signed by another key under our key id', () => sessionToken({ key: stranger.privateKey })],
  ['with an unknown key id', () => sessionToken({ kid: 'two' })],
  ['without a session', () => sessionToken({ session: null })],
  ['with a session id that is too short', () => sessionToken({ session: { id: 'short' } })],
  [
    'with no signature (alg none)',
    () => new UnsecuredJWT({ [SESSION_CLAIM]: { id: 'session-live-1' } }).setSubject('u').encode(),
  ],
  [
    'signed with our public key as a shared secret',
    async () => {
      const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(publicKey)))
      return new SignJWT({ [SESSION_CLAIM]: { id: 'session-live-1' } })
        .setProtectedHeader({ alg: 'HS256', kid: 'one' })
        .setSubject('u')
        .sign(secret)
    },
  ],
  ['cut in the middle', async () => (await sessionToken()).slice(0, -20)],
  ['that is empty', () => ''],
  ['of 100,000 meaningless characters', () => 'a.'.repeat(50_000)],
]
for (const [name, make] of refused) {
  test(`rejects a session token ${name}`, async () => {
    await assert.rejects(async () => verifySession(await make()), SessionTokenError)
  })
}

test('accepts clocks that differ by 30 s', async () => {
  await verifySession(await sessionToken({ expires: nowS - 29 }))
  await verifySession(await sessionToken({ issuedAt: nowS + 30 }))
})

test('accepts a service token for a minute, for its service and key only', async () => {
  let now = new Date('2026-03-01T12:00:00Z')
  const clock = () => now
  const shared = new Uint8Array(32).fill(1)
  const verify = createServiceTokenVerifier(shared, 'identity', clock)
  const token = await createServiceTokenSigner(shared, 'identity', clock)()
  assert.equal(await verify(`Bearer ${token}`), true)
  const forAnother = await createServiceTokenSigner(shared, 'account', clock)()
  const byAStranger = await createServiceTokenSigner(new Uint8Array(32).fill(2), 'identity', clock)()
  for (const authorization of [
    undefined,
    '',
    token,
    `Basic ${token}`,
    `Bearer ${token}x`,
    `Bearer ${forAnother}`,
    `Bearer ${byAStranger}`,
  ]) {
    assert.equal(await verify(authorization), false, String(authorization))
  }
  now = new Date('2026-03-01T12:01:06Z')
  assert.equal(await verify(`Bearer ${token}`), false)
})
