import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sweep } from '../sweep.ts'
import { goodPassword, type Harness, harness } from '../test/harness.ts'
import { lockUser } from '../users/lock-user.ts'
import { MAX_KNOWN_ORIGINS } from './known-origins.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

interface Origin {
  readonly ip?: string
  /** Cookie that identifies the browser. */
  readonly cookie?: string
  readonly as?: string
}

const signIn = (email: string, password: string, { ip, cookie, as }: Origin = {}) =>
  service.call('authenticatePassword', '/sdk/v1/passwords/authenticate', {
    body: { email, password },
    ...(ip !== undefined && { ip }),
    ...(as !== undefined && { as }),
    ...(cookie !== undefined && { headers: { cookie } }),
  })

/** Returns the browser's cookie from an answer. */
function browserCookieOf({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): string {
  const cookies = [headers['set-cookie'] ?? []].flat().map(String)
  const found = cookies.find(cookie => cookie.startsWith('__Host-lapwing-browser='))
  assert.ok(found, 'the answer sets the cookie')
  return found.split(';')[0]!
}

/** Signs up a person and returns their browser's cookie and network. */
async function signUpFrom(email: string, ip: string) {
  const answer = await service.call('createPassword', '/sdk/v1/passwords', {
    body: { email, password: goodPassword },
    ip,
  })
  assert.equal(answer.status, 200)
  return {
    email,
    ip,
    cookie: browserCookieOf(answer),
    userId: answer.data.user_id,
    token: answer.data.session_token,
  }
}

/** Uses up the account's tries from unknown networks. */
async function exhaustTries(email: string): Promise<void> {
  for (let tries = 0; tries < 31; tries++) await signIn(email, 'wrong password')
  assert.equal((await signIn(email, goodPassword)).error, 'user_lock_limit_reached')
}

test('sets an http-only cookie that holds nothing about the account', async () => {
  const answer = await service.call('createPassword', '/sdk/v1/passwords', {
    body: { email: 'cookie@example.com', password: goodPassword },
  })
  const cookies = [answer.headers['set-cookie'] ?? []].flat().map(String)
  assert.match(
    cookies.find(cookie => cookie.includes('lapwing-browser'))!,
    /^__Host-lapwing-browser=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
  const rows = await service.db.selectFrom('known_origin').selectAll().execute()
  const secret = browserCookieOf(answer).split('=')[1]!
  assert.ok(!JSON.stringify(rows).includes(secret))
  assert.ok(rows.every(({ digest }) => digest.length === 32))
})

test('accepts a known browser and a known network after strangers used up all tries', async () => {
  const person = await signUpFrom('closed@example.com', '192.0.2.60')
  await exhaustTries(person.email)
  assert.equal((await signIn(person.email, goodPassword, { cookie: person.cookie })).status, 200)
  assert.equal((await signIn(person.email, goodPassword, { ip: person.ip })).status, 200)
})

test('accepts a known browser, even signed out, after its network used up all tries', async () => {
  const person = await signUpFrom('shared@example.com', '192.0.2.61')
  await service.call('revokeSession', '/sdk/v1/sessions/revoke', { as: person.token })
  service.advance(30 * 24 * 3_600_000)
  const { ip, cookie } = person
  for (let tries = 0; tries < 40; tries++) await signIn(person.email, 'wrong password', { ip })
  assert.equal((await signIn(person.email, goodPassword, { ip })).error, 'too_many_requests')
  const answer = await signIn(person.email, goodPassword, { ip, cookie })
  assert.equal(answer.status, 200)
  assert.equal(browserCookieOf(answer), cookie, 'the cookie stays the same')
})

test('allows a known network ten tries a minute', async () => {
  const person = await signUpFrom('network@example.com', '192.0.2.62')
  await exhaustTries(person.email)
  const { ip } = person
  for (let tries = 0; tries < 10; tries++) {
    assert.equal((await signIn(person.email, 'wrong', { ip })).error, 'unauthorized_credentials')
  }
  assert.equal((await signIn(person.email, goodPassword, { ip })).error, 'user_lock_limit_reached')
})

test('allows a stolen browser cookie thirty tries a minute', async () => {
  const { email, cookie } = await signUpFrom('stolen@example.com', '192.0.2.63')
  const answers = []
  for (let tries = 0; tries < 31; tries++) answers.push(await signIn(email, 'wrong password', { cookie }))
  assert.deepEqual(
    answers.map(({ error }) => error),
    [...Array(30).fill('unauthorized_credentials'), 'user_lock_limit_reached'],
  )
})

test('treats the cookie of another account or a made-up cookie as unknown', async () => {
  const mine = await signUpFrom('mine@example.com', '192.0.2.64')
  const yours = await signUpFrom('yours@example.com', '192.0.2.65')
  await exhaustTries(yours.email)
  for (const cookie of [
    mine.cookie,
    `__Host-lapwing-browser=${'A'.repeat(43)}`,
    '__Host-lapwing-browser=x',
  ]) {
    assert.equal((await signIn(yours.email, goodPassword, { cookie })).error, 'user_lock_limit_reached')
  }
  await exhaustTries('nobody@example.com')
  const nobody = await signIn('nobody@example.com', goodPassword, { cookie: mine.cookie })
  assert.equal(nobody.error, 'user_lock_limit_reached')
})

test('rejects a known browser of a locked account like a wrong password', async () => {
  const { email, cookie, userId } = await signUpFrom('operator@example.com', '192.0.2.66')
  await service.deps.change(work => lockUser(work, userId, true))
  assert.equal((await signIn(email, goodPassword, { cookie })).error, 'unauthorized_credentials')
})

test('forgets all browsers with a new password, except the one that set it', async () => {
  const { email, cookie, token } = await signUpFrom('changed@example.com', '192.0.2.67')
  const changed = await service.call('resetPasswordBySession', '/sdk/v1/passwords/session/reset', {
    as: token,
    body: { password: 'quiet marshal umbrella 7' },
  })
  for (let tries = 0; tries < 31; tries++) await signIn(email, 'wrong password')
  const later = (cookie: string) => signIn(email, 'quiet marshal umbrella 7', { cookie })
  assert.equal((await later(cookie)).error, 'user_lock_limit_reached')
  assert.equal((await later(browserCookieOf(changed))).status, 200)
})

test('remembers only the newest browsers and networks, and forgets them after 400 days', async () => {
  const { email, userId } = await signUpFrom('bounded@example.com', '192.0.2.68')
  const count = async () =>
    (await service.db.selectFrom('known_origin').select('kind').where('user_id', '=', userId).execute())
      .length
  let newest = ''
  for (let turn = 0; turn < MAX_KNOWN_ORIGINS + 4; turn++) {
    service.advance(61_000)
    newest = browserCookieOf(await signIn(email, goodPassword))
  }
  assert.equal(await count(), 2 * MAX_KNOWN_ORIGINS)
  await exhaustTries(email)
  assert.equal((await signIn(email, goodPassword, { cookie: newest })).status, 200)
  service.advance(401 * 24 * 3_600_000)
  await sweep(service.deps)
  assert.equal(await count(), 0)
})
