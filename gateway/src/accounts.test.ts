import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  createPrincipalSigner,
  IDENTITY_HEADER,
  REVOCATIONS_COMPLETE,
  REVOKED_SESSIONS_KEY,
} from '@lapwing/auth'
import { until } from '@lapwing/testing/until.ts'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { bearer, fakeIdentity, jwk, keyBytes, sessionToken, startWithAccounts } from './test/accounts.ts'
import { problemOfResponse } from './test/problem-of.ts'
import { testRedis } from './test/redis.ts'

const carol = { userId: 'user-live-1', sessionId: 'session-live-1', roles: ['driver'] }

for (const [method, path] of [
  ['GET', '/api/v1/auth/username'],
  ['POST', '/api/v1/auth/username'],
  ['GET', '/api/auth/username'],
  ['GET', '/api/v1/auth/username/check/carol'],
  ['GET', '/api/auth/username/check/carol?any=1'],
  ['GET', '/api/v1/auth/consent'],
  ['POST', '/api/auth/consent'],
  ['DELETE', '/api/v1/auth/account'],
  ['POST', '/api/v1/billing/checkout'],
  ['POST', '/api/billing/portal'],
] as const) {
  test(`${method} ${path} reaches account with the principal`, async t => {
    const { url, account } = await startWithAccounts(t)
    const response = await fetch(`${url}${path}`, { method, headers: await bearer() })
    assert.deepEqual(await response.json(), { principal: carol })
    const [{ url: received, headers } = { url: '', headers: {} }] = account.received
    assert.equal(received, path)
    assert.equal(headers.authorization, undefined)
  })
}

test('lets an operator who acts for a driver read, and change nothing', async t => {
  const { url, account } = await startWithAccounts(t)
  const headers = await bearer({ factors: ['impersonated'] })
  const read = await fetch(`${url}/api/v1/auth/username`, { headers })
  assert.deepEqual(await read.json(), { principal: carol })
  for (const [method, path] of [
    ['POST', '/api/v1/auth/username'],
    ['POST', '/api/auth/consent'],
    ['DELETE', '/api/v1/auth/account'],
    ['POST', '/api/v1/billing/checkout'],
  ] as const) {
    const response = await fetch(`${url}${path}`, { method, headers })
    assert.equal(response.status, 403, path)
    assert.equal((await problemOfResponse(response)).code, 'gateway.read_only')
  }
  assert.equal(account.received.length, 1)
})

const other = await generateKeyPair('RS256')
const nowS = Math.floor(Date.now() / 1000)
const publicKeyAsSecret = new TextEncoder().encode(JSON.stringify(jwk))

const invalidHeaders: Readonly<Record<string, () => Promise<Record<string, string>>>> = {
  'no credential': async () => ({}),
  'an empty credential': async () => ({ authorization: '' }),
  'a token without a signature (alg none)': async () => ({
    authorization: `Bearer ${new UnsecuredJWT({ sid: 'x' }).setSubject('user-live-1').encode()}`,
  }),
  'a token signed by another key under our key id': () => bearer({ key: other.privateKey }),
  'a token that brings its own key': async () => ({
    authorization: `Bearer ${await new SignJWT({}).setProtectedHeader({ alg: 'RS256', jwk: await exportJWK(other.publicKey) }).sign(other.privateKey)}`,
  }),
  'a token signed with the public key as a secret': async () => ({
    authorization: `Bearer ${await new SignJWT({}).setProtectedHeader({ alg: 'HS256', kid: 'one' }).setSubject('u').sign(publicKeyAsSecret)}`,
  }),
  'a token for another audience': () => bearer({ audience: 'project-live-other' }),
  'a token of another issuer': () => bearer({ issuer: 'stytch.com/project-live-other' }),
  'a token issued tomorrow': () => bearer({ issuedAtS: nowS + 86_400 }),
  'a token issued in 2001': () => bearer({ issuedAtS: 1_000_000_000 }),
  'a token that expired a minute ago': () => bearer({ issuedAtS: nowS - 3_660, expiresAtS: nowS - 60 }),
  'a token that is cut short': async () => ({
    authorization: `Bearer ${(await sessionToken()).slice(0, -9)}`,
  }),
  'two tokens': async () => ({
    authorization: `Bearer ${await sessionToken()}, Bearer ${await sessionToken()}`,
  }),
  'a good token as Basic': async () => ({ authorization: `Basic ${await sessionToken()}` }),
  'a good token in cookies': async () => {
    const token = await sessionToken()
    return { cookie: `stytch_session_jwt=${token}; stytch_session=${token}` }
  },
  'a forged identity header': async () => ({
    [IDENTITY_HEADER]: await createPrincipalSigner(new Uint8Array(32))(carol),
  }),
  "an identity header with the gateway's own signature": async () => ({
    [IDENTITY_HEADER]: await createPrincipalSigner(keyBytes)(carol),
  }),
  'an identity header as a bearer token': async () => ({
    authorization: `Bearer ${await createPrincipalSigner(keyBytes)(carol)}`,
  }),
}

for (const [what, headers] of Object.entries(invalidHeaders)) {
  test(`answers 401 for ${what} with any method, and forwards nothing`, async t => {
    const { url, account } = await startWithAccounts(t)
    for (const [method, path] of [
      ['GET', '/api/v1/auth/username'],
      ['POST', '/api/v1/auth/username'],
      ['DELETE', '/api/auth/account'],
    ] as const) {
      const response = await fetch(`${url}${path}`, { method, headers: await headers() })
      assert.equal(response.headers.get('www-authenticate'), 'Bearer')
      const { code, detail } = await problemOfResponse(response)
      assert.equal(code, 'gateway.unauthorized')
      assert.match(detail, /^(Please sign in first|Session expired\. Please sign in again)\.$/)
    }
    assert.equal(account.received.length, 0)
  })

  test(`treats ${what} as anonymous on an optional route`, async t => {
    const { url } = await startWithAccounts(t)
    const response = await fetch(`${url}/api/auth/username/check/carol`, { headers: await headers() })
    assert.deepEqual(await response.json(), { principal: null })
  })
}

test('says "Session expired" for an invalid credential, and "Please sign in" for none', async t => {
  const { url } = await startWithAccounts(t)
  const detailFor = async (headers: Record<string, string>) =>
    (await problemOfResponse(await fetch(`${url}/api/auth/username`, { headers }))).detail
  const expired = await bearer({ expiresAtS: nowS - 60 })
  assert.equal(await detailFor(expired), 'Session expired. Please sign in again.')
  assert.equal(await detailFor({}), 'Please sign in first.')
})

test('takes the principal from the bearer token, not from a forged identity header', async t => {
  const { url } = await startWithAccounts(t)
  for (const name of [IDENTITY_HEADER, IDENTITY_HEADER.toUpperCase(), IDENTITY_HEADER.replaceAll('-', '_')]) {
    const forged = await createPrincipalSigner(keyBytes)({ ...carol, userId: 'user-live-mallory' })
    const response = await fetch(`${url}/api/auth/username`, {
      headers: { ...(await bearer()), [name]: forged },
    })
    assert.deepEqual(await response.json(), { principal: carol })
  }
})

test('accepts tokens of clocks that differ by up to 30 s', async t => {
  const { url } = await startWithAccounts(t)
  for (const claims of [
    { issuedAtS: Math.floor(Date.now() / 1000) + 25 },
    { expiresAtS: Math.floor(Date.now() / 1000) - 25 },
  ])
    assert.equal((await fetch(`${url}/api/auth/username`, { headers: await bearer(claims) })).status, 200)
})

test('rejects an ended session within a second, with Redis and without', async t => {
  const server = await testRedis(t)
  await server.start()
  const redis = await server.connect()
  await redis.run(client => client.zadd(REVOKED_SESSIONS_KEY, '+inf', REVOCATIONS_COMPLETE))
  const identity = await fakeIdentity(t)
  for (const [env, end] of [
    [
      { REDIS_URL: server.url.href },
      () => redis.run(client => client.zadd(REVOKED_SESSIONS_KEY, Date.now() + 60_000, 'session-live-1')),
    ],
    [{}, async () => identity.ended.add('session-live-1')],
  ] as const) {
    const { app, url } = await startWithAccounts(t, { identity, env: { ...env } })
    if ('REDIS_URL' in env) await until(async () => (await app.inject('/readyz')).json().redis === 'up')
    const headers = await bearer()
    const status = async () => (await fetch(`${url}/api/auth/username`, { headers })).status
    const lookupsBefore = identity.lookups()
    assert.equal(await status(), 200)
    assert.equal(identity.lookups() - lookupsBefore, 'REDIS_URL' in env ? 0 : 1)
    await end()
    const endedMs = performance.now()
    // A request sent a second later is rejected, also on a busy machine. The delay keeps below the rate
    // limit.
    for (let askedMs = endedMs; (await status()) !== 401; askedMs = performance.now()) {
      assert.ok(askedMs - endedMs < 1_000)
      await delay(20)
    }
    assert.equal(
      (await fetch(`${url}/api/auth/username`, { headers: await bearer({ sessionId: 'session-live-2' }) }))
        .status,
      200,
    )
  }
})

test('causes no error and still sees ended sessions when Redis is killed and identity answers', async t => {
  const server = await testRedis(t)
  const running = await server.start()
  const { app, url, identity } = await startWithAccounts(t, { env: { REDIS_URL: server.url.href } })
  const redis = await server.connect()
  await redis.run(client => client.zadd(REVOKED_SESSIONS_KEY, '+inf', REVOCATIONS_COMPLETE))
  await until(async () => (await app.inject('/readyz')).json().redis === 'up')
  const headers = await bearer()
  const status = async () => (await fetch(`${url}/api/auth/username`, { headers })).status
  assert.equal(await status(), 200)
  await running.kill()
  // A second lookup shows that the cached answer from before has expired.
  await until(async () => {
    assert.equal(await status(), 200)
    return identity.lookups() >= 2
  })
  identity.ended.add('session-live-1')
  await until(async () => (await status()) === 401)
})

test('answers 503 with Retry-After, or continues as anonymous, if the session cannot be checked', async t => {
  const identity = await fakeIdentity(t)
  const { url, account } = await startWithAccounts(t, { identity })
  assert.equal((await fetch(`${url}/api/auth/username`, { headers: await bearer() })).status, 200)
  await identity.stop()
  const ask = async (path: string) =>
    fetch(`${url}${path}`, { headers: await bearer({ sessionId: 'session-live-2' }) })
  const response = await ask('/api/auth/username')
  assert.equal(response.headers.get('retry-after'), '5')
  assert.equal((await problemOfResponse(response)).code, 'gateway.upstream_unavailable')
  assert.equal(account.received.length, 1)
  assert.deepEqual(await (await ask('/api/auth/username/check/carol')).json(), { principal: null })
})

test('accepts sessions of a hosted provider until their tokens expire, from its key set alone', async t => {
  const identity = await fakeIdentity(t, { isHosted: true })
  const { url } = await startWithAccounts(t, { identity, env: { IDENTITY_HOSTED: 'true' } })
  const ask = async (headers: Record<string, string>) =>
    (await fetch(`${url}/api/auth/username`, { headers })).status
  assert.equal(await ask(await bearer()), 200)
  assert.equal(await ask(await bearer({ expiresAtS: nowS - 60 })), 401)
  assert.equal(await ask(await bearer({ key: other.privateKey })), 401)
  assert.equal(identity.lookups(), 0)
})

test('answers 503 if a hosted provider is configured as our own identity', async t => {
  const identity = await fakeIdentity(t, { isHosted: true })
  const { url } = await startWithAccounts(t, { identity })
  const response = await fetch(`${url}/api/auth/username`, { headers: await bearer() })
  assert.equal((await problemOfResponse(response)).code, 'gateway.upstream_unavailable')
})

test('answers 503, not 401, if the key set was never loaded', async t => {
  const identity = await fakeIdentity(t)
  await identity.stop()
  const { url } = await startWithAccounts(t, { identity })
  const response = await fetch(`${url}/api/auth/username`, { headers: await bearer() })
  assert.equal((await problemOfResponse(response)).code, 'gateway.upstream_unavailable')
})

test('counts limits by account from any address, and anonymous requests by address', async t => {
  const { app } = await startWithAccounts(t, { env: { TRUSTED_PROXIES: '127.0.0.1' } })
  const ask = async (headers: Record<string, string>, address: string) =>
    app.inject({
      method: 'DELETE',
      url: '/api/v1/auth/account',
      headers: { ...headers, 'x-forwarded-for': address },
    })
  const signedIn = await bearer()
  const otherSession = await bearer({ sessionId: 'session-live-2' })
  const otherAccount = await bearer({ userId: 'user-live-2', sessionId: 'session-live-3' })
  const statuses: number[] = []
  for (let count = 0; count < 5; count++)
    statuses.push((await ask(signedIn, `203.0.113.${count}`)).statusCode)
  statuses.push((await ask(otherSession, '203.0.113.9')).statusCode)
  statuses.push((await ask(otherAccount, '203.0.113.0')).statusCode)
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 200])

  const refused: number[] = []
  for (let count = 0; count < 6; count++) refused.push((await ask({}, '203.0.113.50')).statusCode)
  refused.push((await ask({}, '203.0.113.51')).statusCode)
  assert.deepEqual(refused, [401, 401, 401, 401, 401, 429, 401])
  assert.equal((await ask(otherAccount, '203.0.113.50')).statusCode, 200)
})

test('logs no token, account or session', async t => {
  const { url, logs } = await startWithAccounts(t)
  const headers = await bearer()
  await fetch(`${url}/api/auth/username`, { headers })
  await fetch(`${url}/api/auth/username`, { headers: await bearer({ expiresAtS: nowS - 60 }) })
  const text = JSON.stringify(logs)
  assert.ok(logs.some(({ route }) => route === '/api/auth/username'))
  assert.doesNotMatch(text, /user-live|session-live|eyJ/)
})

test('routes no internal address', async t => {
  const { app, identity } = await startWithAccounts(t)
  for (const url of [
    '/internal/sessions/session-live-1',
    '/api/internal/sessions/session-live-1',
    '/internal/people?user_id=user-live-1',
    '/api/internal/people?user_id=user-live-1',
    '/sdk/v1/../../internal/sessions/x',
  ])
    assert.ok((await app.inject(url)).statusCode >= 400, url)
  assert.equal(identity.lookups(), 0)
})
