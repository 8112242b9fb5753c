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

interface From {
  readonly ip?: string
  /** The cookie of the browser. */
  readonly cookie?: string
  readonly as?: string
}

const signIn = (email: string, password: string, { ip, cookie, as }: From = {}) =>
  service.call('authenticatePassword', '/sdk/v1/passwords/authenticate', {
    body: { email, password },
    ...(ip !== undefined && { ip }),
    ...(as !== undefined && { as }),
    ...(cookie !== undefined && { headers: { cookie } }),
  })

/** The cookie by which accounts know a browser, out of an answer. */
function browserIn({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): string {
  const cookies = [headers['set-cookie'] ?? []].flat().map(String)
  const found = cookies.find(cookie => cookie.startsWith('__Host-lapwing-browser='))
  assert.ok(found, 'the answer names the browser')
  return found.split(';')[0]!
}

/** A person, and the browser and the network in which they signed up. */
async function aPerson(email: string, ip: string) {
  const answer = await service.call('createPassword', '/sdk/v1/passwords', {
    body: { email, password: goodPassword },
    ip,
  })
  assert.equal(answer.status, 200)
  return {
    email,
    ip,
    cookie: browserIn(answer),
    userId: answer.data.user_id,
    token: answer.data.session_token,
  }
}

/** As many wrong tries from as many networks as close the account to every stranger. */
async function attack(email: string): Promise<void> {
  for (let tries = 0; tries < 31; tries++) await signIn(email, 'wrong password')
  assert.equal((await signIn(email, goodPassword)).error, 'user_lock_limit_reached')
}

test('a browser is named by a cookie that no script reads, with nothing of the account in it', async () => {
  const answer = await service.call('createPassword', '/sdk/v1/passwords', {
    body: { email: 'cookie@example.com', password: goodPassword },
  })
  const cookies = [answer.headers['set-cookie'] ?? []].flat().map(String)
  assert.match(
    cookies.find(cookie => cookie.includes('lapwing-browser'))!,
    /^__Host-lapwing-browser=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
  const rows = await service.db.selectFrom('known_origin').selectAll().execute()
  const secret = browserIn(answer).split('=')[1]!
  assert.ok(!JSON.stringify(rows).includes(secret))
  assert.ok(rows.every(({ digest }) => digest.length === 32))
})

test('while strangers close the account, its browser and its network still get in with the password', async () => {
  const person = await aPerson('closed@example.com', '192.0.2.60')
  await attack(person.email)
  assert.equal((await signIn(person.email, goodPassword, { cookie: person.cookie })).status, 200)
  assert.equal((await signIn(person.email, goodPassword, { ip: person.ip })).status, 200)
})

test('a known browser gets in whatever is tried from its own network, also after it signed out', async () => {
  const person = await aPerson('shared@example.com', '192.0.2.61')
  await service.call('revokeSession', '/sdk/v1/sessions/revoke', { as: person.token })
  service.advance(30 * 24 * 3_600_000)
  const { ip, cookie } = person
  for (let tries = 0; tries < 40; tries++) await signIn(person.email, 'wrong password', { ip })
  assert.equal((await signIn(person.email, goodPassword, { ip })).error, 'too_many_requests')
  const answer = await signIn(person.email, goodPassword, { ip, cookie })
  assert.equal(answer.status, 200)
  assert.equal(browserIn(answer), cookie, 'the browser keeps its name')
})

test('a known network has its own ten tries a minute and no more', async () => {
  const person = await aPerson('network@example.com', '192.0.2.62')
  await attack(person.email)
  const { ip } = person
  for (let tries = 0; tries < 10; tries++) {
    assert.equal((await signIn(person.email, 'wrong', { ip })).error, 'unauthorized_credentials')
  }
  assert.equal((await signIn(person.email, goodPassword, { ip })).error, 'user_lock_limit_reached')
})

test('a stolen browser guesses thirty times a minute and no more', async () => {
  const { email, cookie } = await aPerson('stolen@example.com', '192.0.2.63')
  const answers = []
  for (let tries = 0; tries < 31; tries++) answers.push(await signIn(email, 'wrong password', { cookie }))
  assert.deepEqual(
    answers.map(({ error }) => error),
    [...Array(30).fill('unauthorized_credentials'), 'user_lock_limit_reached'],
  )
})

test('the browser of one account is a stranger to another, and a made-up one to all', async () => {
  const mine = await aPerson('mine@example.com', '192.0.2.64')
  const yours = await aPerson('yours@example.com', '192.0.2.65')
  await attack(yours.email)
  for (const cookie of [
    mine.cookie,
    `__Host-lapwing-browser=${'A'.repeat(43)}`,
    '__Host-lapwing-browser=x',
  ]) {
    assert.equal((await signIn(yours.email, goodPassword, { cookie })).error, 'user_lock_limit_reached')
  }
  await attack('nobody@example.com')
  const nobody = await signIn('nobody@example.com', goodPassword, { cookie: mine.cookie })
  assert.equal(nobody.error, 'user_lock_limit_reached')
})

test('an operator’s lock keeps a known browser out as well, with the answer of a wrong password', async () => {
  const { email, cookie, userId } = await aPerson('operator@example.com', '192.0.2.66')
  await service.deps.change(work => lockUser(work, userId, true))
  assert.equal((await signIn(email, goodPassword, { cookie })).error, 'unauthorized_credentials')
})

test('a new password makes strangers of all browsers but the one in which it was set', async () => {
  const { email, cookie, token } = await aPerson('changed@example.com', '192.0.2.67')
  const changed = await service.call('resetPasswordBySession', '/sdk/v1/passwords/session/reset', {
    as: token,
    body: { password: 'quiet marshal umbrella 7' },
  })
  for (let tries = 0; tries < 31; tries++) await signIn(email, 'wrong password')
  const later = (cookie: string) => signIn(email, 'quiet marshal umbrella 7', { cookie })
  assert.equal((await later(cookie)).error, 'user_lock_limit_reached')
  assert.equal((await later(browserIn(changed))).status, 200)
})

test('an account remembers so many browsers and networks, the newest, and forgets them after 400 days', async () => {
  const { email, userId } = await aPerson('bounded@example.com', '192.0.2.68')
  const count = async () =>
    (await service.db.selectFrom('known_origin').select('kind').where('user_id', '=', userId).execute())
      .length
  let newest = ''
  for (let turn = 0; turn < MAX_KNOWN_ORIGINS + 4; turn++) {
    service.advance(61_000)
    newest = browserIn(await signIn(email, goodPassword))
  }
  assert.equal(await count(), 2 * MAX_KNOWN_ORIGINS)
  await attack(email)
  assert.equal((await signIn(email, goodPassword, { cookie: newest })).status, 200)
  service.advance(401 * 24 * 3_600_000)
  await sweep(service.deps)
  assert.equal(await count(), 0)
})
