import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type CallOptions, goodPassword, type Harness, harness, linkIn } from '../test/harness.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

const newPassword = 'quiet marshal umbrella 7'
const start = (email: string, more: object = {}) =>
  service.call('startPasswordReset', '/sdk/v1/passwords/email/reset/start', { body: { email, ...more } })
const finish = (
  token: unknown,
  password: unknown = newPassword,
  more: object = {},
  options: CallOptions = {},
) =>
  service.call('resetPasswordByEmail', '/sdk/v1/passwords/email/reset', {
    body: { token, password, session_duration_minutes: 60, ...more },
    ...options,
  })
const signIn = (email: string, password: string) =>
  service.call('authenticatePassword', '/sdk/v1/passwords/authenticate', { body: { email, password } })
const isActive = async (token: string) =>
  (await service.call('authenticateSession', '/sdk/v1/sessions/authenticate', { as: token, body: {} }))
    .status === 200

/** Requests a reset and returns the token of the newest mail. */
async function resetToken(email: string, more: object = {}): Promise<string> {
  assert.equal((await start(email, more)).status, 200)
  const mail = (await service.mailsTo(email)).filter(({ kind }) => kind === 'reset_password').at(-1)!
  return linkIn(mail).searchParams.get('token')!
}

test('links to the reset page with type and token, and signs in with the new password', async () => {
  const old = await service.signUp('forgot@example.com')
  await start('forgot@example.com')
  const [mail] = await service.mailsTo('forgot@example.com')
  const link = linkIn(mail!)
  assert.equal(link.origin + link.pathname, 'https://lapwing.test/reset')
  assert.equal(link.searchParams.get('stytch_token_type'), 'reset_password')
  const { status, data } = await finish(link.searchParams.get('token'))
  assert.equal(status, 200)
  assert.equal(data.user.emails[0].verified, true)
  assert.equal(await isActive(data.session_token), true)
  assert.equal(await isActive(old.token), false, 'earlier sessions have ended')
  assert.equal((await signIn('forgot@example.com', newPassword)).status, 200)
  assert.equal((await signIn('forgot@example.com', goodPassword)).error, 'unauthorized_credentials')
  const kinds = (await service.mailsTo('forgot@example.com')).map(({ kind }) => kind)
  assert.deepEqual(kinds, ['reset_password', 'password_changed'])
})

test('answers the same for a known and an unknown address, and mails both', async () => {
  await service.signUp('here@example.com')
  const known = await start('here@example.com')
  const unknown = await start('nowhere@example.com')
  assert.deepEqual({ ...known.data, request_id: '' }, { ...unknown.data, request_id: '' })
  assert.deepEqual(
    (await service.mailsTo('nowhere@example.com')).map(({ kind }) => kind),
    ['no_account'],
  )
})

test('sets the first password of an account by the link', async () => {
  const { userId } = await service.signUp('passwordless@example.com')
  await service.db.deleteFrom('password').where('user_id', '=', userId).execute()
  const { status } = await finish(await resetToken('passwordless@example.com'))
  assert.equal(status, 200)
  assert.equal((await signIn('passwordless@example.com', newPassword)).status, 200)
})

test('sends one mail for many requests within 15 s, and another one later', async () => {
  await service.signUp('often@example.com')
  await Promise.all(Array.from({ length: 20 }, () => start('often@example.com')))
  const count = async () => (await service.mailsTo('often@example.com')).length
  assert.equal(await count(), 1)
  service.advance(15_000)
  await start('often@example.com')
  assert.equal(await count(), 2)
})

test('accepts exactly one of fifty concurrent tries with one token', async () => {
  await service.signUp('fifty@example.com')
  const token = await resetToken('fifty@example.com')
  const answers = await Promise.all(Array.from({ length: 50 }, () => finish(token)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.equal(answers.filter(({ error }) => error === 'unable_to_auth_password_reset_token').length, 49)
})

test('rejects a token that is used, expired, cut, of another kind or missing', async () => {
  await service.signUp('tokens@example.com')
  const token = await resetToken('tokens@example.com')
  const fails = async (value: unknown) => {
    const answer = await finish(value)
    assert.deepEqual(
      [answer.status, answer.error],
      [401, 'unable_to_auth_password_reset_token'],
      String(value),
    )
  }
  await fails(token.slice(0, -1))
  await fails(`${token}x`)
  await fails(token.toUpperCase())
  await fails('')
  const link = await service.call('sendMagicLink', '/sdk/v1/magic_links/email/send/primary', {
    body: { email: 'tokens@example.com' },
  })
  assert.equal(link.status, 200)
  const magic = (await service.mailsTo('tokens@example.com')).find(({ kind }) => kind === 'login')!
  await fails(linkIn(magic).searchParams.get('token'))
  assert.equal((await finish(token)).status, 200)
  await fails(token)

  service.advance(61_000)
  const late = await resetToken('tokens@example.com')
  service.advance(30 * 60_000)
  await fails(late)
})

test('leaves the link usable, however often it is opened', async () => {
  await service.signUp('scanner@example.com')
  const token = await resetToken('scanner@example.com')
  for (const method of ['GET', 'HEAD'] as const) {
    for (const url of [`/sdk/v1/passwords/email/reset?token=${token}`, `/sdk/v1/passwords/email/reset`]) {
      const { statusCode } = await service.app.inject({ method, url })
      assert.equal(statusCode, 405)
    }
  }
  assert.equal((await finish(token)).status, 200)
})

test('leaves the link usable after a rejected password', async () => {
  await service.signUp('weak@example.com')
  const token = await resetToken('weak@example.com')
  assert.equal((await finish(token, 'short')).error, 'weak_password')
  assert.equal((await finish(token, 'qwertyuiop')).error, 'breached_password')
  assert.equal((await finish(token)).status, 200)
})

test('leaves the link usable after a missing, wrong or unexpected code verifier', async () => {
  await service.signUp('pkce@example.com')
  const verifier = 'a'.repeat(128)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const token = await resetToken('pkce@example.com', { code_challenge: challenge })
  assert.equal((await finish(token)).error, 'pkce_expected_code_verifier')
  assert.equal((await finish(token, newPassword, { code_verifier: 'b'.repeat(128) })).error, 'pkce_mismatch')
  assert.equal((await finish(token, newPassword, { code_verifier: verifier })).status, 200)

  service.advance(61_000)
  const open = await resetToken('pkce@example.com')
  assert.equal(
    (await finish(open, newPassword, { code_verifier: verifier })).error,
    'pkce_did_not_expect_code_verifier',
  )
  assert.equal((await finish(open)).status, 200)
})

test('lets the latest requesting browser use the mail that is on its way', async () => {
  await service.signUp('resend@example.com')
  const [first, second] = ['c'.repeat(128), 'd'.repeat(128)]
  const challenge = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')
  const token = await resetToken('resend@example.com', { code_challenge: challenge(first!) })
  await start('resend@example.com', { code_challenge: challenge(second!) })
  assert.equal((await finish(token, newPassword, { code_verifier: second })).status, 200)
})

test('does not bind an unbound link by a stranger’s second request', async () => {
  await service.signUp('unbound@example.com')
  const token = await resetToken('unbound@example.com')
  await start('unbound@example.com', { code_challenge: 'e'.repeat(43) })
  assert.equal((await finish(token)).status, 200)
})

for (const url of [
  'https://evil.example/reset',
  'https://lapwing.test.evil.example/reset',
  'https://lapwing.test/reset?next=https://evil.example',
  'https://lapwing.test/other',
  '//evil.example',
  'javascript:alert(1)',
]) {
  test(`rejects the redirect ${url}`, async () => {
    const answer = await start('redirect@example.com', { reset_password_redirect_url: url })
    assert.deepEqual([answer.status, answer.error], [400, 'no_match_for_provided_password_reset_url'])
  })
}

test('drops a link if the password changes', async () => {
  await service.signUp('before@example.com')
  const token = await resetToken('before@example.com')
  const changed = await service.call('resetPasswordByExisting', '/sdk/v1/passwords/existing_password/reset', {
    body: { email: 'before@example.com', existing_password: goodPassword, new_password: newPassword },
  })
  assert.equal(changed.status, 200)
  assert.equal((await finish(token, goodPassword)).error, 'unable_to_auth_password_reset_token')
})

test('opens an account without tries left by its mail', async () => {
  await service.signUp('stuck@example.com')
  for (let tries = 0; tries < 31; tries++) await signIn('stuck@example.com', 'wrong password')
  assert.equal((await signIn('stuck@example.com', goodPassword)).error, 'user_lock_limit_reached')
  assert.equal((await finish(await resetToken('stuck@example.com'))).status, 200)
  assert.equal((await signIn('stuck@example.com', newPassword)).status, 200)
})

test('adds a link that signs in without a new password if a login redirect is requested', async () => {
  const { userId } = await service.signUp('keeps@example.com')
  await start('keeps@example.com', { login_redirect_url: 'https://lapwing.test/' })
  const [mail] = await service.mailsTo('keeps@example.com')
  const links = [...mail!.text.matchAll(/https:\/\/\S+/g)].map(([link]) => new URL(link))
  assert.deepEqual(
    links.map(link => [link.origin + link.pathname, link.searchParams.get('stytch_token_type')]),
    [
      ['https://lapwing.test/reset', 'reset_password'],
      ['https://lapwing.test/', 'login'],
    ],
  )
  const open = (token: unknown) =>
    service.call('authenticateMagicLink', '/sdk/v1/magic_links/authenticate', { body: { token } })
  const { status, data } = await open(links[1]!.searchParams.get('token'))
  assert.deepEqual([status, data.user_id], [200, userId])
  // Neither token works in the other's place.
  assert.equal(
    (await finish(links[1]!.searchParams.get('token'))).error,
    'unable_to_auth_password_reset_token',
  )
  assert.equal((await open(links[0]!.searchParams.get('token'))).error, 'unable_to_auth_magic_link')
})

test('drops the sign-in link of a reset mail when the password is set', async () => {
  await service.signUp('both@example.com')
  await start('both@example.com', { login_redirect_url: 'https://lapwing.test/authenticate' })
  const [mail] = await service.mailsTo('both@example.com')
  const [reset, login] = [...mail!.text.matchAll(/https:\/\/\S+/g)].map(([link]) => new URL(link))
  assert.equal((await finish(reset!.searchParams.get('token'))).status, 200)
  const { error } = await service.call('authenticateMagicLink', '/sdk/v1/magic_links/authenticate', {
    body: { token: login!.searchParams.get('token') },
  })
  assert.equal(error, 'unable_to_auth_magic_link')
})

test('rejects a login redirect outside the list, and mails no link to an unknown address', async () => {
  const answer = await start('nowhere.at.all@example.com', { login_redirect_url: 'https://evil.example/' })
  assert.deepEqual([answer.status, answer.error], [400, 'no_match_for_provided_password_reset_url'])
  await start('nowhere.at.all@example.com', { login_redirect_url: 'https://lapwing.test/' })
  const mails = await service.mailsTo('nowhere.at.all@example.com')
  assert.deepEqual(
    mails.map(({ kind, text }) => [kind, text.includes('token=')]),
    [['no_account', false]],
  )
})

test('sets a new password with the old one and ends every other session', async () => {
  const { token: other } = await service.signUp('existing@example.com')
  const change = (existing: string, fresh: string) =>
    service.call('resetPasswordByExisting', '/sdk/v1/passwords/existing_password/reset', {
      body: { email: 'existing@example.com', existing_password: existing, new_password: fresh },
    })
  assert.equal((await change('wrong password', newPassword)).error, 'unauthorized_credentials')
  assert.equal((await change(goodPassword, '1234')).error, 'weak_password')
  assert.equal(await isActive(other), true)
  const { status, data } = await change(goodPassword, newPassword)
  assert.equal(status, 200)
  assert.equal(await isActive(other), false)
  assert.equal(await isActive(data.session_token), true)
})

test('sets a new password in a session with a recent sign-in, and not in an older one', async () => {
  const { token } = await service.signUp('fresh@example.com')
  const change = (as?: string) =>
    service.call('resetPasswordBySession', '/sdk/v1/passwords/session/reset', {
      body: { password: newPassword, session_duration_minutes: 60 },
      ...(as !== undefined && { as }),
    })
  assert.equal((await change()).error, 'user_unauthenticated')
  const { status, data } = await change(token)
  assert.equal(status, 200)
  assert.equal(await isActive(token), false)
  service.advance(5 * 60_000 + 1)
  assert.equal((await change(data.session_token)).error, 'session_too_old_to_reset_password')
  assert.equal(await isActive(data.session_token), true)
})

test('fails concurrent sign-ins and changes of password only because of the old password', async () => {
  const email = 'crossing@example.com'
  const { token, emailId } = await service.signUp(email)
  // Only an unproved address limits changes of the password.
  await service.db.updateTable('email').set({ verified: true }).where('email_id', '=', emailId).execute()
  const passwords = [goodPassword, 'quiet marshal umbrella 7']
  for (let round = 0; round < 8; round++) {
    service.advance(61_000)
    const [old, fresh] = round % 2 === 0 ? passwords : passwords.toReversed()
    const held = round === 0 ? token : await sessionOf(email, old!)
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () =>
        service.call('authenticatePassword', '/sdk/v1/passwords/authenticate', {
          as: held,
          body: { email, password: old },
        }),
      ),
      service.call('resetPasswordByExisting', '/sdk/v1/passwords/existing_password/reset', {
        as: held,
        body: { email, existing_password: old, new_password: fresh },
      }),
    ])
    for (const { status, error } of answers) {
      assert.ok(status === 200 || error === 'unauthorized_credentials', `${status} ${error}`)
    }
    assert.equal(answers.at(-1)!.status, 200)
  }
})

async function sessionOf(email: string, password: string): Promise<string> {
  const { data } = await service.call('authenticatePassword', '/sdk/v1/passwords/authenticate', {
    body: { email, password },
  })
  return data.session_token
}

test('leaves the owner of an address a working link, however often a stranger who signed up with it changes the password', async () => {
  const email = 'squatted@example.com'
  const squatter = await service.signUp(email)
  let { token } = squatter
  const passwords = [goodPassword, newPassword]
  const change = (round: number) => {
    const [old, fresh] = round % 2 === 0 ? passwords : passwords.toReversed()
    return round % 3 === 0
      ? service.call('resetPasswordBySession', '/sdk/v1/passwords/session/reset', {
          as: token,
          body: { password: fresh },
        })
      : service.call('resetPasswordByExisting', '/sdk/v1/passwords/existing_password/reset', {
          as: token,
          body: { email, existing_password: old, new_password: fresh },
        })
  }
  for (let round = 0; round < 5; round++) {
    const { status, data } = await change(round)
    assert.equal(status, 200)
    token = data.session_token
  }
  const link = await resetToken(email)
  for (const round of [5, 6]) {
    const { status, error, headers } = await change(round)
    assert.deepEqual([status, error], [429, 'too_many_requests'])
    assert.ok(Number(headers['retry-after']) <= 3_600)
  }
  assert.equal((await finish(link, 'the owner chose this one 1')).data.user_id, squatter.userId)
  assert.equal(await isActive(token), false)
})

test('mails ten times an hour that a password was changed, then once in five minutes', async () => {
  const email = 'changing@example.com'
  const { emailId, token } = await service.signUp(email)
  await service.db.updateTable('email').set({ verified: true }).where('email_id', '=', emailId).execute()
  let as = token
  for (let turn = 0; turn < 20; turn++) {
    const { status, data } = await service.call('resetPasswordBySession', '/sdk/v1/passwords/session/reset', {
      as,
      body: { password: newPassword },
    })
    assert.equal(status, 200)
    as = data.session_token
  }
  assert.equal((await service.mailsTo(email)).length, 10 + 1)
})

test('gives a browser a mail of its own if strangers filled the link that is on its way', async () => {
  const email = 'filled@example.com'
  await service.signUp(email)
  for (let stranger = 0; stranger < 10; stranger++) {
    await start(email, { code_challenge: String(stranger).repeat(43) })
  }
  assert.equal((await service.mailsTo(email)).length, 1)
  service.advance(1_000)
  const verifier = 'f'.repeat(128)
  const token = await resetToken(email, {
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  })
  assert.equal((await finish(token, newPassword, { code_verifier: verifier })).status, 200)
})

test('rejects a sign-in if the password changes meanwhile', async t => {
  const slow = await harness()
  t.after(() => slow.close())
  await slow.signUp('race@example.com')
  // The change is committed between the check of the old password and the opening of the session.
  const { verify } = slow.deps.hasher
  Object.assign(slow.deps.hasher, {
    async verify(hash: string | null, password: string) {
      const matches = await verify(hash, password)
      Object.assign(slow.deps.hasher, { verify })
      await slow.db.updateTable('password').set({ hash: 'changed' }).execute()
      return matches
    },
  })
  const { error } = await slow.call('authenticatePassword', '/sdk/v1/passwords/authenticate', {
    body: { email: 'race@example.com', password: goodPassword },
  })
  assert.equal(error, 'unauthorized_credentials')
})
