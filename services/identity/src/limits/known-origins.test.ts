import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sweep } from '../sweep.ts'
import { goodPassword, type Harness, harness, linkIn } from '../test/harness.ts'
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

test('accepts the right password of a known browser two seconds after thirty wrong ones', async () => {
  const { email, cookie } = await signUpFrom('forgetful@example.com', '192.0.2.63')
  // The thirty-first is the first one beyond the limit.
  for (let tries = 0; tries < 31; tries++) {
    assert.equal((await signIn(email, 'wrong password', { cookie })).error, 'unauthorized_credentials')
  }
  const refused = await signIn(email, goodPassword, { cookie })
  assert.deepEqual([refused.status, refused.error], [429, 'user_lock_limit_reached'])
  assert.equal(refused.headers['retry-after'], '2')
  service.advance(2_000)
  assert.equal((await signIn(email, goodPassword, { cookie })).status, 200)
})

test('compares at most sixty passwords a minute for a stolen browser cookie, from any networks', async () => {
  const { email, cookie } = await signUpFrom('stolen@example.com', '192.0.2.69')
  for (let minute = 0; minute < 3; minute++) {
    let compared = 0
    for (let tries = 0; tries < 240; tries++) {
      service.advance(250)
      const { error } = await signIn(email, 'wrong password', { cookie })
      if (error === 'unauthorized_credentials') compared++
    }
    assert.ok(compared >= 50 && compared <= 60, `${compared} in minute ${minute}`)
  }
})

test('hashes thirty of a hundred tries of one network with made-up cookies', async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      signIn(`spray.${index}@example.com`, 'wrong password', {
        ip: '192.0.2.70',
        cookie: `__Host-lapwing-browser=${String(index).padStart(43, 'A')}`,
      }),
    ),
  )
  const errors = answers.map(({ error }) => error)
  assert.equal(errors.filter(error => error === 'unauthorized_credentials').length, 30)
  assert.equal(errors.filter(error => error === 'too_many_requests').length, 70)
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

test('compares 120 tries a minute of the known browsers of a network, and three of each beside these', async () => {
  const ip = '192.0.2.72'
  const people = []
  for (let index = 0; index < 8; index++) people.push(await signUpFrom(`many.${index}@example.com`, ip))
  service.advance(61_000)
  const late = people.pop()!
  const errors: (string | undefined)[] = []
  for (const { email, cookie } of people) {
    for (let tries = 0; tries < 30; tries++) {
      errors.push((await signIn(email, 'wrong password', { ip, cookie })).error)
    }
  }
  assert.equal(errors.filter(error => error === 'unauthorized_credentials').length, 120 + 7 * 3)
  assert.equal(errors.at(-1), 'too_many_requests')
  for (let tries = 0; tries < 3; tries++)
    assert.equal((await signIn(late.email, goodPassword, { ip, cookie: late.cookie })).status, 200)
})

test('mails and opens a reset link in a known browser after its network used up mails and sign-ins', async () => {
  const person = await signUpFrom('reset@example.com', '192.0.2.71')
  const { email, ip, cookie } = person
  await service.db.updateTable('email').set({ verified: true }).where('address', '=', email).execute()
  const start = (to: string, headers: Record<string, string> = {}) =>
    service.call('startPasswordReset', '/sdk/v1/passwords/email/reset/start', {
      body: { email: to },
      ip,
      headers,
    })
  const finish = (token: string, headers: Record<string, string> = {}) =>
    service.call('resetPasswordByEmail', '/sdk/v1/passwords/email/reset', {
      body: { token, password: 'quiet marshal umbrella 7' },
      ip,
      headers,
    })
  for (let tries = 0; tries < 30; tries++) {
    await start(`neighbour.${tries}@example.com`)
    assert.equal((await finish('made up')).error, 'unable_to_auth_password_reset_token')
  }
  for (const to of [email, 'unknown@example.com']) {
    assert.equal((await start(to)).error, 'too_many_requests')
  }
  // The cookie counts only for an account that knows the browser.
  assert.equal((await start('unknown@example.com', { cookie })).error, 'too_many_requests')
  assert.equal((await start(email, { cookie })).status, 200)
  const token = linkIn((await service.mailsTo(email)).at(-1)!).searchParams.get('token')!
  assert.equal((await finish(token)).error, 'too_many_requests')
  assert.equal((await finish(token, { cookie })).status, 200)
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
