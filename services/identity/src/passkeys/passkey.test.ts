import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Authenticator, type Lies } from '../test/authenticator.ts'
import { goodPassword, type Harness, harness } from '../test/harness.ts'
import { domain, factorsOf, waysIn } from '../test/ways-in.ts'
import { lockUser } from '../users/lock-user.ts'

let service: Harness
let ways: ReturnType<typeof waysIn>

before(async () => {
  service = await harness({}, { ALLOWED_ORIGINS: 'https://beta.lapwing.test,https://elsewhere.test' })
  ways = waysIn(service)
})
after(() => service.close())

test('adds a passkey to the session and signs in with it, without a name', async () => {
  const { token, userId, sessionId } = await service.signUp('first@example.com')
  const started = await ways.startRegistration(token, { domain, user_agent: 'A browser' })
  const options = JSON.parse(started.data.public_key_credential_creation_options)
  assert.deepEqual(options.rp, { id: domain, name: 'Lapwing' })
  assert.equal(options.user.name, 'first@example.com')
  assert.ok(!Buffer.from(options.user.id, 'base64url').toString().includes(userId))
  assert.deepEqual(
    [options.authenticatorSelection.residentKey, options.authenticatorSelection.userVerification],
    ['required', 'required'],
  )
  assert.deepEqual(options.excludeCredentials, [])
  const authenticator = new Authenticator()
  const added = await ways.register(token, authenticator.create(JSON.stringify(options)))
  assert.equal(added.data.session.session_id, sessionId)
  assert.deepEqual(factorsOf(added), ['password', 'webauthn'])
  assert.deepEqual(added.data.user.webauthn_registrations, [
    {
      webauthn_registration_id: added.data.webauthn_registration_id,
      domain,
      user_agent: 'A browser',
      authenticator_type: 'platform',
      verified: true,
      name: 'Passkey 1',
    },
  ])
  const challenge = await ways.challenge()
  assert.equal('allowCredentials' in JSON.parse(challenge), false)
  const signedIn = await ways.usePasskey(authenticator.get(challenge))
  assert.equal(signedIn.data.user_id, userId)
  assert.notEqual(signedIn.data.session.session_id, sessionId)
  const [factor] = signedIn.data.session.authentication_factors
  assert.deepEqual(
    [factor.type, factor.delivery_method, factor.webauthn_factor],
    [
      'webauthn',
      'webauthn_registration',
      {
        webauthn_registration_id: added.data.webauthn_registration_id,
        domain,
        user_agent: 'A browser',
      },
    ],
  )
  assert.ok((await service.mailsTo('first@example.com')).some(({ kind }) => kind === 'passkey_added'))
})

test('excludes the passkeys that the person has', async () => {
  const { token } = await service.signUp('exclude@example.com')
  const { authenticator, token: next } = await ways.addPasskey(token)
  const { data } = await ways.startRegistration(next)
  const options = JSON.parse(data.public_key_credential_creation_options)
  assert.deepEqual(
    options.excludeCredentials.map(({ id }: { id: string }) => id),
    [authenticator.id],
  )
})

const otherHandle = Buffer.alloc(32, 1).toString('base64url')
const lies: readonly (readonly [string, Lies])[] = [
  ['another origin', { origin: 'https://evil.test' }],
  ['an allowed origin outside the domain', { origin: 'https://elsewhere.test' }],
  ['another RP id', { rpId: 'evil.test' }],
  ['an unverified user', { isUserVerified: false }],
  ['a made-up challenge', { challenge: Buffer.alloc(32, 2).toString('base64url') }],
]

for (const [name, lie] of lies) {
  test(`adds no passkey with ${name}`, async () => {
    const { token } = await service.signUp(`add.${name.replaceAll(' ', '.')}@example.com`)
    const { data } = await ways.startRegistration(token)
    const options = data.public_key_credential_creation_options
    const { status, error } = await ways.register(token, new Authenticator().create(options, lie))
    assert.deepEqual([status, error], [400, 'invalid_public_key_credential'])
    const me = await service.call('getMe', '/sdk/v1/users/me', { method: 'GET', as: token })
    assert.deepEqual(me.data.webauthn_registrations, [])
  })
}

for (const [name, lie] of [
  ...lies,
  ['a wrong user handle', { userHandle: otherHandle }],
  ['no user handle', { userHandle: undefined }],
  ['a signature of other bytes', { signature: Buffer.alloc(70, 3).toString('base64url') }],
] as const) {
  test(`signs nobody in with ${name}`, async () => {
    const { token } = await service.signUp(`use.${name.replaceAll(' ', '.')}@example.com`)
    const { authenticator } = await ways.addPasskey(token)
    const { status, error } = await ways.usePasskey(authenticator.get(await ways.challenge(), lie))
    assert.deepEqual([status, error], [400, 'invalid_public_key_credential'])
    // The passkey itself works.
    assert.equal((await ways.usePasskey(authenticator.get(await ways.challenge()))).status, 200)
  })
}

test('accepts a challenge once, and exactly one of ten concurrent tries', async () => {
  const { token } = await service.signUp('once@example.com')
  const { authenticator, token: next } = await ways.addPasskey(token)
  const credential = authenticator.get(await ways.challenge())
  const answers = await Promise.all(Array.from({ length: 10 }, () => ways.usePasskey(credential)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.equal((await ways.usePasskey(credential)).error, 'invalid_public_key_credential')
  const { data } = await ways.startRegistration(next)
  const created = new Authenticator().create(data.public_key_credential_creation_options)
  const registered = await ways.register(next, created)
  assert.equal(registered.status, 200)
  const replayed = await ways.register(registered.data.session_token, created)
  assert.equal(replayed.error, 'invalid_public_key_credential')
})

test('stores nothing for challenges until a passkey has signed one', async () => {
  const count = async () =>
    (await service.db.selectFrom('token').select('kind').where('kind', '=', 'webauthn_login').execute())
      .length
  const { token } = await service.signUp('stores.nothing@example.com')
  const { authenticator } = await ways.addPasskey(token)
  const before = await count()
  const challenges = await Promise.all(Array.from({ length: 20 }, () => ways.challenge()))
  assert.equal(new Set(challenges).size, 20)
  assert.equal(await count(), before)
  assert.equal((await ways.usePasskey(authenticator.get(challenges[0]!))).status, 200)
  assert.equal(await count(), before + 1)
})

test('sends options to a browser that signed in before, after strangers used up those of its network', async () => {
  const ip = '192.0.2.88'
  const { headers } = await service.call('createPassword', '/sdk/v1/passwords', {
    body: { email: 'beside.strangers@example.com', password: goodPassword },
    ip,
  })
  const cookie = String([headers['set-cookie']].flat()[0]).split(';')[0]!
  const start = (options: { readonly headers?: Readonly<Record<string, string>> } = {}) =>
    service.call('startWebauthn', '/sdk/v1/webauthn/authenticate/start/primary', {
      body: { domain },
      ip,
      ...options,
    })
  for (let turn = 0; turn < 60; turn++) assert.equal((await start()).status, 200)
  assert.equal((await start()).error, 'too_many_requests')
  assert.equal(
    (await start({ headers: { cookie: `__Host-lapwing-browser=${randomBytes(32).toString('base64url')}` } }))
      .error,
    'too_many_requests',
  )
  assert.equal((await start({ headers: { cookie } })).status, 200)
})

test('rejects a challenge after its minutes', async () => {
  const { token } = await service.signUp('slow@example.com')
  const { authenticator } = await ways.addPasskey(token)
  const credential = authenticator.get(await ways.challenge())
  service.advance(60 * 60_000)
  assert.equal((await ways.usePasskey(credential)).error, 'invalid_public_key_credential')
})

test('rejects a count that goes back or does not grow, as a copied authenticator shows it', async () => {
  const { token } = await service.signUp('counter@example.com')
  const { authenticator } = await ways.addPasskey(token)
  const use = async (counter: number) =>
    (await ways.usePasskey(authenticator.get(await ways.challenge(), { counter }))).error
  assert.equal(await use(7), undefined)
  assert.equal(await use(7), 'invalid_public_key_credential')
  assert.equal(await use(6), 'invalid_public_key_credential')
  assert.equal(await use(0), 'invalid_public_key_credential')
  assert.equal(await use(8), undefined)
})

test('accepts an authenticator that does not count', async () => {
  const { token } = await service.signUp('countless@example.com')
  const { authenticator } = await ways.addPasskey(token)
  for (let use = 0; use < 2; use++) {
    const credential = authenticator.get(await ways.challenge(), { counter: 0 })
    assert.equal((await ways.usePasskey(credential)).status, 200)
  }
})

test('answers webauthn_registration_not_found for an unknown and a removed passkey', async () => {
  const { token } = await service.signUp('removed.passkey@example.com')
  const { authenticator, id, token: next } = await ways.addPasskey(token)
  const unknown = authenticator.get(await ways.challenge(), { id: 'AAAA' })
  assert.equal((await ways.usePasskey(unknown)).error, 'webauthn_registration_not_found')
  const removed = await service.call(
    'deleteWebauthnRegistration',
    `/sdk/v1/users/webauthn_registrations/${id}`,
    {
      method: 'DELETE',
      as: next,
    },
  )
  assert.deepEqual(removed.data.__user.webauthn_registrations, [])
  const credential = authenticator.get(await ways.challenge())
  assert.equal((await ways.usePasskey(credential)).error, 'webauthn_registration_not_found')
  assert.ok(
    (await service.mailsTo('removed.passkey@example.com')).some(({ kind }) => kind === 'passkey_removed'),
  )
})

test('adds no passkey whose id another person has', async () => {
  const owner = await service.signUp('owner@example.com')
  const { authenticator } = await ways.addPasskey(owner.token)
  const thief = await service.signUp('thief@example.com')
  const { data } = await ways.startRegistration(thief.token)
  const copy = new Authenticator().create(data.public_key_credential_creation_options, {
    id: authenticator.id,
  })
  assert.equal((await ways.register(thief.token, copy)).error, 'invalid_public_key_credential')
  const signedIn = await ways.usePasskey(authenticator.get(await ways.challenge()))
  assert.equal(signedIn.data.user_id, owner.userId)
})

test('adds a passkey only in a session of the person who asked for it', async () => {
  const asker = await service.signUp('asker@example.com')
  const stranger = await service.signUp('stranger@example.com')
  const { data } = await ways.startRegistration(asker.token)
  const credential = new Authenticator().create(data.public_key_credential_creation_options)
  assert.equal((await ways.register(stranger.token, credential)).error, 'invalid_public_key_credential')
  assert.equal((await ways.register('no-session', credential)).error, 'session_not_found')
  assert.equal((await ways.register(asker.token, credential)).status, 200)
})

test('counts options of a session only in a session of that person', async () => {
  const owner = await service.signUp('in.session@example.com')
  assert.equal((await ways.startPasskeyInSession(owner.token)).error, 'webauthn_registration_not_found')
  const { authenticator, token } = await ways.addPasskey(owner.token)
  const options = async () =>
    (await ways.startPasskeyInSession(token)).data.public_key_credential_request_options
  const credential = authenticator.get(await options())
  assert.equal((await ways.usePasskey(credential)).error, 'user_unauthenticated')
  const stranger = await service.signUp('not.in.session@example.com')
  assert.equal((await ways.usePasskey(credential, stranger.token)).error, 'invalid_public_key_credential')
  const theirs = await ways.addPasskey(stranger.token)
  const foreign = theirs.authenticator.get(await options())
  assert.equal((await ways.usePasskey(foreign, token)).error, 'invalid_public_key_credential')
  const joined = await ways.usePasskey(credential, token)
  assert.equal(joined.data.session.session_id, owner.sessionId)
  // A security key of a known person can leave the handle out.
  const bare = authenticator.get(
    (await ways.startPasskeyInSession(joined.data.session_token)).data.public_key_credential_request_options,
    { userHandle: undefined },
  )
  assert.equal((await ways.usePasskey(bare, joined.data.session_token)).status, 200)
})

test('begins a new session if the one of the browser is old, unless that one requested the options', async () => {
  const { token, sessionId } = await service.signUp('old.cookie@example.com')
  await service.call('authenticateSession', '/sdk/v1/sessions/authenticate', {
    as: token,
    body: { session_duration_minutes: 2_880 },
  })
  const { authenticator, token: next } = await ways.addPasskey(token)
  service.advance(25 * 3_600_000)
  const requested = await ways.startPasskeyInSession(next)
  const stepUp = authenticator.get(requested.data.public_key_credential_request_options)
  const joined = await ways.usePasskey(stepUp, next)
  assert.equal(joined.data.session.session_id, sessionId)
  // The page treats a session as expired a day after its start, so this sign-in must not continue it.
  const held = joined.data.session_token
  const fresh = await ways.usePasskey(authenticator.get(await ways.challenge()), held)
  assert.equal(fresh.data.session.started_at, service.now().toISOString())
  const old = await service.call('authenticateSession', '/sdk/v1/sessions/authenticate', {
    as: held,
    body: {},
  })
  assert.equal(old.error, 'session_not_found')
})

test('is both factors of an account with an authenticator app, but removes nothing alone', async () => {
  const { token, app } = await ways.signUpWithApp('both@example.com')
  const { authenticator } = await ways.addPasskey(token)
  const signedIn = await ways.usePasskey(authenticator.get(await ways.challenge()))
  const claims = JSON.parse(Buffer.from(signedIn.data.session_jwt.split('.')[1], 'base64url').toString())
  assert.deepEqual(claims.aud, [service.deps.settings.projectId])
  const removed = await service.call('deleteTotp', `/sdk/v1/users/totps/${app.totpId}`, {
    method: 'DELETE',
    as: signedIn.data.session_token,
  })
  assert.equal(removed.error, 'insufficient_factors')
})

test('keeps a passkey as the last way in, and refuses to remove it', async () => {
  const { token, emailId } = await service.signUp('only.passkey@example.com')
  const { authenticator, id, token: next } = await ways.addPasskey(token)
  const remove = (operationId: string, path: string) =>
    service.call(operationId, `/sdk/v1/users/${path}`, { method: 'DELETE', as: next })
  assert.equal((await remove('deleteEmail', `emails/${emailId}`)).status, 200)
  assert.equal(
    (await remove('deleteWebauthnRegistration', `webauthn_registrations/${id}`)).error,
    'cannot_delete_last_factor',
  )
  assert.equal((await ways.usePasskey(authenticator.get(await ways.challenge()))).status, 200)
})

test('signs nobody in to a locked account', async () => {
  const { token, userId } = await service.signUp('locked.passkey@example.com')
  const { authenticator } = await ways.addPasskey(token)
  const credential = authenticator.get(await ways.challenge())
  await service.deps.change(work => lockUser(work, userId, true))
  assert.equal((await ways.usePasskey(credential)).error, 'unauthorized_credentials')
})

test('stores fifty passkeys of a person, and not one more', async () => {
  const signedUp = await service.signUp('fifty@example.com')
  let { token } = signedUp
  for (let passkeys = 0; passkeys < 50; passkeys++) token = (await ways.addPasskey(token)).token
  const { status, error } = await ways.startRegistration(token)
  assert.deepEqual([status, error], [400, 'too_many_user_registrations_for_domain'])
})

test('names a passkey for its owner alone', async () => {
  const { token } = await service.signUp('namer@example.com')
  const { id, token: next } = await ways.addPasskey(token)
  const name = (as: string, text: string, of = id) =>
    service.call('updateWebauthn', `/sdk/v1/webauthn/update/${of}`, {
      method: 'PUT',
      as,
      body: { name: text },
    })
  assert.equal((await name(next, '  Work laptop\0 ')).data.webauthn_registration.name, 'Work laptop')
  assert.equal((await name(next, 'x'.repeat(200))).data.webauthn_registration.name.length, 64)
  assert.equal((await name(next, ' \n ')).error, 'empty_webauthn_registration_name')
  const other = await service.signUp('other.namer@example.com')
  assert.equal((await name(other.token, 'mine')).error, 'webauthn_registration_not_found')
  assert.equal((await name(next, 'none', 'w-1')).error, 'webauthn_registration_not_found')
})

for (const [asked, error] of [
  [domain, undefined],
  ['LAPWING.test', undefined],
  ['beta.lapwing.test', undefined],
  ['evil.test', 'invalid_webauthn_registration_domain'],
  ['wing.test', 'invalid_webauthn_registration_domain'],
  ['test', 'invalid_webauthn_registration_domain'],
  ['', 'invalid_webauthn_registration_domain'],
] as const) {
  test(`answers ${error ?? 'options'} for the domain "${asked}"`, async () => {
    const { token } = await service.signUp(`${crypto.randomUUID()}@example.com`)
    const started = [
      await ways.startRegistration(token, { domain: asked }),
      await service.call('startWebauthn', '/sdk/v1/webauthn/authenticate/start/primary', {
        body: { domain: asked },
      }),
    ]
    assert.deepEqual(
      started.map(answer => answer.error),
      [error, error],
    )
  })
}

for (const text of [
  '',
  'null',
  '[]',
  '{}',
  '{"id":"a","response":null}',
  '{"id":"a","response":{"clientDataJSON":"bnVsbA","attestationObject":"AA","authenticatorData":"AA","signature":"AA"}}',
  `{"id":"${'a'.repeat(2_000)}","response":{"clientDataJSON":"e30","attestationObject":"AA"}}`,
]) {
  test(`answers invalid_public_key_credential for ${text.slice(0, 40)}`, async () => {
    const { token } = await service.signUp(`malformed.${crypto.randomUUID()}@example.com`)
    assert.equal((await ways.register(token, text)).error, 'invalid_public_key_credential')
    assert.equal((await ways.usePasskey(text)).error, 'invalid_public_key_credential')
  })
}

test('answers the same for broken members of a credential with a real challenge', async () => {
  const { token } = await service.signUp('members@example.com')
  for (const [path, value] of [
    ['response.attestationObject', 'AAAA'],
    ['response.attestationObject', '-_-_'],
    ['rawId', null],
    ['type', 'password'],
    // 33 levels with the credential itself, and 20,000 lists in each other (CBOR).
    ['clientExtensionResults', JSON.parse(`${'{"a":'.repeat(32)}1${'}'.repeat(32)}`)],
    ['response.attestationObject', Buffer.alloc(20_000, 0x81).toString('base64url')],
  ] as const) {
    const { data } = await ways.startRegistration(token)
    const credential = JSON.parse(new Authenticator().create(data.public_key_credential_creation_options))
    const [first, second] = path.split('.') as [string, string | undefined]
    if (second === undefined) credential[first] = value
    else credential[first][second] = value
    const answer = await ways.register(token, JSON.stringify(credential))
    assert.equal(answer.error, 'invalid_public_key_credential', path)
  }
})

test('rejects a passkey with another id inside than outside, however long that is', async () => {
  const { token } = await service.signUp('two.ids@example.com')
  for (const bytes of [16, 1_024, 16_000]) {
    const { data } = await ways.startRegistration(token)
    const credential = new Authenticator().create(data.public_key_credential_creation_options, {
      innerId: randomBytes(bytes).toString('base64url'),
    })
    const { status, error } = await ways.register(token, credential)
    assert.deepEqual([status, error], [400, 'invalid_public_key_credential'])
  }
})

test('stores a passkey with the longest id that WebAuthn allows', async () => {
  const { token } = await service.signUp('long.id@example.com')
  const { data } = await ways.startRegistration(token)
  const credential = new Authenticator().create(data.public_key_credential_creation_options, {
    id: randomBytes(1_023).toString('base64url'),
  })
  assert.equal((await ways.register(token, credential)).status, 200)
})

test('ignores transports that are none', async () => {
  const { token } = await service.signUp('transports@example.com')
  const { data } = await ways.startRegistration(token)
  const credential = JSON.parse(new Authenticator().create(data.public_key_credential_creation_options))
  credential.response.transports = 7
  assert.equal((await ways.register(token, JSON.stringify(credential))).status, 200)
})

test('accepts a passkey of the parent domain on a page below it', async () => {
  const { token } = await service.signUp('below@example.com')
  const { authenticator } = await ways.addPasskey(token)
  const credential = authenticator.get(await ways.challenge(), { origin: 'https://beta.lapwing.test' })
  assert.equal((await ways.usePasskey(credential)).status, 200)
})
