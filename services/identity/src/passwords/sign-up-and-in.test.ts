import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import { createSessionVerifier } from '@lapwing/auth'
import { until } from '@lapwing/testing/until.ts'
import { createLocalJWKSet } from 'jose'
import { goodPassword, type Harness, harness, publicToken } from '../test/harness.ts'
import { createPasswordHasher, type PasswordHasher } from './password-hasher.ts'

let service: Harness
/** Number of passwords verified so far. */
let hashes = 0

before(async () => {
  const inner = await createPasswordHasher({ memoryKib: 64, passes: 1, concurrency: 2, maxWaitMs: 60_000 })
  const counting: PasswordHasher = {
    ...inner,
    verify(hash, password) {
      hashes++
      return inner.verify(hash, password)
    },
  }
  service = await harness({ hasher: counting })
})

after(() => service.close())

const signUp = (email: unknown, password: unknown = goodPassword) =>
  service.call('createPassword', '/sdk/v1/passwords', {
    body: { email, password, session_duration_minutes: 60 },
  })
const signIn = (email: unknown, password: unknown, options: { as?: string; ip?: string } = {}) =>
  service.call('authenticatePassword', '/sdk/v1/passwords/authenticate', {
    body: { email, password, session_duration_minutes: 60 },
    ...options,
  })

test('answers a sign-up with a session of an hour, two tokens and the account twice', async () => {
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

test('issues a JWT that the services accept and that lives as long as the session', async () => {
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

test('stores neither the password nor the session token', async () => {
  const { data } = await signUp('rest@example.com')
  const dump = JSON.stringify([
    await service.db.selectFrom('password').selectAll().execute(),
    await service.db.selectFrom('session').selectAll().execute(),
  ])
  assert.ok(!dump.includes(goodPassword))
  assert.ok(!dump.includes(data.session_token))
  assert.match(dump, /\$argon2id\$/)
})

test('treats capitals, outer spaces and Unicode forms of an address as one account', async () => {
  await signUp('Driver.One@Example.COM')
  assert.equal((await signIn('  driver.one@example.com ', goodPassword)).status, 200)
  assert.equal((await signUp('DRIVER.ONE@EXAMPLE.com')).error, 'duplicate_email')
  await signUp('fahrer@bücher.example')
  assert.equal((await signUp('FAHRER@BÜCHER.example')).error, 'duplicate_email')
  assert.equal((await signIn('fahrer@xn--bcher-kva.example', goodPassword)).status, 200)
})

for (const [what, email] of [
  ['nothing', ''],
  ['no @', 'driver.example.com'],
  ['no domain', 'driver@'],
  ['no dot in the domain', 'driver@localhost'],
  ['a space inside', 'dri ver@example.com'],
  ['two dots', 'dri..ver@example.com'],
  ['a line break', 'driver@example.com\r\nBcc: x@example.com'],
  ['two addresses', 'a@example.com,b@example.com'],
  ['300 characters', `${'a'.repeat(288)}@example.com`],
  ['a NUL', 'dri\0ver@example.com'],
] as const) {
  test(`answers invalid_email for an address with ${what}`, async () => {
    for (const answer of [await signUp(email), await signIn(email, goodPassword)]) {
      assert.deepEqual([answer.status, answer.error], [400, 'invalid_email'])
      assert.equal(answer.body.error_message, 'Email format is invalid.')
    }
  })
}

for (const [what, password, status, error] of [
  ['7 characters', 'kX9#q2!', 400, 'weak_password'],
  ['8 characters', 'kX9#q2!w', 200, undefined],
  ['8 emoji', '🏁🦉🚗🔧🛞🏎️🧤⏱️', 200, undefined],
  ['1,024 characters', `kX9#q2!w${'pit lane '.repeat(200)}`.slice(0, 1024), 200, undefined],
  ['1,025 characters', `kX9#q2!w${'pit lane '.repeat(200)}`.slice(0, 1025), 400, 'weak_password'],
  ['100,000 characters', 'pit lane '.repeat(11_112).slice(0, 100_000), 400, 'weak_password'],
  ['nothing', '', 400, 'weak_password'],
  ['a breached one', 'qwertyuiop', 400, 'breached_password'],
  ['one that is easily guessed', 'abcdefgh1', 400, 'weak_password'],
  ['substituted letters in a common word', 'P@ssw0rd12', 400, 'weak_password'],
  ['the address itself', 'someone.special@example.com', 400, 'weak_password'],
] as const) {
  test(`answers ${error ?? 'a session'} for a password with ${what}`, async () => {
    const email =
      what === 'the address itself' ? password : `password.${what.replace(/\W+/g, '.')}@example.com`
    const answer = await signUp(email, password)
    assert.deepEqual([answer.status, answer.error], [status, error])
    if (status !== 200) return
    assert.equal((await signIn(email, password)).status, 200)
    assert.equal((await signIn(email, `${password.slice(0, -1)}~`)).error, 'unauthorized_credentials')
  })
}

test('accepts exactly one of fifty concurrent sign-ups with one address', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => signUp(index % 2 ? 'race@example.com' : 'RACE@example.com')),
  )
  assert.equal(answers.filter(answer => answer.status === 200).length, 1)
  assert.equal(answers.filter(answer => answer.error === 'duplicate_email').length, 49)
  const mails = await service.mailsTo('race@example.com')
  assert.ok(mails.length <= 1, 'its owner gets one mail')
})

test('notifies the owner of an address about sign-ups with it, once a minute and ten times an hour', async () => {
  await signUp('owner@example.com')
  await signUp('owner@example.com')
  await signUp('owner@example.com')
  const kinds = async () => (await service.mailsTo('owner@example.com')).map(mail => mail.kind)
  assert.deepEqual(await kinds(), ['already_registered'])
  for (let turn = 0; turn < 20; turn++) {
    service.advance(61_000)
    assert.equal((await signUp('owner@example.com')).error, 'duplicate_email')
  }
  // After ten one in five minutes.
  assert.equal((await kinds()).length, 10 + 3)
})

test('answers an unknown address, a missing or wrong password and a locked account the same, after one hash', async () => {
  const known = await service.signUp('known@example.com')
  const locked = await service.signUp('locked@example.com')
  await service.db
    .updateTable('person')
    .set({ locked_at: service.now() })
    .where('user_id', '=', locked.userId)
    .execute()
  const social = await service.signUp('social@example.com')
  await service.db.deleteFrom('password').where('user_id', '=', social.userId).execute()
  assert.ok(known)
  const bodies = new Set<string>()
  for (const [email, password] of [
    ['nobody@example.com', goodPassword],
    ['known@example.com', 'wrong password'],
    ['locked@example.com', goodPassword],
    ['social@example.com', goodPassword],
    ['known@example.com', ''],
    ['nobody@example.com', ''],
    ['known@example.com', 'x'.repeat(100_000)],
    ['nobody@example.com', 'x'.repeat(100_000)],
  ] as const) {
    const before = hashes
    const { status, body } = await signIn(email, password)
    assert.equal(status, 401)
    assert.equal(hashes, before + 1, `${email} costs one hash`)
    bodies.add(JSON.stringify({ ...body, request_id: '' }))
  }
  assert.equal(bodies.size, 1)
  assert.match([...bodies][0]!, /"Unauthorized credentials\."/)
})

test('hashes exactly ten of thirty concurrent wrong tries from one network, and locks out the others', async () => {
  await signUp('target@example.com')
  service.advance(61_000)
  const before = hashes
  const ip = '192.0.2.20'
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => signIn('target@example.com', 'wrong password', { ip })),
  )
  assert.equal(hashes - before, 10)
  assert.equal(answers.filter(answer => answer.error === 'unauthorized_credentials').length, 10)
  const refused = answers.filter(answer => answer.error === 'user_lock_limit_reached')
  assert.equal(refused.length, 20)
  assert.equal(
    refused[0]!.body.error_message,
    'Too many failed authentication attempts. Please try again later.',
  )
  assert.ok(Number(refused[0]!.headers['retry-after']) <= 60)
})

test('hashes exactly thirty of fifty concurrent wrong tries from fifty networks', async () => {
  await signUp('spread@example.com')
  service.advance(61_000)
  const before = hashes
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => signIn('spread@example.com', 'wrong password')),
  )
  assert.equal(hashes - before, 30)
  assert.equal(answers.filter(({ error }) => error === 'user_lock_limit_reached').length, 20)
})

test('limits tries of an unknown address in the same way', async () => {
  const ip = '192.0.2.21'
  for (let tries = 0; tries < 10; tries++) await signIn('ghost@example.com', 'wrong password', { ip })
  assert.equal((await signIn('GHOST@example.com', 'wrong password', { ip })).error, 'user_lock_limit_reached')
  // After twenty more from elsewhere it is locked for every unknown network.
  for (let tries = 0; tries < 20; tries++) {
    assert.equal((await signIn('ghost@example.com', 'wrong password')).error, 'unauthorized_credentials')
  }
  assert.equal((await signIn('GHOST@example.com', 'wrong password')).error, 'user_lock_limit_reached')
})

test('accepts other networks after ten wrong tries from one network', async () => {
  await signUp('elsewhere@example.com')
  const ip = '192.0.2.22'
  for (let tries = 0; tries < 10; tries++) await signIn('elsewhere@example.com', 'wrong password', { ip })
  assert.equal((await signIn('elsewhere@example.com', goodPassword, { ip })).error, 'user_lock_limit_reached')
  assert.equal((await signIn('elsewhere@example.com', goodPassword)).status, 200)
})

test('ends a lock a minute after its first try, however many tries follow', async () => {
  await signUp('victim@example.com')
  service.advance(61_000)
  for (let tries = 0; tries < 30; tries++) await signIn('victim@example.com', 'wrong password')
  service.advance(30_000)
  for (let tries = 0; tries < 20; tries++) await signIn('victim@example.com', 'wrong password')
  assert.equal((await signIn('victim@example.com', goodPassword)).error, 'user_lock_limit_reached')
  service.advance(31_000)
  assert.equal((await signIn('victim@example.com', goodPassword)).status, 200)
})

test('clears the count of wrong tries after the right password', async () => {
  await signUp('clumsy@example.com')
  const ip = '192.0.2.23'
  for (let round = 0; round < 2; round++) {
    for (let tries = 0; tries < 9; tries++) await signIn('clumsy@example.com', 'wrong password', { ip })
    assert.equal((await signIn('clumsy@example.com', goodPassword, { ip })).status, 200)
  }
})

test('clears the tries of strangers after the right password', async () => {
  await signUp('busy@example.com')
  for (let turn = 0; turn < 4; turn++) {
    for (let tries = 0; tries < 15; tries++) await signIn('busy@example.com', 'wrong password')
    assert.equal((await signIn('busy@example.com', goodPassword)).status, 200)
  }
  const answers = []
  for (let turn = 0; turn < 40; turn++) answers.push(await signIn('busy@example.com', goodPassword))
  assert.ok(answers.every(({ status }) => status === 200))
})

test('answers concurrent right and wrong passwords of one account without a deadlock', async () => {
  await signUp('mixed@example.com')
  service.advance(61_000)
  const ip = '192.0.2.24'
  const answers = await Promise.all(
    Array.from({ length: 29 }, (_, index) =>
      signIn('mixed@example.com', index % 3 === 0 ? 'wrong password' : goodPassword, { ip }),
    ),
  )
  assert.ok(
    answers.every(({ status }) => status < 500),
    JSON.stringify(answers.map(({ error }) => error)),
  )
})

test('locks no account for an hour if the clock is set back an hour', async () => {
  await signUp('clock@example.com')
  for (let tries = 0; tries < 31; tries++) await signIn('clock@example.com', 'wrong password')
  service.advance(-3_600_000)
  assert.equal((await signIn('clock@example.com', goodPassword)).status, 200)
  service.advance(3_600_000)
})

test('answers too_many_requests after thirty tries from one network, for any accounts', async () => {
  for (let tries = 0; tries < 30; tries++) {
    const answer = await signIn(`many.${tries}@example.com`, 'wrong password', { ip: '192.0.2.7' })
    assert.equal(answer.error, 'unauthorized_credentials')
  }
  const answer = await signIn('many.30@example.com', 'wrong password', { ip: '192.0.2.7' })
  assert.deepEqual([answer.status, answer.error], [429, 'too_many_requests'])
  assert.ok(answer.headers['retry-after'])
})

test('counts an IPv6 /64 as one network, and an IPv4-mapped address as IPv4', async () => {
  for (let tries = 0; tries < 30; tries++) {
    await signIn(`six.${tries}@example.com`, 'wrong password', { ip: `2001:db8:1:2::${tries.toString(16)}` })
  }
  const sameLine = await signIn('six@example.com', 'wrong password', { ip: '2001:db8:1:2:ffff::1' })
  assert.equal(sameLine.error, 'too_many_requests')
  const otherLine = await signIn('six@example.com', 'wrong password', { ip: '2001:db8:1:3::1' })
  assert.equal(otherLine.error, 'unauthorized_credentials')
  for (let tries = 0; tries < 30; tries++) {
    await signIn(`four.${tries}@example.com`, 'wrong password', { ip: '192.0.2.8' })
  }
  const mapped = await signIn('four@example.com', 'wrong password', { ip: '::ffff:192.0.2.8' })
  assert.equal(mapped.error, 'too_many_requests')
})

test('ignores forged addresses in X-Forwarded-For', async () => {
  for (let tries = 0; tries < 31; tries++) {
    await signIn(`forged.${tries}@example.com`, 'wrong password', { ip: `198.51.100.${tries}, 192.0.2.9` })
  }
  const answer = await signIn('forged@example.com', 'wrong password', { ip: '198.51.100.99, 192.0.2.9' })
  assert.equal(answer.error, 'too_many_requests')
})

test('keeps the session and changes its token if the same person signs in again', async () => {
  const { token, sessionId } = await service.signUp('again@example.com')
  const { data } = await signIn('again@example.com', goodPassword, { as: token })
  assert.equal(data.session.session_id, sessionId)
  assert.notEqual(data.session_token, token)
  const old = await service.call('authenticateSession', '/sdk/v1/sessions/authenticate', {
    as: token,
    body: {},
  })
  assert.equal(old.error, 'session_not_found')
})

test('opens a new session if the browser’s session began long ago', async t => {
  const later = await harness()
  t.after(() => later.close())
  const { token, sessionId } = await later.signUp('longago@example.com')
  await later.call('authenticateSession', '/sdk/v1/sessions/authenticate', {
    as: token,
    body: { session_duration_minutes: 10_000 },
  })
  later.advance(25 * 3_600_000)
  const { data } = await later.call('authenticatePassword', '/sdk/v1/passwords/authenticate', {
    as: token,
    body: { email: 'longago@example.com', password: goodPassword, session_duration_minutes: 60 },
  })
  assert.notEqual(data.session.session_id, sessionId)
  assert.equal(data.session.started_at, later.now().toISOString())
  const old = await later.call('authenticateSession', '/sdk/v1/sessions/authenticate', {
    as: token,
    body: {},
  })
  assert.equal(old.error, 'session_not_found')
})

test('opens a new session and ends the browser’s session of another person', async () => {
  const other = await service.signUp('other@example.com')
  await service.signUp('me@example.com')
  const { data } = await signIn('me@example.com', goodPassword, { as: other.token })
  assert.notEqual(data.session.session_id, other.sessionId)
  const theirs = await service.call('authenticateSession', '/sdk/v1/sessions/authenticate', {
    as: other.token,
    body: {},
  })
  assert.equal(theirs.error, 'session_not_found')
})

test('requires a reset of a breached password, but reveals it only with the right password', async () => {
  const { userId } = await service.signUp('leaked@example.com')
  const hasher = await createPasswordHasher({ memoryKib: 64, passes: 1, concurrency: 1, maxWaitMs: 60_000 })
  await service.db
    .updateTable('password')
    .set({ hash: await hasher.hash('Password1') })
    .where('user_id', '=', userId)
    .execute()
  const { status, error, body } = await signIn('leaked@example.com', 'Password1')
  assert.deepEqual([status, error], [400, 'breached_password'])
  assert.match(body.error_message, /appears in a list of breached passwords and must be reset\./)
  assert.equal((await signIn('leaked@example.com', 'password2')).error, 'unauthorized_credentials')
  const changed = await service.call('resetPasswordByExisting', '/sdk/v1/passwords/existing_password/reset', {
    body: { email: 'leaked@example.com', existing_password: 'Password1', new_password: goodPassword },
  })
  assert.equal(changed.error, 'breached_password')
})

test('hashes a password with the current parameters at the next sign-in', async () => {
  const { userId } = await service.signUp('rehash@example.com')
  const older = await createPasswordHasher({ memoryKib: 32, passes: 2, concurrency: 1, maxWaitMs: 60_000 })
  const setHash = (hash: string) =>
    service.db.updateTable('password').set({ hash }).where('user_id', '=', userId).execute()
  await setHash(await older.hash(goodPassword))
  assert.equal((await signIn('rehash@example.com', goodPassword)).status, 200)
  const { hash } = await service.db
    .selectFrom('password')
    .select('hash')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  assert.match(hash, /m=64,t=1,p=1/)
  assert.equal((await signIn('rehash@example.com', goodPassword)).status, 200)
})

for (const minutes of [4, 527_041, 60.5, -1]) {
  test(`answers invalid_session_duration_minutes for ${minutes}`, async () => {
    const { error } = await service.call('createPassword', '/sdk/v1/passwords', {
      body: {
        email: `minutes${minutes}@example.com`,
        password: goodPassword,
        session_duration_minutes: minutes,
      },
    })
    assert.equal(error, 'invalid_session_duration_minutes')
  })
}

test('rates a password and returns advice', async () => {
  const rate = async (password: string) =>
    (await service.call('checkPasswordStrength', '/sdk/v1/passwords/strength_check', { body: { password } }))
      .data
  const breached = await rate('password1')
  assert.deepEqual([breached.valid_password, breached.breached_password], [false, true])
  assert.ok(breached.feedback.warning.length > 0)
  const short = await rate('k9X!')
  assert.equal(short.valid_password, false)
  assert.equal(short.feedback.luds_requirements.missing_characters, 4)
  const good = await rate(goodPassword)
  assert.deepEqual([good.valid_password, good.breached_password, good.score], [true, false, 4])
  const long = await rate('pit lane '.repeat(12_000))
  assert.equal(long.valid_password, false)
})

test('refuses a late sign-in in a flood before any query or count', async t => {
  // No wait is allowed, so one request is a flood. The clock does not move, so the request itself is not
  // late.
  const hasher = await createPasswordHasher({
    memoryKib: 64,
    passes: 1,
    concurrency: 1,
    maxWaitMs: 0,
    now: () => 0,
  })
  const flooded = await harness({ hasher })
  t.after(() => flooded.close())
  const answers = await Promise.all(
    Array.from({ length: 40 }, () =>
      flooded.call('authenticatePassword', '/sdk/v1/passwords/authenticate', {
        body: { email: 'flood@example.com', password: 'wrong password' },
      }),
    ),
  )
  const refused = answers.filter(({ error }) => error === 'service_unavailable')
  assert.ok(refused.length > 0)
  assert.ok(refused.every(({ headers }) => Number(headers['retry-after']) >= 1))
  const rows = await flooded.db.selectFrom('attempt').select('count').execute()
  const counted = rows.reduce((sum, { count }) => sum + count, 0)
  // Each admitted try counts for the network, for the account from there and for the account.
  assert.equal(counted, 3 * (40 - refused.length))
})

test('refuses a sign-in in a flood before it reads the body', async t => {
  // No wait is allowed, so one request is a flood. The clock does not move, so the request itself is not
  // late.
  const hasher = await createPasswordHasher({
    memoryKib: 64,
    passes: 1,
    concurrency: 1,
    maxWaitMs: 0,
    now: () => 0,
  })
  const flooded = await harness({ hasher })
  t.after(() => flooded.close())
  const tryWithout = async () =>
    (await flooded.call('authenticatePassword', '/sdk/v1/passwords/authenticate', { body: { email: 4 } }))
      .error
  let finish = () => {}
  const held = hasher.admit(
    () =>
      new Promise<void>(resolve => {
        finish = resolve
      }),
  )
  assert.equal(await tryWithout(), 'service_unavailable')
  finish()
  await held
  assert.notEqual(await tryWithout(), 'service_unavailable')
})

test('drops a request without a hash or a logged error if its client has gone', async t => {
  const hasher = await createPasswordHasher({ memoryKib: 64, passes: 1, concurrency: 1, maxWaitMs: 30_000 })
  const busy = await harness({ hasher })
  t.after(() => busy.close())
  const held = Promise.withResolvers<void>()
  const before = Array.from({ length: 4 }, () => hasher.admit(() => held.promise))
  const url = new URL('/sdk/v1/passwords/authenticate', await busy.app.listen({ host: '127.0.0.1', port: 0 }))
  const answers: ServerResponse[] = []
  busy.app.server.on('request', (_, response) => answers.push(response))
  const signIn = (email: string, signal: AbortSignal | null = null) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${btoa(`${publicToken}:${publicToken}`)}`,
      },
      body: JSON.stringify({ email, password: goodPassword }),
      signal,
    })
  const leaving = new AbortController()
  const gone = signIn('gone@example.com', leaving.signal)
  const stays = signIn('stays@example.com')
  // Both requests are read completely and wait for admission.
  await until(() => answers.length === 2 && answers.every(({ req }) => req.complete))
  leaving.abort()
  await assert.rejects(gone)
  await until(() => answers.some(answer => answer.closed))
  held.resolve()
  await Promise.all(before)
  assert.equal((await stays).status, 401)
  const counted = await busy.db.selectFrom('attempt').select('count').execute()
  // The remaining client's try counts for the network, for the account from there and for the account.
  assert.deepEqual(
    counted.map(({ count }) => count),
    [1, 1, 1],
  )
  assert.deepEqual(answers.map(({ statusCode }) => statusCode).toSorted(), [401, 503])
})
