import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Authenticator } from '../test/authenticator.ts'
import { type Harness, harness, type Reply, type SignedIn } from '../test/harness.ts'
import { relyingParty } from '../test/relying-party.ts'
import { newWallet } from '../test/wallets.ts'
import { factorsOf, waysIn } from '../test/ways-in.ts'
import { lockUser } from '../users/lock-user.ts'
import { issueImpersonation } from './impersonation.repository.ts'

let service: Harness

before(async () => {
  service = await harness({}, { OAUTH_GOOGLE_CLIENT_ID: 'lapwing', OAUTH_GOOGLE_CLIENT_SECRET: 'secret' })
})

after(() => service.close())

const operator = 'operator@lapwing.test'

/** Signs up a person with a proved address. */
async function signUp(): Promise<SignedIn & { readonly email: string }> {
  const email = `${randomUUID()}@example.test`
  const signedIn = await service.signUp(email)
  const { emailId } = signedIn
  await service.db.updateTable('email').set({ verified: true }).where('email_id', '=', emailId).execute()
  return { ...signedIn, email }
}

async function issue(userId: string): Promise<string> {
  const token = await service.deps.change(work =>
    issueImpersonation(work, { userId, operator, reason: 'a lap is missing' }),
  )
  assert.ok(token)
  return token
}

const impersonate = (token: string, as?: string): Promise<Reply> =>
  service.call('authenticateImpersonation', '/sdk/v1/impersonation/authenticate', {
    body: { impersonation_token: token },
    ...(as !== undefined && { as }),
  })

async function actFor(userId: string): Promise<Reply> {
  const acting = await impersonate(await issue(userId))
  assert.equal(acting.status, 200, JSON.stringify(acting.body))
  return acting
}

test('opens the account in a session of its own that names the operator, mails the owner and records it', async () => {
  const { userId, email, token, sessionId } = await signUp()
  const { data } = await actFor(userId)
  assert.equal(data.user_id, userId)
  assert.notEqual(data.session.session_id, sessionId)
  const [factor, ...others] = data.session.authentication_factors
  assert.equal(others.length, 0)
  assert.deepEqual([factor.type, factor.delivery_method], ['impersonated', 'impersonation'])
  assert.equal(factor.impersonated_factor.impersonator_email_address, operator)
  const mails = await service.mailsTo(email)
  assert.deepEqual(
    mails.map(({ kind }) => kind),
    ['impersonated'],
  )
  const record = await service.db
    .selectFrom('impersonation')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  assert.deepEqual(record, {
    impersonation_id: factor.impersonated_factor.impersonator_id,
    user_id: userId,
    operator,
    reason: 'a lap is missing',
    issued_at: service.now(),
    used_at: service.now(),
    session_id: data.session.session_id,
  })
  // The owner's own session stays.
  const me = (as: string) => service.call('getMe', '/sdk/v1/users/me', { method: 'GET', as })
  assert.equal((await me(token)).status, 200)
  assert.equal((await me(data.session_token)).data.user_id, userId)
  assert.equal(await waysIn(service).isAccepted(data.session_jwt), true)
})

test('accepts a token once, exactly one of fifty concurrent tries, and for five minutes', async () => {
  const { userId } = await signUp()
  const token = await issue(userId)
  const answers = await Promise.all(Array.from({ length: 50 }, () => impersonate(token)))
  assert.deepEqual(answers.map(({ error }) => error ?? 'opened').sort(), [
    'opened',
    ...Array.from({ length: 49 }, () => 'unable_to_auth_impersonation_token'),
  ])
  const late = await issue(userId)
  service.advance(5 * 60_000)
  for (const dead of [token, late, 'x', '']) {
    const { status, error } = await impersonate(dead)
    assert.deepEqual([status, error], [401, 'unable_to_auth_impersonation_token'])
  }
})

test('issues no token for a locked or unknown account, and accepts none after an operator locks it', async () => {
  const { userId } = await signUp()
  const token = await issue(userId)
  await service.deps.change(work => lockUser(work, userId, true))
  assert.equal((await impersonate(token)).error, 'unable_to_auth_impersonation_token')
  for (const id of [userId, 'user-live-nobody']) {
    const none = await service.deps.change(work =>
      issueImpersonation(work, { userId: id, operator, reason: 'x' }),
    )
    assert.equal(none, null)
  }
})

test('ends after an hour, however often it is prolonged', async () => {
  const { userId } = await signUp()
  const { data } = await actFor(userId)
  const endsAt = new Date(service.now().getTime() + 3_600_000).toISOString()
  assert.equal(data.session.expires_at, endsAt)
  service.advance(59 * 60_000)
  const renewed = await service.call('authenticateSession', '/sdk/v1/sessions/authenticate', {
    as: data.session_token,
    body: { session_duration_minutes: 600 },
  })
  assert.equal(renewed.data.session.expires_at, endsAt)
  service.advance(60_000)
  const { error } = await service.call('getMe', '/sdk/v1/users/me', { method: 'GET', as: data.session_token })
  assert.equal(error, 'session_not_found')
})

test('needs no second factor of the driver', async () => {
  const ways = waysIn(service)
  const { userId } = await ways.signUpWithApp(`${randomUUID()}@example.test`)
  const { data } = await actFor(userId)
  assert.equal(await ways.isAccepted(data.session_jwt), true)
})

/** Every call that would change the account, or show a secret of it. */
const changes: Readonly<
  Record<string, (as: string, person: SignedIn & { email: string }) => Promise<Reply>>
> = {
  'name or metadata': as =>
    service.call('updateMe', '/sdk/v1/users/me', {
      method: 'PUT',
      as,
      body: { name: { first_name: 'Eve' } },
    }),
  'the address': (as, { emailId }) =>
    service.call('deleteEmail', `/sdk/v1/users/emails/${emailId}`, { method: 'DELETE', as }),
  'a password': as =>
    service.call('resetPasswordBySession', '/sdk/v1/passwords/session/reset', {
      as,
      body: { password: 'amber chicane teapot 77' },
    }),
  'a passkey': as => waysIn(service).startRegistration(as),
  'a passkey at the end': as => {
    const options = JSON.stringify({ challenge: 'x', rp: { id: 'lapwing.test' }, user: { id: 'x' } })
    return waysIn(service).register(as, new Authenticator().create(options))
  },
  'the name of a passkey': as =>
    service.call('updateWebauthn', '/sdk/v1/webauthn/update/x', { method: 'PUT', as, body: { name: 'x' } }),
  'an authenticator app': as =>
    service.call('createTotp', '/sdk/v1/totps', { as, body: { expiration_minutes: 60 } }),
  'a code of an app': as => waysIn(service).typeCode(as, '123456'),
  'a recovery code': as => waysIn(service).recover(as, 'aaaa-bbbb-cccc'),
  'the recovery codes': as => waysIn(service).recoveryCodes(as),
  'an address by code': as =>
    service.call('sendEmailCodeInSession', '/sdk/v1/otps/email/send/secondary', {
      as,
      body: { email: 'eve@example.test' },
    }),
  'an address by link': as =>
    service.call('sendMagicLinkInSession', '/sdk/v1/magic_links/email/send/secondary', {
      as,
      body: { email: 'eve@example.test' },
    }),
  'a number': as =>
    service.call('sendSmsCodeInSession', '/sdk/v1/otps/sms/send/secondary', {
      as,
      body: { phone_number: '+12015550123' },
    }),
  'a wallet': as => waysIn(service).startWalletInSession(newWallet('ethereum'), as),
  'a social account': as => waysIn(service).attach(as, 'google'),
  'other sessions': as => service.call('revokeOtherSessions', '/sdk/v1/users/sessions/revoke_others', { as }),
  'a membership': as =>
    service.call('joinOrganization', '/sdk/v1/organizations/organization-live-none/join', { as, body: {} }),
  'the consent for an app': as =>
    service.call('revokeConnectedApp', '/sdk/v1/users/connected_apps/none/revoke', { as }),
  'a connected app': async as => {
    const app = await relyingParty(service)
    return app.submit(as, await app.request())
  },
}
for (const [what, call] of Object.entries(changes)) {
  test(`refuses to change or show ${what} for an operator`, async () => {
    const person = await signUp()
    const { data } = await actFor(person.userId)
    const { status, error, body } = await call(data.session_token, person)
    if (what === 'a passkey at the end') return assert.equal(error, 'invalid_public_key_credential')
    assert.deepEqual([status, error], [403, 'unauthorized_action'], JSON.stringify(body))
    assert.equal(body.error_message, 'You act for a driver. Only the driver can change the account.')
  })
}

test('adds nothing that the driver has requested', async () => {
  const { userId, token, email } = await signUp()
  const { data: acting } = await actFor(userId)
  const added = `${randomUUID()}@example.test`
  const { data: sent } = await service.call('sendEmailCodeInSession', '/sdk/v1/otps/email/send/secondary', {
    as: token,
    body: { email: added },
  })
  const code = /\b\d{6}\b/.exec((await service.mailsTo(added)).at(-1)!.text)![0]
  const type = (as: string) =>
    service.call('authenticateCode', '/sdk/v1/otps/authenticate', {
      as,
      body: { token: code, method_id: sent.method_id },
    })
  assert.equal((await type(acting.session_token)).error, 'unauthorized_action')
  assert.equal((await type(token)).status, 200)
  assert.ok(email)
})

test('proves no address: a code of the driver removes what a stranger may have added', async () => {
  const email = `${randomUUID()}@example.test`
  const { userId, token } = await service.signUp(email)
  await waysIn(service).addPasskey(token)
  const { data: acting } = await actFor(userId)
  const { data: sent } = await service.call('sendEmailCode', '/sdk/v1/otps/email/send/primary', {
    body: { email },
  })
  const mail = (await service.mailsTo(email)).findLast(({ kind }) => kind === 'code')!
  const { data } = await service.call('authenticateCode', '/sdk/v1/otps/authenticate', {
    as: acting.session_token,
    body: { token: /\b\d{6}\b/.exec(mail.text)![0], method_id: sent.method_id },
  })
  assert.deepEqual(data.user.webauthn_registrations, [])
})

test('keeps an operator’s session apart from the driver’s own in one browser', async () => {
  const { userId, email, token, sessionId } = await signUp()
  const ways = waysIn(service)
  // The link replaces a session of the same person, and a sign-in of the person replaces the operator's.
  const acting = await impersonate(await issue(userId), token)
  assert.notEqual(acting.data.session.session_id, sessionId)
  assert.deepEqual(factorsOf(acting), ['impersonated'])
  const own = await ways.signIn(email, { as: acting.data.session_token })
  assert.notEqual(own.data.session.session_id, acting.data.session.session_id)
  assert.deepEqual(factorsOf(own), ['password'])
  assert.equal((await ways.startRegistration(own.data.session_token)).status, 200)
})

test('remembers neither the operator’s browser nor the network', async () => {
  const { userId } = await signUp()
  const known = () =>
    service.db.selectFrom('known_origin').select('digest').where('user_id', '=', userId).execute()
  const before = await known()
  const { headers } = await actFor(userId)
  assert.deepEqual(await known(), before)
  assert.equal(headers['set-cookie'], undefined)
})

test('keeps the record, without the account, after the account was deleted', async () => {
  const { userId } = await signUp()
  await actFor(userId)
  await service.db.deleteFrom('person').where('user_id', '=', userId).execute()
  const rows = await service.db
    .selectFrom('impersonation')
    .select(['user_id', 'operator'])
    .where('user_id', 'is', null)
    .execute()
  assert.deepEqual(rows.at(-1), { user_id: null, operator })
})
