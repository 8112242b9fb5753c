import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { goodPassword, type Harness, harness, linkIn } from '../test/harness.ts'
import { factorsOf, waysIn } from '../test/ways-in.ts'

let service: Harness
let ways: ReturnType<typeof waysIn>

before(async () => {
  service = await harness()
  ways = waysIn(service)
})
after(() => service.close())

const otherPassword = 'amber chicane teapot 77'

const isAccepted = (jwt: string) => ways.isAccepted(jwt)
const remove = (as: string, kind: string, operationId: string, id: string) =>
  service.call(operationId, `/sdk/v1/users/${kind}/${id}`, { method: 'DELETE', as })

test('returns a secret, a QR code and ten recovery codes, which count only after a first code', async () => {
  const { token } = await service.signUp('new.app@example.com')
  const { data } = await service.call('createTotp', '/sdk/v1/totps', { as: token, body: {} })
  assert.match(data.secret, /^[A-Z2-7]{32}$/)
  assert.match(data.qr_code, /^data:image\/png;base64,/)
  assert.equal(new Set(data.recovery_codes).size, 10)
  assert.deepEqual(data.__user.totps, [{ totp_id: data.totp_id, verified: false }])
  const signedIn = await ways.signIn('new.app@example.com')
  assert.ok(await isAccepted(signedIn.data.session_jwt))
  assert.equal(
    (await ways.recover(token, data.recovery_codes[0])).error,
    'unable_to_authenticate_recovery_code',
  )
})

test('stores neither the secret nor a recovery code in readable form', async () => {
  const { app } = await ways.signUpWithApp('sealed@example.com')
  for (const table of ['totp', 'recovery_code'] as const) {
    const rows = await service.db.selectFrom(table).selectAll().execute()
    const bytes = rows.map(row =>
      Object.values(row)
        .map(value => (value instanceof Buffer ? value.toString('latin1') : String(value)))
        .join(' '),
    )
    for (const secret of [app.secret, ...app.recoveryCodes]) {
      assert.ok(!bytes.some(text => text.includes(secret)), table)
    }
  }
})

test('replaces an unconfirmed app, and refuses a second confirmed one', async () => {
  const { token } = await service.signUp('two.apps@example.com')
  const first = await ways.createApp(token)
  const second = await ways.createApp(token)
  assert.equal((await ways.typeCode(token, first.code())).error, 'unable_to_authenticate_totp')
  const confirmed = await ways.typeCode(token, second.code())
  const again = await service.call('createTotp', '/sdk/v1/totps', {
    as: confirmed.data.session_token,
    body: {},
  })
  assert.deepEqual([again.status, again.error], [400, 'active_totp_exists'])
})

test('refuses the first code after the expiration, and an expiration out of range', async () => {
  const { token } = await service.signUp('late@example.com')
  const app = await ways.createApp(token)
  await service.call('authenticateSession', '/sdk/v1/sessions/authenticate', {
    as: token,
    body: { session_duration_minutes: 600 },
  })
  service.advance(61 * 60_000)
  assert.equal((await ways.typeCode(token, app.code())).error, 'unable_to_authenticate_totp')
  for (const minutes of [4, 1_441, 7.5]) {
    const body = { expiration_minutes: minutes }
    const { error } = await service.call('createTotp', '/sdk/v1/totps', { as: token, body })
    assert.equal(error, 'invalid_expiration_minutes')
  }
})

for (const [offsetS, error] of [
  [-60, 'unable_to_authenticate_totp'],
  [-30, undefined],
  [0, undefined],
  [30, undefined],
  [60, 'unable_to_authenticate_totp'],
] as const) {
  test(`answers ${error ?? 'a session'} for a code of ${offsetS} seconds from now`, async () => {
    const email = `step.${offsetS + 100}@example.com`
    const { app } = await ways.signUpWithApp(email)
    service.advance(10 * 60_000)
    const { data } = await ways.signIn(email)
    const answer = await ways.typeCode(data.session_token, app.code(offsetS))
    assert.equal(answer.error, error)
    if (error === undefined) assert.deepEqual(factorsOf(answer), ['password', 'totp'])
  })
}

test('accepts a phone whose clock is 40 seconds off if its code is one step away, not two', async () => {
  const email = 'slow.clock@example.com'
  const { app } = await ways.signUpWithApp(email)
  service.advance(10 * 60_000)
  const { data } = await ways.signIn(email)
  // The clock of the test is at the beginning of a step.
  assert.equal(service.now().getTime() % 30_000, 0)
  assert.equal((await ways.typeCode(data.session_token, app.code(-40))).error, 'unable_to_authenticate_totp')
  service.advance(20_000)
  assert.equal((await ways.typeCode(data.session_token, app.code(-40))).status, 200)
  service.advance(10_000)
})

test('never accepts a step twice, nor an older one', async () => {
  const email = 'replay@example.com'
  const { app } = await ways.signUpWithApp(email)
  const { data } = await ways.signIn(email)
  const code = app.code()
  assert.equal((await ways.typeCode(data.session_token, code)).status, 200)
  const thief = (await ways.signIn(email)).data.session_token
  const again = await ways.typeCode(thief, code)
  assert.deepEqual([again.status, again.error], [400, 'totp_code_already_authenticated'])
  assert.equal((await ways.typeCode(thief, app.code(-30))).error, 'totp_code_already_authenticated')
})

test('accepts exactly one of two equal codes at the same time', async () => {
  const email = 'race@example.com'
  const { app } = await ways.signUpWithApp(email)
  const tokens = await Promise.all([ways.signIn(email), ways.signIn(email)])
  const answers = await Promise.all(tokens.map(({ data }) => ways.typeCode(data.session_token, app.code())))
  assert.deepEqual(answers.map(({ error }) => error ?? 'accepted').sort(), [
    'accepted',
    'totp_code_already_authenticated',
  ])
})

test('compares five of fifty concurrent wrong codes, and locks the right one out for a quarter of an hour', async () => {
  const email = 'brute@example.com'
  const { app } = await ways.signUpWithApp(email)
  const ip = '192.0.2.66'
  const { data } = await ways.signIn(email, { ip })
  const wrong = app.code() === '000000' ? '000001' : '000000'
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => ways.typeCode(data.session_token, wrong, ip)),
  )
  const compared = answers.filter(({ error }) => error === 'unable_to_authenticate_totp')
  const locked = answers.filter(({ error }) => error === 'user_lock_limit_reached')
  assert.deepEqual([compared.length, locked.length], [5, 45])
  assert.ok(Number(locked[0]!.headers['retry-after']) > 800)
  const guessed = (await service.mailsTo(email)).filter(({ kind }) => kind === 'codes_guessed')
  assert.equal(guessed.length, 1, 'one mail an hour tells the owner')
  assert.equal((await ways.typeCode(data.session_token, app.code(), ip)).error, 'user_lock_limit_reached')
  assert.equal(
    (await ways.recover(data.session_token, app.recoveryCodes[0]!, ip)).error,
    'user_lock_limit_reached',
  )
  service.advance(15 * 60_000)
  assert.equal((await ways.typeCode(data.session_token, app.code(), ip)).status, 200)
})

test('lets the owner in from a known network after strangers with the password used up all tries', async () => {
  const email = 'besieged@example.com'
  const { app } = await ways.signUpWithApp(email)
  const home = '192.0.2.77'
  const first = await ways.signIn(email, { ip: home })
  assert.equal((await ways.typeCode(first.data.session_token, app.code(), home)).status, 200)
  // The owner's own tries are forgotten.
  service.advance(3_600_000)
  const wrong = app.code() === '000000' ? '000001' : '000000'
  const thief = (await ways.signIn(email, { ip: '198.51.100.1' })).data.session_token
  const errors: (string | undefined)[] = []
  for (let tries = 0; tries < 30; tries++) {
    errors.push((await ways.typeCode(thief, wrong, `198.51.100.${tries}`)).error)
  }
  assert.equal(errors.filter(error => error === 'unable_to_authenticate_totp').length, 25)
  assert.equal(errors.at(-1), 'user_lock_limit_reached')
  const own = (await ways.signIn(email, { ip: home })).data.session_token
  assert.equal((await ways.typeCode(own, app.code(), home)).status, 200)
})

test('does not remember a browser or network without the second factor', async () => {
  const email = 'unknown.browser@example.com'
  const { userId } = await ways.signUpWithApp(email)
  const origins = () =>
    service.db.selectFrom('known_origin').select('digest').where('user_id', '=', userId).execute()
  const known = await origins()
  await ways.signIn(email, { ip: '192.0.2.88' })
  assert.deepEqual(await origins(), known)
})

test('knows no browser or network from before the app, so that a thief there has the tries of a stranger', async () => {
  const email = 'known.thief@example.com'
  const { token, userId } = await service.signUp(email)
  const networks = Array.from({ length: 6 }, (_, index) => `198.51.100.${index + 100}`)
  for (const ip of networks) assert.equal((await ways.signIn(email, { ip })).status, 200)
  const app = await ways.createApp(token)
  assert.equal((await ways.typeCode(token, app.code(), '192.0.2.99')).status, 200)
  // The first code counts as a try of a stranger, too.
  service.advance(3_600_000)
  const origins = await service.db
    .selectFrom('known_origin')
    .select('kind')
    .where('user_id', '=', userId)
    .execute()
  assert.deepEqual(origins.map(({ kind }) => kind).sort(), ['browser', 'network'])
  const thief = (await ways.signIn(email, { ip: networks[0]! })).data.session_token
  const wrong = app.code() === '000000' ? '000001' : '000000'
  const compared: string[] = []
  for (const ip of networks) {
    for (let tries = 0; tries < 5; tries++) {
      if ((await ways.typeCode(thief, wrong, ip)).error === 'unable_to_authenticate_totp') compared.push(ip)
    }
  }
  assert.equal(compared.length, 25)
})

test('answers invalid_code for what is not six digits, and user_unauthenticated without a session', async () => {
  const { token } = await ways.signUpWithApp('formless@example.com')
  for (const code of ['', '12345', '1234567', 'abcdef', '12 345', '１２３４５６']) {
    assert.equal((await ways.typeCode(token, code)).error, 'invalid_code')
  }
  assert.equal((await ways.typeCode(undefined, '123456')).error, 'user_unauthenticated')
  const { token: bare } = await service.signUp('no.app@example.com')
  assert.equal((await ways.typeCode(bare, '123456')).error, 'unable_to_authenticate_totp')
  assert.equal((await ways.recoveryCodes(bare)).error, 'totp_not_found')
})

test('accepts each recovery code once, in any spelling, and one of two at the same time', async () => {
  const email = 'recover@example.com'
  const { app } = await ways.signUpWithApp(email)
  const signIn = async () => (await ways.signIn(email)).data.session_token
  const [first, second] = app.recoveryCodes as [string, string]
  const spelled = ` ${first.toUpperCase().replaceAll('-', ' ')} `
  const answer = await ways.recover(await signIn(), spelled)
  assert.deepEqual(factorsOf(answer), ['password', 'recovery_codes'])
  assert.equal(answer.data.totp_id, app.totpId)
  assert.ok(await isAccepted(answer.data.session_jwt))
  const again = await ways.recover(await signIn(), first)
  assert.deepEqual([again.status, again.error], [401, 'unable_to_authenticate_recovery_code'])
  const both = await Promise.all([await signIn(), await signIn()].map(token => ways.recover(token, second)))
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401])
  const left = await ways.recoveryCodes(answer.data.session_token)
  assert.deepEqual([...left.data.totps[0].recovery_codes].sort(), app.recoveryCodes.slice(2).sort())
  assert.ok((await service.mailsTo(email)).some(({ kind }) => kind === 'recovery_code_used'))
})

test('shows the recovery codes of an unconfirmed app to no session, so that a thief cannot note them', async () => {
  const email = 'watched@example.com'
  const { token } = await service.signUp(email)
  const thief = (await ways.signIn(email)).data.session_token
  const app = await ways.createApp(token)
  for (const as of [thief, token]) assert.equal((await ways.recoveryCodes(as)).error, 'totp_not_found')
  const confirmed = await ways.typeCode(token, app.code())
  const shown = await ways.recoveryCodes(confirmed.data.session_token)
  assert.deepEqual([...shown.data.totps[0].recovery_codes].sort(), [...app.recoveryCodes].sort())
})

test('refuses another person’s recovery code', async () => {
  const { app } = await ways.signUpWithApp('rich@example.com')
  const { token } = await ways.signUpWithApp('poor@example.com')
  const { error } = await ways.recover(token, app.recoveryCodes[0]!)
  assert.equal(error, 'unable_to_authenticate_recovery_code')
})

test('gives a session without its second factor a token that no service accepts', async () => {
  const email = 'half@example.com'
  const { app } = await ways.signUpWithApp(email)
  const half = await ways.signIn(email)
  assert.equal(half.status, 200)
  assert.equal(await isAccepted(half.data.session_jwt), false)
  const refreshed = await service.call('authenticateSession', '/sdk/v1/sessions/authenticate', {
    as: half.data.session_token,
    body: {},
  })
  assert.equal(refreshed.status, 200)
  assert.equal(await isAccepted(refreshed.data.session_jwt), false)
  const whole = await ways.typeCode(half.data.session_token, app.code())
  assert.ok(await isAccepted(whole.data.session_jwt))
  assert.equal(whole.data.session.session_id, half.data.session.session_id)
  assert.notEqual(whole.data.session_token, half.data.session_token)
})

test('changes nothing in a session without its second factor', async () => {
  const email = 'locked.out@example.com'
  const { app, token } = await ways.signUpWithApp(email)
  const { id } = await ways.addPasskey(token)
  const half = (await ways.signIn(email)).data
  const as = half.session_token
  const [{ email_id }] = half.user.emails
  for (const [operationId, method, path, body] of [
    ['updateMe', 'PUT', '/users/me', { name: { first_name: 'T' } }],
    ['deleteEmail', 'DELETE', `/users/emails/${email_id}`, undefined],
    ['deleteTotp', 'DELETE', `/users/totps/${app.totpId}`, undefined],
    ['deleteWebauthnRegistration', 'DELETE', `/users/webauthn_registrations/${id}`, undefined],
    ['getRecoveryCodes', 'POST', '/totps/recovery_codes', {}],
    ['resetPasswordBySession', 'POST', '/passwords/session/reset', { password: otherPassword }],
    ['sendEmailCodeInSession', 'POST', '/otps/email/send/secondary', { email: 'thief@example.com' }],
    ['sendMagicLinkInSession', 'POST', '/magic_links/email/send/secondary', { email: 'thief@example.com' }],
    ['startWebauthnRegistration', 'POST', '/webauthn/register/start', { domain: 'lapwing.test' }],
    ['updateWebauthn', 'PUT', `/webauthn/update/${id}`, { name: 'mine' }],
  ] as const) {
    const answer = await service.call(operationId, `/sdk/v1${path}`, { method, as, body })
    assert.deepEqual([answer.status, answer.error], [401, 'insufficient_factors'], operationId)
  }
  const { error } = await service.call('createTotp', '/sdk/v1/totps', { as, body: {} })
  assert.equal(error, 'active_totp_exists')
})

test('requires the app to change a password with the old one', async () => {
  const email = 'old.password@example.com'
  const { token } = await ways.signUpWithApp(email)
  const reset = (as?: string) =>
    service.call('resetPasswordByExisting', '/sdk/v1/passwords/existing_password/reset', {
      ...(as !== undefined && { as }),
      body: { email, existing_password: goodPassword, new_password: otherPassword },
    })
  assert.equal((await reset()).error, 'insufficient_factors')
  const changed = await reset(token)
  assert.deepEqual(factorsOf(changed), ['totp', 'password'])
  assert.ok(await isAccepted(changed.data.session_jwt))
})

test('keeps the second factor in the session that changes its password', async () => {
  const { token } = await ways.signUpWithApp('kept@example.com')
  const changed = await service.call('resetPasswordBySession', '/sdk/v1/passwords/session/reset', {
    as: token,
    body: { password: otherPassword },
  })
  assert.deepEqual(factorsOf(changed), ['totp', 'password'])
})

test('asks for the second factor after a reset link too', async () => {
  const email = 'forgot@example.com'
  const { token } = await service.signUp(email)
  const send = () =>
    service.call('sendEmailCodeInSession', '/sdk/v1/otps/email/send/secondary', {
      as: token,
      body: { email },
    })
  const { data } = await send()
  const code = /\b\d{6}\b/.exec((await service.mailsTo(email)).at(-1)!.text)![0]
  const proved = await service.call('authenticateCode', '/sdk/v1/otps/authenticate', {
    as: token,
    body: { token: code, method_id: data.method_id },
  })
  const app = await ways.createApp(proved.data.session_token)
  await ways.typeCode(proved.data.session_token, app.code())
  service.advance(30_000)
  const answer = await resetByMail(email)
  assert.equal(await isAccepted(answer.data.session_jwt), false)
  const whole = await ways.typeCode(answer.data.session_token, app.code())
  assert.ok(await isAccepted(whole.data.session_jwt))
})

test('removes the app and passkeys of a stranger who signed up with the address, when its owner proves it', async () => {
  const email = 'squatted@example.com'
  const { token, userId } = await ways.signUpWithApp(email)
  await ways.addPasskey(token)
  const answer = await resetByMail(email)
  assert.equal(answer.data.user_id, userId)
  assert.deepEqual([answer.data.user.totps, answer.data.user.webauthn_registrations], [[], []])
  assert.ok(await isAccepted(answer.data.session_jwt))
  // The driver can have set them up before the address was proved.
  const removals = (await service.mailsTo(email)).filter(({ kind }) => kind.endsWith('_removed'))
  assert.deepEqual(removals.map(({ kind }) => kind).sort(), ['passkey_removed', 'totp_removed'])
})

test('ends every other session when the app is confirmed, and when it is removed', async () => {
  const email = 'others@example.com'
  const { token } = await service.signUp(email)
  const other = await ways.signIn(email)
  const app = await ways.createApp(token)
  const confirmed = await ways.typeCode(token, app.code())
  service.advance(30_000)
  const isAlive = async (as: string) =>
    (await service.call('authenticateSession', '/sdk/v1/sessions/authenticate', { as, body: {} })).status ===
    200
  assert.equal(await isAlive(other.data.session_token), false)
  const half = await ways.signIn(email)
  const removed = await remove(confirmed.data.session_token, 'totps', 'deleteTotp', app.totpId)
  assert.deepEqual([removed.status, removed.data.__user.totps], [200, []])
  assert.equal(await isAlive(half.data.session_token), false)
  assert.ok(await isAccepted((await ways.signIn(email)).data.session_jwt))
  const kinds = (await service.mailsTo(email)).map(({ kind }) => kind)
  assert.deepEqual(
    kinds.filter(kind => kind.startsWith('totp')),
    ['totp_added', 'totp_removed'],
  )
})

test('joins a session however old it is', async () => {
  const email = 'old.session@example.com'
  const { app } = await ways.signUpWithApp(email)
  const half = await service.call('authenticatePassword', '/sdk/v1/passwords/authenticate', {
    body: { email, password: goodPassword, session_duration_minutes: 1_440 },
  })
  service.advance(20 * 3_600_000)
  const whole = await ways.typeCode(half.data.session_token, app.code())
  assert.equal(whole.data.session.session_id, half.data.session.session_id)
  assert.deepEqual(factorsOf(whole), ['password', 'totp'])
})

test('accepts no code of a locked account', async () => {
  const { app, token, userId } = await ways.signUpWithApp('locked.app@example.com')
  await service.db
    .updateTable('person')
    .set({ locked_at: service.now() })
    .where('user_id', '=', userId)
    .execute()
  assert.equal((await ways.typeCode(token, app.code())).error, 'unauthorized_credentials')
})

async function resetByMail(email: string) {
  await service.call('startPasswordReset', '/sdk/v1/passwords/email/reset/start', { body: { email } })
  const mail = (await service.mailsTo(email)).findLast(({ kind }) => kind === 'reset_password')!
  const token = linkIn(mail).searchParams.get('token')
  return service.call('resetPasswordByEmail', '/sdk/v1/passwords/email/reset', {
    body: { token, password: otherPassword },
  })
}
