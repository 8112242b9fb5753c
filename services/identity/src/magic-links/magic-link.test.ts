import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { goodPassword, type Harness, harness, linkIn } from '../test/harness.ts'
import { saveRegistration } from '../users/user.repository.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

const send = (email: string, more: object = {}) =>
  service.call('sendMagicLinkOrCreate', '/sdk/v1/magic_links/email/login_or_create', {
    body: { email, ...more },
  })
const sendKnown = (email: string) =>
  service.call('sendMagicLink', '/sdk/v1/magic_links/email/send/primary', { body: { email } })
const sendInSession = (email: string, as?: string) =>
  service.call('sendMagicLinkInSession', '/sdk/v1/magic_links/email/send/secondary', {
    body: { email },
    ...(as !== undefined && { as }),
  })
const open = (token: unknown, as?: string, ip?: string) =>
  service.call('authenticateMagicLink', '/sdk/v1/magic_links/authenticate', {
    body: { token, session_duration_minutes: 60 },
    ...(as !== undefined && { as }),
    ...(ip !== undefined && { ip }),
  })
const isActive = async (token: string) =>
  (await service.call('authenticateSession', '/sdk/v1/sessions/authenticate', { as: token, body: {} }))
    .status === 200

async function tokenFor(email: string): Promise<string> {
  const mail = (await service.mailsTo(email)).at(-1)
  return linkIn(mail!).searchParams.get('token')!
}

test('creates an account when the owner opens the link, not before', async () => {
  assert.equal((await send('new@example.com')).status, 200)
  const [mail] = await service.mailsTo('new@example.com')
  assert.equal(mail!.kind, 'signup')
  const link = linkIn(mail!)
  assert.equal(link.origin + link.pathname, 'https://lapwing.test/authenticate')
  assert.equal(link.searchParams.get('stytch_token_type'), 'magic_links')
  const search = () =>
    service.call('searchUser', '/sdk/v1/users/search', { body: { email: 'new@example.com' } })
  assert.equal((await search()).data.userType, 'new')
  const { status, data } = await open(link.searchParams.get('token'))
  assert.equal(status, 200)
  assert.deepEqual(data.user.emails, [{ email_id: data.method_id, email: 'new@example.com', verified: true }])
  assert.equal(data.session.authentication_factors[0].delivery_method, 'email')
  assert.equal(data.session.authentication_factors[0].email_factor.email_id, data.method_id)
  assert.equal((await search()).data.userType, 'passwordless')
})

test('signs in to the account of a known address', async () => {
  const { userId } = await service.signUp('known@example.com')
  await send('known@example.com')
  const { data } = await open(await tokenFor('known@example.com'))
  assert.equal(data.user_id, userId)
})

test('answers the same for a known and an unknown address', async () => {
  await service.signUp('same@example.com')
  for (const call of [send, sendKnown]) {
    const known = await call('same@example.com')
    const unknown = await call(`${call.name}.unknown@example.com`)
    assert.deepEqual({ ...known.body.data, request_id: '' }, { ...unknown.body.data, request_id: '' })
    service.advance(61_000)
  }
  assert.equal((await service.mailsTo('sendKnown.unknown@example.com'))[0]!.kind, 'no_account')
})

test('accepts exactly one of fifty concurrent tries with one link', async () => {
  await send('fifty@example.com')
  const token = await tokenFor('fifty@example.com')
  const answers = await Promise.all(Array.from({ length: 50 }, () => open(token)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.equal(answers.filter(({ error }) => error === 'unable_to_auth_magic_link').length, 49)
})

test('creates one account from two links to one new address', async () => {
  await send('twice@example.com')
  const first = await tokenFor('twice@example.com')
  service.advance(61_000)
  await send('twice@example.com')
  const [one, other] = await Promise.all([open(first), open(await tokenFor('twice@example.com'))])
  const ids = [one, other].filter(({ status }) => status === 200).map(({ data }) => data.user_id)
  assert.ok(ids.length >= 1)
  assert.equal(new Set(ids).size, 1)
})

test('rejects an expired or cut link', async () => {
  await send('late@example.com', { signup_expiration_minutes: 5 })
  const token = await tokenFor('late@example.com')
  assert.equal((await open(token.slice(1))).error, 'unable_to_auth_magic_link')
  service.advance(5 * 60_000)
  assert.deepEqual(
    [(await open(token)).status, (await open(token)).error],
    [401, 'unable_to_auth_magic_link'],
  )
  for (const minutes of [4, 10_081, 30.5]) {
    const { error } = await send('minutes@example.com', { signup_expiration_minutes: minutes })
    assert.equal(error, 'invalid_expiration_minutes')
  }
})

test('rejects redirects that are not in the list', async () => {
  for (const name of ['login_magic_link_url', 'signup_magic_link_url']) {
    const { status, error } = await send('x@example.com', { [name]: 'https://evil.example/authenticate' })
    assert.deepEqual([status, error], [400, 'no_match_for_provided_magic_link_url'])
  }
})

test('ends a squatter’s sessions and requires a reset when the owner proves the address', async () => {
  const squatter = await service.signUp('owner@example.com')
  await send('owner@example.com')
  const { data } = await open(await tokenFor('owner@example.com'))
  assert.equal(data.user_id, squatter.userId)
  assert.equal(await isActive(squatter.token), false)
  const { error } = await service.call('authenticatePassword', '/sdk/v1/passwords/authenticate', {
    body: { email: 'owner@example.com', password: goodPassword },
  })
  assert.equal(error, 'reset_password')
  const wrong = await service.call('authenticatePassword', '/sdk/v1/passwords/authenticate', {
    body: { email: 'owner@example.com', password: 'wrong password' },
  })
  assert.equal(wrong.error, 'unauthorized_credentials', 'only the right password reveals the required reset')
  // The second time the address is already verified, so no session ends.
  service.advance(61_000)
  await send('owner@example.com')
  await open(await tokenFor('owner@example.com'))
  assert.equal(await isActive(data.session_token), true)
})

test('keeps session and password if the signed-up browser confirms the address', async () => {
  const { token, userId } = await service.signUp('confirm@example.com')
  assert.equal((await sendInSession('confirm@example.com', token)).status, 200)
  const { data } = await open(await tokenFor('confirm@example.com'), token)
  assert.deepEqual([data.user_id, data.user.emails[0].verified], [userId, true])
  const { status } = await service.call('authenticatePassword', '/sdk/v1/passwords/authenticate', {
    body: { email: 'confirm@example.com', password: goodPassword },
  })
  assert.equal(status, 200)
})

test('accepts a link that adds an address only in a session of the person who requested it', async () => {
  const squatter = await service.signUp('lured@example.com')
  const stranger = await service.signUp('lured.stranger@example.com')
  await sendInSession('lured@example.com', squatter.token)
  const [mail] = await service.mailsTo('lured@example.com')
  assert.match(mail!.text, /signs nobody in/)
  const token = await tokenFor('lured@example.com')
  for (const as of [undefined, stranger.token, 'no-such-session']) {
    const { status, error } = await open(token, as)
    assert.deepEqual([status, error], [401, 'unable_to_auth_magic_link'])
  }
  const { data: me } = await service.call('getMe', '/sdk/v1/users/me', {
    method: 'GET',
    as: squatter.token,
  })
  assert.equal(me.emails[0].verified, false, 'nothing has changed')
  // The owner's own request sends another link, which ends the squatter's sessions.
  await send('lured@example.com')
  const { data } = await open(await tokenFor('lured@example.com'))
  assert.equal(data.user.emails[0].verified, true)
  assert.equal(await isActive(squatter.token), false)
  assert.equal((await open(token, squatter.token)).error, 'unable_to_auth_magic_link')
})

test('sends another link after 15 s or after its use', async () => {
  const email = 'resend@example.com'
  const count = async () => (await service.mailsTo(email)).length
  await send(email)
  await send(email)
  assert.equal(await count(), 1)
  assert.equal((await open(await tokenFor(email))).status, 200)
  await send(email)
  assert.equal(await count(), 2)
  service.advance(14_999)
  await send(email)
  assert.equal(await count(), 2)
  service.advance(1)
  await send(email)
  assert.equal(await count(), 3)
})

test('leaves the owner a working link, whatever strangers request', async () => {
  const { userId } = await service.signUp('flooded@example.com')
  for (let turn = 0; turn < 60; turn++) {
    // A stranger requests every possible mail, some bound to their browser, with the shortest life.
    await send('flooded@example.com', { login_expiration_minutes: 5, code_challenge: 'x'.repeat(43) })
    await send('flooded@example.com', { login_expiration_minutes: 5 })
    service.advance(61_000)
    if (turn % 7 !== 6) continue
    await send('flooded@example.com')
    const open = (await service.mailsTo('flooded@example.com')).toReversed()
    const answers = []
    for (const mail of open.slice(0, 6)) {
      answers.push(
        await service.call('authenticateMagicLink', '/sdk/v1/magic_links/authenticate', {
          body: { token: linkIn(mail).searchParams.get('token') },
        }),
      )
    }
    assert.ok(
      answers.some(({ status, data }) => status === 200 && data.user_id === userId),
      `turn ${turn}: ${answers.map(({ error }) => error)}`,
    )
  }
  const mails = (await service.mailsTo('flooded@example.com')).length
  assert.ok(mails <= 2 * (20 + 13), `${mails} mails in an hour`)
})

test('drops links if the password changes, even those from before the account existed', async () => {
  await send('before@example.com')
  const early = await tokenFor('before@example.com')
  service.advance(16_000)
  await send('before@example.com')
  const { data } = await open(await tokenFor('before@example.com'))
  const changed = await service.call('resetPasswordBySession', '/sdk/v1/passwords/session/reset', {
    as: data.session_token,
    body: { password: 'quiet marshal umbrella 7' },
  })
  assert.equal(changed.status, 200)
  assert.equal((await open(early)).error, 'unable_to_auth_magic_link')
})

test('adds a second address when its owner opens the link', async () => {
  await send('main@example.com')
  const main = await open(await tokenFor('main@example.com'))
  assert.equal((await sendInSession('second@example.com')).error, 'user_unauthenticated')
  // Addresses are sorted by their creation.
  service.advance(1_000)
  assert.equal((await sendInSession('second@example.com', main.data.session_token)).status, 200)
  const { data } = await open(await tokenFor('second@example.com'), main.data.session_token)
  assert.equal(data.user_id, main.data.user_id)
  assert.deepEqual(
    data.user.emails.map(({ email }: { email: string }) => email),
    ['main@example.com', 'second@example.com'],
  )
})

test('rejects another address while the first one is unverified', async () => {
  const { token } = await service.signUp('unverified@example.com')
  const { status, error } = await sendInSession('mine.too@example.com', token)
  assert.deepEqual([status, error], [403, 'unauthorized_action'])
})

test('opens no account if a person requests to add another person’s address', async () => {
  const victim = await service.signUp('victim@example.com')
  await send('attacker@example.com')
  const attacker = await open(await tokenFor('attacker@example.com'))
  await sendInSession('victim@example.com', attacker.data.session_token)
  const answer = await open(await tokenFor('victim@example.com'), attacker.data.session_token)
  assert.equal(answer.error, 'unable_to_auth_magic_link')
  assert.equal(await isActive(victim.token), true)
})

test('accepts a link and a code after sixty wrong ones from their network in a minute', async () => {
  const email = 'neighbours@example.com'
  const ip = '192.0.2.80'
  for (let tries = 0; tries < 60; tries++) {
    assert.equal((await open('made up', undefined, ip)).error, 'unable_to_auth_magic_link')
  }
  assert.equal((await open('made up', undefined, ip)).error, 'too_many_requests')
  await send(email)
  assert.equal((await open(await tokenFor(email), undefined, ip)).status, 200)

  const { data } = await service.call('sendEmailCode', '/sdk/v1/otps/email/send/primary', { body: { email } })
  const code = /\b\d{6}\b/.exec((await service.mailsTo(email)).find(({ kind }) => kind === 'code')!.text)![0]
  const type = (methodId: string) =>
    service.call('authenticateCode', '/sdk/v1/otps/authenticate', {
      body: { token: code, method_id: methodId },
      ip,
    })
  assert.equal((await type('email-live-unknown')).error, 'too_many_requests')
  assert.equal((await type(data.method_id)).status, 200)
})

test('drops links if any way to sign in is removed', async () => {
  await send('removes@example.com')
  const { data } = await open(await tokenFor('removes@example.com'))
  await sendInSession('removed@example.com', data.session_token)
  const { data: both } = await open(await tokenFor('removed@example.com'), data.session_token)
  const { registrationId } = await service.deps.change(work =>
    saveRegistration(work, both.user_id, {
      type: 'Google',
      subject: 'removes',
      profilePictureUrl: '',
      locale: '',
    }),
  )
  const { email_id } = both.user.emails.find(
    ({ email }: { email: string }) => email === 'removed@example.com',
  )
  for (const [operationId, path] of [
    ['deleteOAuthRegistration', `oauth/${registrationId}`],
    ['deleteEmail', `emails/${email_id}`],
  ] as const) {
    service.advance(16_000)
    const links = []
    for (const email of ['removes@example.com', 'removed@example.com']) {
      await send(email)
      links.push(await tokenFor(email))
    }
    const { status } = await service.call(operationId, `/sdk/v1/users/${path}`, {
      method: 'DELETE',
      as: both.session_token,
    })
    assert.equal(status, 200)
    for (const link of links) assert.equal((await open(link)).error, 'unable_to_auth_magic_link')
  }
})

test('explains in each mail whether its link signs in or adds an address', async () => {
  const { token } = await service.signUp('explained@example.com')
  await sendKnown('explained@example.com')
  await sendInSession('explained@example.com', token)
  const mails = await service.mailsTo('explained@example.com')
  const [signsIn, adds] = ['login', 'add_email'].map(kind => mails.find(mail => mail.kind === kind)!)
  assert.match(signsIn!.subject, /sign-in link/)
  assert.match(signsIn!.text, /Sign in to Lapwing/)
  assert.match(adds!.subject, /^Add this address/)
  assert.match(adds!.text, /signs nobody in/)
  assert.doesNotMatch(adds!.text, /sign in to/i)
})

test('rejects the link of a locked account', async () => {
  const { userId } = await service.signUp('locked@example.com')
  await send('locked@example.com')
  await service.db
    .updateTable('person')
    .set({ locked_at: service.now() })
    .where('user_id', '=', userId)
    .execute()
  assert.equal((await open(await tokenFor('locked@example.com'))).error, 'unable_to_auth_magic_link')
})
