import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { create, toBinary } from '@bufbuild/protobuf'
import { EventSchema } from '@lapwing/contracts/events.pb'
import { SignJWT } from 'jose'
import { addPhone } from '../phones/phone.repository.ts'
import { goodPassword, type Harness, harness, internalKey, linkIn } from '../test/harness.ts'
import { newWallet } from '../test/wallets.ts'
import { waysIn } from '../test/ways-in.ts'
import { addWallet } from '../wallets/wallet.repository.ts'
import { lockUser } from './lock-user.ts'
import { setRoles } from './set-roles.ts'
import { saveRegistration } from './user.repository.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

const me = (as: string) => service.call('getMe', '/sdk/v1/users/me', { method: 'GET', as })
const update = (as: string, body: unknown) =>
  service.call('updateMe', '/sdk/v1/users/me', { method: 'PUT', as, body })
const search = (email: string, ip?: string) =>
  service.call('searchUser', '/sdk/v1/users/search', { body: { email }, ...(ip !== undefined && { ip }) })

test('returns the account at the top of data, with the same members as elsewhere', async () => {
  const { token, userId } = await service.signUp('me@example.com')
  const { data } = await me(token)
  const { request_id, status_code, ...user } = data
  assert.ok(request_id)
  assert.equal(status_code, 200)
  assert.equal(user.user_id, userId)
  const authenticated = await service.call('authenticateSession', '/sdk/v1/sessions/authenticate', {
    as: token,
    body: {},
  })
  assert.deepEqual(user, authenticated.data.user)
})

test('replaces the whole name if one part is sent', async () => {
  const { token } = await service.signUp('name@example.com')
  await update(token, { name: { first_name: 'Ada', last_name: 'Hill' } })
  const { data } = await update(token, { name: { middle_name: ' L. ' } })
  assert.deepEqual(data.__user.name, { first_name: '', middle_name: 'L.', last_name: '' })
  const kept = await update(token, { untrusted_metadata: { a: 1 } })
  assert.equal(kept.data.__user.name.middle_name, 'L.')
})

test('replaces the page’s metadata, up to 4 KiB', async () => {
  const { token } = await service.signUp('metadata@example.com')
  const value = (bytes: number) => ({ v: 'x'.repeat(bytes - '{"v":""}'.length) })
  assert.equal((await update(token, { untrusted_metadata: value(4_096) })).status, 200)
  const { status, error } = await update(token, { untrusted_metadata: value(4_097) })
  assert.deepEqual([status, error], [400, 'metadata_too_large'])
  const { data } = await update(token, { untrusted_metadata: { b: ['ü', '\u0000', null] } })
  assert.deepEqual(data.__user.untrusted_metadata, { b: ['ü', '', null] })
})

test('drops only characters that the database cannot store from the page’s metadata', async () => {
  const { token } = await service.signUp('unstorable@example.com')
  for (const [sent, kept] of [
    [{ 'a\0': ['\0b', { '\0': 1 }] }, { a: ['b', { '': 1 }] }],
    [{ half: '\ud83c' }, { half: '\ufffd' }],
    // Six characters that only look like an escape sequence.
    [{ written: '\\u0000' }, { written: '\\u0000' }],
  ]) {
    const { status, data } = await update(token, { untrusted_metadata: sent })
    assert.equal(status, 200)
    assert.deepEqual(data.__user.untrusted_metadata, kept)
  }
})

test('answers 400 for an id or a code challenge with a NUL', async () => {
  const { token } = await service.signUp('nul@example.com')
  const redirect = { email: 'nul@example.com', code_challenge: 'a\0b' }
  for (const [operationId, method, url, body] of [
    ['deleteEmail', 'DELETE', '/sdk/v1/users/emails/%00', undefined],
    ['deleteOAuthRegistration', 'DELETE', '/sdk/v1/users/oauth/a%00b', undefined],
    ['authenticateCode', 'POST', '/sdk/v1/otps/authenticate', { token: '123456', method_id: '\0' }],
    ['sendMagicLinkOrCreate', 'POST', '/sdk/v1/magic_links/email/login_or_create', redirect],
    ['startPasswordReset', 'POST', '/sdk/v1/passwords/email/reset/start', redirect],
  ] as const) {
    const { status } = await service.call(operationId, url, { method, as: token, body })
    assert.equal(status, 400, operationId)
  }
})

test('rejects trusted metadata from a browser', async () => {
  const { token } = await service.signUp('trusted@example.com')
  const { status, error } = await update(token, { trusted_metadata: { consent: { waitlist: true } } })
  assert.deepEqual([status, error], [401, 'cannot_update_trusted_metadata'])
  assert.deepEqual((await me(token)).data.trusted_metadata, {})
})

test('answers new, password or passwordless, thirty times a minute', async () => {
  await service.signUp('has.password@example.com')
  const { userId } = await service.signUp('has.none@example.com')
  await service.db.deleteFrom('password').where('user_id', '=', userId).execute()
  assert.equal((await search('has.password@example.com')).data.userType, 'password')
  assert.equal((await search('has.none@example.com')).data.userType, 'passwordless')
  assert.equal((await search('has.nothing@example.com')).data.userType, 'new')
  for (let tries = 0; tries < 30; tries++) await search('x@example.com', '192.0.2.50')
  assert.equal((await search('x@example.com', '192.0.2.50')).error, 'too_many_requests')
})

const factorCalls = {
  deleteEmail: 'emails',
  deletePhoneNumber: 'phone_numbers',
  deleteTotp: 'totps',
  deleteCryptoWallet: 'crypto_wallets',
  deleteOAuthRegistration: 'oauth',
  deleteWebauthnRegistration: 'webauthn_registrations',
  deleteBiometricRegistration: 'biometric_registrations',
}

for (const [operationId, kind] of Object.entries(factorCalls)) {
  test(`answers factor_not_found for ${kind} that are unknown or another person's`, async () => {
    const { token } = await service.signUp(`${kind}@example.com`)
    const other = await service.signUp(`other.${kind}@example.com`)
    for (const id of ['id-1', other.emailId]) {
      const answer = await service.call(operationId, `/sdk/v1/users/${kind}/${id}`, {
        method: 'DELETE',
        as: token,
      })
      assert.deepEqual([answer.status, answer.error], [404, 'factor_not_found'])
    }
    assert.equal((await me(other.token)).data.emails.length, 1)
  })
}

test('keeps the last way to sign in, even if two are removed at the same time', async () => {
  const { token, userId, emailId } = await service.signUp('last@example.com')
  const remove = (id: string) =>
    service.call('deleteEmail', `/sdk/v1/users/emails/${id}`, { method: 'DELETE', as: token })
  const { status, error } = await remove(emailId)
  assert.deepEqual([status, error], [400, 'cannot_delete_last_factor'])
  assert.ok((await me(token)).data.password, 'the password stays too')

  const { registrationId } = await service.deps.change(work =>
    saveRegistration(work, userId, { type: 'Google', subject: '1', profilePictureUrl: '', locale: '' }),
  )
  const both = await Promise.all([
    remove(emailId),
    service.call('deleteOAuthRegistration', `/sdk/v1/users/oauth/${registrationId}`, {
      method: 'DELETE',
      as: token,
    }),
  ])
  assert.deepEqual(both.map(answer => answer.error ?? 'removed').sort(), [
    'cannot_delete_last_factor',
    'removed',
  ])
})

test('removes the password and every other session with the last address', async () => {
  const { token, userId, emailId, sessionId } = await service.signUp('gone@example.com')
  await service.deps.change(work =>
    saveRegistration(work, userId, { type: 'Discord', subject: '2', profilePictureUrl: '', locale: '' }),
  )
  const other = await service.call('authenticatePassword', '/sdk/v1/passwords/authenticate', {
    body: { email: 'gone@example.com', password: goodPassword },
  })
  const { data } = await service.call('deleteEmail', `/sdk/v1/users/emails/${emailId}`, {
    method: 'DELETE',
    as: token,
  })
  assert.equal(data.__user.password, null)
  assert.deepEqual(data.__user.emails, [])
  assert.equal((await me(token)).data.user_id, userId)
  assert.ok(sessionId)
  assert.equal((await me(other.data.session_token)).error, 'session_not_found')
})

/** Sends an event to identity like account. */
async function publish(payload: object, id = crypto.randomUUID()) {
  const body = Buffer.from(
    toBinary(EventSchema, create(EventSchema, { id, occurredAtMs: 1n, payload } as never)),
  )
  const token = await new SignJWT({ digest: createHash('sha256').update(body).digest('base64url') })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer('lapwing-events')
    .setIssuedAt()
    .setExpirationTime('60s')
    .sign(internalKey)
  return service.app.inject({
    method: 'POST',
    url: '/internal/events',
    headers: { 'content-type': 'application/x-protobuf', authorization: `Bearer ${token}` },
    payload: body,
  })
}

test('stores saved preferences in the trusted metadata', async () => {
  const { token, userId } = await service.signUp('consent@example.com')
  const answer = await publish({
    case: 'consentChanged',
    value: { userId, waitlist: true, marketing: false },
  })
  assert.equal(answer.statusCode, 204)
  assert.deepEqual((await me(token)).data.trusted_metadata, { consent: { waitlist: true, marketing: false } })
})

test('deletes all personal data of an account and ends its sessions', async () => {
  const ways = waysIn(service)
  const { token: withApp, userId, sessionId } = await ways.signUpWithApp('deleted@example.com')
  const { authenticator, token } = await ways.addPasskey(withApp)
  await service.call('startPasswordReset', '/sdk/v1/passwords/email/reset/start', {
    body: { email: 'deleted@example.com' },
  })
  await service.call('sendMagicLinkInSession', '/sdk/v1/magic_links/email/send/secondary', {
    as: token,
    body: { email: 'second.of.deleted@example.com' },
  })
  await service.deps.change(work => addPhone(work, userId, '+12015550177'))
  await service.call('sendSmsCode', '/sdk/v1/otps/sms/send/primary', {
    body: { phone_number: '+12015550177' },
  })
  const wallet = newWallet('ethereum')
  await service.deps.change(work => addWallet(work, userId, wallet))
  await ways.startWallet(wallet)
  const reset = linkIn(
    (await service.mailsTo('deleted@example.com')).find(({ kind }) => kind === 'reset_password')!,
  ).searchParams.get('token')
  assert.equal((await publish({ case: 'accountDeleted', value: { userId } })).statusCode, 204)
  assert.equal((await me(token)).error, 'session_not_found')
  for (const table of [
    'person',
    'email',
    'password',
    'session',
    'token',
    'totp',
    'webauthn_registration',
    'phone_number',
    'code',
    'crypto_wallet',
    'wallet_challenge',
  ] as const) {
    const rows = await service.db.selectFrom(table).selectAll().execute()
    assert.ok(!JSON.stringify(rows).includes(userId), table)
    assert.ok(!JSON.stringify(rows).includes('deleted@example.com'), table)
    assert.ok(!JSON.stringify(rows).includes('+12015550177'), table)
    assert.ok(!JSON.stringify(rows).includes(wallet.address), table)
  }
  assert.deepEqual(await service.db.selectFrom('recovery_code').selectAll().execute(), [])
  const byPasskey = await ways.usePasskey(authenticator.get(await ways.challenge()))
  assert.equal(byPasskey.error, 'webauthn_registration_not_found')
  const ended = await service.db
    .selectFrom('revoked_session')
    .select('session_id')
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  assert.ok(ended, 'its JWTs are rejected until they expire')
  const { error } = await service.call('resetPasswordByEmail', '/sdk/v1/passwords/email/reset', {
    body: { token: reset, password: 'quiet marshal umbrella 7' },
  })
  assert.equal(error, 'unable_to_auth_password_reset_token')
  assert.equal((await search('deleted@example.com')).data.userType, 'new')
})

test('sets and removes roles, and ends sessions with the old roles', async () => {
  const { token, userId } = await service.signUp('moderator@example.com')
  const changeRoles = (roles: readonly string[]) => service.deps.change(work => setRoles(work, userId, roles))
  const signIn = () =>
    service.call('authenticatePassword', '/sdk/v1/passwords/authenticate', {
      body: { email: 'moderator@example.com', password: goodPassword },
    })
  assert.equal(await changeRoles(['moderator', 'driver', 'moderator']), true)
  assert.equal((await me(token)).error, 'session_not_found')
  const { data } = await signIn()
  assert.deepEqual(data.user.roles, ['driver', 'moderator'])
  const payload = JSON.parse(Buffer.from(data.session_jwt.split('.')[1], 'base64url').toString())
  assert.deepEqual(payload['https://stytch.com/session'].roles, ['driver', 'moderator'])
  await changeRoles([])
  assert.deepEqual((await signIn()).data.user.roles, ['driver'])
  assert.equal(await service.deps.change(work => setRoles(work, 'user-live-nobody', [])), false)
})

test('rejects a locked account immediately, and accepts it after unlocking', async () => {
  const { token, userId } = await service.signUp('lock@example.com')
  const lock = (isLocked: boolean) => service.deps.change(work => lockUser(work, userId, isLocked))
  const signIn = () =>
    service.call('authenticatePassword', '/sdk/v1/passwords/authenticate', {
      body: { email: 'lock@example.com', password: goodPassword },
    })
  assert.equal(await lock(true), true)
  assert.equal((await me(token)).error, 'session_not_found')
  assert.equal((await signIn()).error, 'unauthorized_credentials')
  await lock(false)
  assert.equal((await signIn()).status, 200)
  assert.equal(await service.deps.change(work => lockUser(work, 'user-live-nobody', true)), false)
})
