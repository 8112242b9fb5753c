import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createServiceTokenSigner, REVOCATIONS_COMPLETE, REVOKED_SESSIONS_KEY } from '@lapwing/auth'
import { startValkey } from '@lapwing/dev-servers/valkey'
import { until } from '@lapwing/testing/until.ts'
import { Redis } from 'ioredis'
import { goodPassword, type Harness, harness, internalKey } from '../test/harness.ts'
import { emailFactor, startSession } from './start-session.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

const authenticate = (as?: string, body: unknown = {}) =>
  service.call('authenticateSession', '/sdk/v1/sessions/authenticate', {
    ...(as !== undefined && { as }),
    body,
  })
const revoke = (as?: string) =>
  service.call('revokeSession', '/sdk/v1/sessions/revoke', { ...(as !== undefined && { as }) })

test('keeps the session’s end without a duration, and prolongs it with one', async () => {
  const { token } = await service.signUp('longer@example.com')
  const begin = service.now().getTime()
  service.advance(10 * 60_000)
  const same = await authenticate(token)
  assert.equal(Date.parse(same.data.session.expires_at), begin + 60 * 60_000)
  assert.equal(Date.parse(same.data.session.last_accessed_at), begin + 10 * 60_000)
  const longer = await authenticate(token, { session_duration_minutes: 60 })
  assert.equal(Date.parse(longer.data.session.expires_at), begin + 70 * 60_000)
  assert.equal(longer.data.session_token, token)
})

test('does not shorten a session', async () => {
  const { token } = await service.signUp('shorter@example.com')
  const begin = service.now().getTime()
  const { data } = await authenticate(token, { session_duration_minutes: 5 })
  assert.equal(Date.parse(data.session.expires_at), begin + 60 * 60_000)
})

test('keeps the newest factors of a session that gets ever more of them', async () => {
  const { token, userId } = await service.signUp('many.factors@example.com')
  const client = { sessionToken: token, browser: null, ipAddress: '192.0.2.1', userAgent: '' }
  for (let count = 0; count < 40; count++) {
    const factor = emailFactor('otp', { emailId: `email-${count}`, userId, address: '', verified: true })
    const { token: next } = await service.deps.change(work =>
      startSession(work, { userId, factor, minutes: 60, client, limits: service.deps.settings }),
    )
    client.sessionToken = next
  }
  const { data } = await authenticate(client.sessionToken)
  const ids = data.session.authentication_factors.map(
    (factor: { email_factor?: { email_id: string } }) => factor.email_factor?.email_id,
  )
  assert.deepEqual(
    ids,
    Array.from({ length: 32 }, (_, index) => `email-${index + 8}`),
  )
})

test('accepts an empty body', async () => {
  const { token } = await service.signUp('empty@example.com')
  assert.equal((await authenticate(token, '')).status, 200)
})

test('answers session_not_found for an expired session, even if the clock jumps an hour', async () => {
  const { token } = await service.signUp('jump@example.com')
  service.advance(3_600_000)
  assert.equal((await authenticate(token)).error, 'session_not_found')
})

test('ends a session after thirty days, however often it is prolonged', async () => {
  const { token } = await service.signUp('month@example.com')
  const begin = service.now().getTime()
  let answer = await authenticate(token, { session_duration_minutes: 527_040 })
  assert.equal(Date.parse(answer.data.session.expires_at), begin + 43_200 * 60_000)
  service.advance(29 * 24 * 3_600_000)
  answer = await authenticate(token, { session_duration_minutes: 527_040 })
  assert.equal(Date.parse(answer.data.session.expires_at), begin + 43_200 * 60_000)
  service.advance(24 * 3_600_000)
  assert.equal((await authenticate(token)).error, 'session_not_found')
})

test('limits a JWT to a day, however long its session is', async () => {
  const { token } = await service.signUp('day@example.com')
  const { data } = await authenticate(token, { session_duration_minutes: 20_000 })
  const { exp, iat } = JSON.parse(Buffer.from(data.session_jwt.split('.')[1], 'base64url').toString())
  assert.equal(exp - iat, 86_400)
})

test('puts neither a mail address nor a network address into a JWT', async () => {
  const { jwt } = await service.signUp('private@example.com')
  const payload = Buffer.from(jwt.split('.')[1]!, 'base64url').toString()
  assert.ok(!payload.includes('private@') && !/\b10\.0\./.test(payload))
})

test('answers user_unauthenticated without a session and session_not_found for an invalid one', async () => {
  assert.equal((await authenticate()).error, 'user_unauthenticated')
  assert.equal((await revoke()).error, 'user_unauthenticated')
  for (const token of ['x', 'a'.repeat(43), 'x'.repeat(1_000), 'ü', 'a:b:c']) {
    assert.equal((await authenticate(token)).error, 'session_not_found')
  }
})

test('rejects a revoked session immediately, in every call', async () => {
  const { token, sessionId } = await service.signUp('over@example.com')
  const { status, data } = await revoke(token)
  assert.deepEqual([status, Object.keys(data).sort()], [200, ['request_id', 'status_code']])
  assert.equal((await authenticate(token)).error, 'session_not_found')
  assert.equal((await revoke(token)).error, 'session_not_found')
  const me = await service.call('getMe', '/sdk/v1/users/me', { method: 'GET', as: token })
  assert.equal(me.error, 'session_not_found')
  const row = await service.db
    .selectFrom('revoked_session')
    .selectAll()
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  assert.ok(row, 'the database lists it')
})

test('ends a session by exactly one of fifty concurrent revocations', async () => {
  const { token } = await service.signUp('once@example.com')
  const answers = await Promise.all(Array.from({ length: 50 }, () => revoke(token)))
  assert.equal(answers.filter(answer => answer.status === 200).length, 1)
})

test('reports whether a session is active, only to a signed internal request', async () => {
  const { token, sessionId } = await service.signUp('internal@example.com')
  const sign = createServiceTokenSigner(internalKey, 'identity')
  const ask = (authorization?: string) =>
    service.app.inject({
      url: `/internal/sessions/${sessionId}`,
      headers: authorization === undefined ? {} : { authorization },
    })
  const signed = `Bearer ${await sign()}`
  assert.deepEqual((await ask(signed)).json(), { session_id: sessionId, active: true })
  await revoke(token)
  assert.deepEqual((await ask(signed)).json(), { session_id: sessionId, active: false })
  for (const authorization of [undefined, 'Bearer x', `Basic ${btoa('a:b')}`]) {
    assert.equal((await ask(authorization)).statusCode, 401)
  }
  const other = createServiceTokenSigner(internalKey, 'ingest')
  assert.equal((await ask(`Bearer ${await other()}`)).statusCode, 401)
  const stranger = createServiceTokenSigner(Buffer.alloc(32, 1), 'identity')
  assert.equal((await ask(`Bearer ${await stranger()}`)).statusCode, 401)
  const old = createServiceTokenSigner(internalKey, 'identity', () => new Date(Date.now() - 120_000))
  assert.equal((await ask(`Bearer ${await old()}`)).statusCode, 401)
})

test('lists an ended session in Redis until its JWT expires, even if Redis was down meanwhile', async t => {
  const dir = mkdtempSync(join(tmpdir(), 'lapwing-valkey-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const options = { dir, toolsDir: join(import.meta.dirname, '../../../../.tools'), throwaway: true }
  let valkey = await startValkey(options)
  t.after(() => valkey.stop())
  const announcing = await harness({}, { REDIS_URL: valkey.url })
  t.after(() => announcing.close())
  const reader = new Redis(valkey.url, { retryStrategy: () => 50 })
  reader.on('error', () => {})
  t.after(() => reader.disconnect())
  const end = (token: string) => announcing.call('revokeSession', '/sdk/v1/sessions/revoke', { as: token })

  const listed = (id: string) => reader.zscore(REVOKED_SESSIONS_KEY, id)

  await until(async () => (await listed(REVOCATIONS_COMPLETE)) !== null)
  const first = await announcing.signUp('redis@example.com')
  assert.equal(await listed(first.sessionId), null)
  await end(first.token)
  const staysMs = Number(await listed(first.sessionId)) - announcing.now().getTime()
  assert.equal(staysMs, 3_660_000, 'the rest of the hour and a minute for clocks that differ')

  const second = await announcing.signUp('redis2@example.com')
  await valkey.kill()
  // Redis stays down during the call, so the call does not wait for it.
  assert.equal((await end(second.token)).status, 200)

  // Redis restarts empty. Without the mark readers do not trust a missing entry.
  valkey = await startValkey({ ...options, port: valkey.port })
  await until(async () => (await listed(REVOCATIONS_COMPLETE)) !== null)
  for (const { sessionId } of [first, second]) assert.notEqual(await listed(sessionId), null)

  // Expired entries are deleted when the whole list is sent again.
  announcing.advance(3_660_000)
  await reader.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
  await until(async () => (await reader.zcard(REVOKED_SESSIONS_KEY)) === 1)
})

test('keeps the session in http-only cookies if configured', async t => {
  const withCookies = await harness({}, { COOKIES: 'http-only', COOKIE_DOMAIN: 'lapwing.test' })
  t.after(() => withCookies.close())
  const { data, headers } = await withCookies.call('createPassword', '/sdk/v1/passwords', {
    body: { email: 'cookie@example.com', password: goodPassword, session_duration_minutes: 60 },
  })
  assert.deepEqual([data.session_token, data.session_jwt], ['', ''])
  const cookies = (headers['set-cookie'] as string[]).filter(cookie => cookie.startsWith('stytch_session'))
  assert.equal(cookies.length, 2)
  for (const cookie of cookies) {
    assert.match(
      cookie,
      /^stytch_session(_jwt)?=[^;]+; Domain=lapwing\.test; Path=\/; Expires=Sun, 01 Mar 2026 13:00:00 GMT; HttpOnly; Secure; SameSite=Lax$/,
    )
  }
  const cookie = cookies.map(value => value.split(';')[0]).join('; ')
  const again = await withCookies.call('authenticateSession', '/sdk/v1/sessions/authenticate', {
    headers: { cookie },
    body: {},
  })
  assert.equal(again.data.session.session_id, data.session.session_id)
  const out = await withCookies.call('revokeSession', '/sdk/v1/sessions/revoke', { headers: { cookie } })
  assert.equal(out.status, 200)
  for (const cleared of out.headers['set-cookie'] as string[]) {
    assert.match(cleared, /^stytch_session(_jwt)?=; Domain=lapwing\.test; Path=\/; Expires=Thu, 01 Jan 1970/)
  }
  const after = await withCookies.call('authenticateSession', '/sdk/v1/sessions/authenticate', {
    headers: { cookie },
    body: {},
  })
  assert.equal(after.error, 'session_not_found')
})

test('sets and accepts no session cookie if the page keeps the session', async () => {
  const { token } = await service.signUp('nocookie@example.com')
  const answer = await service.call('authenticateSession', '/sdk/v1/sessions/authenticate', {
    headers: { cookie: `stytch_session=${token}` },
    body: {},
  })
  assert.equal(answer.error, 'user_unauthenticated')
  assert.equal((await authenticate(token)).headers['set-cookie'], undefined)
})
