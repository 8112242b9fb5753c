import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { domainToASCII } from 'node:url'
import { generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { Browser, codeVerifier } from '../test/browser.ts'
import { type Club, createClub, errorOf } from '../test/club.ts'
import { type Harness, harness, origin, publicToken } from '../test/harness.ts'
import type { Endpoint, Fault } from '../test/issuer.ts'
import { factorsOf, waysIn } from '../test/ways-in.ts'
import { readUser } from '../users/user.ts'
import { readClaimedDomain } from './claimed-domain.ts'
import { removeConnection, saveOrganization, turnOrganization } from './save-organization.ts'

const domain = 'racing.example'
let service: Harness
let club: Club

before(async () => {
  service = await harness()
  club = await createClub(service, { domains: [domain] })
})

after(async () => {
  await club.issuer.close()
  await service.close()
})

const newAddress = (of = domain) => `${randomUUID()}@${of}`
const prove = (emailId: string) =>
  service.db.updateTable('email').set({ verified: true }).where('email_id', '=', emailId).execute()
const claimsOf = (email: string): JWTPayload => ({ sub: randomUUID(), email, email_verified: true })

test('opens an account with the address, makes its person a member, and opens the same one again', async () => {
  const email = newAddress()
  const { status, data, body } = await club.enter(email)
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(
    data.user.emails.map(({ email, verified }: { email: string; verified: boolean }) => [email, verified]),
    [[email, true]],
  )
  assert.equal(data.organization.organization_name, 'Example Racing')
  assert.equal(data.user.providers[0].provider_type, data.connection_id)
  const [factor] = data.session.authentication_factors
  assert.deepEqual([factor.type, factor.delivery_method], ['sso', 'sso_oidc'])
  assert.equal(factor.sso_factor.organization_id, club.organizationId)
  const again = await club.enter(email)
  assert.equal(again.data.user_id, data.user_id)
  const own = await service.call('getOwnOrganizations', '/sdk/v1/users/organizations', {
    method: 'GET',
    as: again.data.session_token,
  })
  assert.deepEqual(
    own.data.organizations.map((one: { organization_id: string }) => one.organization_id),
    [club.organizationId],
  )
  const events = await service.db
    .selectFrom('organization_event')
    .select('kind')
    .where('user_id', '=', data.user_id)
    .execute()
  assert.deepEqual(events, [{ kind: 'member_joined' }])
})

test('opens an older account only if both sides have confirmed its address, and mails its owner', async () => {
  const email = newAddress()
  const { userId, emailId } = await service.signUp(email)
  assert.equal(errorOf(await club.roundTrip(claimsOf(email))), 'duplicate_email')
  await prove(emailId)
  const unconfirmed = { ...claimsOf(email), email_verified: false }
  assert.equal(errorOf(await club.roundTrip(unconfirmed)), 'sso_email_not_of_organization')
  const { data } = await club.enter(email)
  assert.equal(data.user_id, userId)
  await club.enter(email)
  assert.deepEqual(
    (await service.mailsTo(email)).map(({ subject }) => subject),
    ['Example Racing now opens your Lapwing account'],
  )
})

const strangers: Readonly<Record<string, JWTPayload>> = {
  'of another domain': { email: 'victim@other.example' },
  'of a subdomain': { email: `victim@mail.${domain}` },
  'of a parent domain': { email: 'victim@example' },
  'whose name only ends like the domain': { email: `victim@not${domain}` },
  'with the domain in its first part': { email: `victim@${domain}@other.example` },
  'that is no address': { email: domain },
  'that is a list': { email: [`victim@${domain}`] },
  'that is left out': { email: undefined },
  'that it does not confirm': { email_verified: undefined },
  'that it confirms by a word': { email_verified: 'yes' },
}
for (const [name, claims] of Object.entries(strangers)) {
  test(`refuses an address ${name}`, async () => {
    const landing = await club.roundTrip({ ...claimsOf(newAddress()), ...claims })
    assert.equal(errorOf(landing), 'sso_email_not_of_organization')
  })
}

test('never opens the account of an address outside its domains, whatever the organization says', async () => {
  const email = newAddress('other.example')
  const { emailId } = await service.signUp(email)
  await prove(emailId)
  assert.equal(errorOf(await club.roundTrip(claimsOf(email))), 'sso_email_not_of_organization')
  // Not with the person of one of its own accounts, either.
  const own = claimsOf(newAddress())
  assert.equal((await club.authenticate(await club.roundTrip(own))).status, 200)
  assert.equal(errorOf(await club.roundTrip({ ...own, email })), 'sso_email_not_of_organization')
})

test('accepts the domain in any case, and one with other letters in both spellings', async () => {
  const upper = await club.enter(newAddress(domain.toUpperCase()))
  assert.equal(upper.status, 200)
  const other = await createClub(service, { domains: [readClaimedDomain('Rennführer.Example')] })
  try {
    for (const spelled of ['rennführer.example', 'RENNFÜHRER.example', domainToASCII('rennführer.example')]) {
      assert.equal((await other.enter(newAddress(spelled))).status, 200, spelled)
    }
  } finally {
    await other.issuer.close()
  }
})

test('opens no account that has lost its address of the organization', async () => {
  const email = newAddress()
  const claims = claimsOf(email)
  const { data } = await club.authenticate(await club.roundTrip(claims))
  // As if an operator had moved the domain to another organization and given this one a new domain.
  await service.db
    .updateTable('email')
    .set({ address: 'moved@old.example', address_key: `${randomUUID()}@old.example` })
    .where('user_id', '=', data.user_id)
    .execute()
  const refused = await club.authenticate(await club.roundTrip({ ...claims, email: newAddress() }))
  assert.equal(refused.error, 'sso_email_not_of_organization')
})

test('removing the address ends the sign-in of its organization, which is never the last way in', async () => {
  const email = newAddress()
  const { data } = await club.enter(email)
  const remove = (as: string) =>
    service.call('deleteEmail', `/sdk/v1/users/emails/${data.user.emails[0].email_id}`, {
      method: 'DELETE',
      as,
    })
  assert.equal((await remove(data.session_token)).error, 'cannot_delete_last_factor')
  await service.db
    .insertInto('phone_number')
    .values({
      phone_id: randomUUID(),
      user_id: data.user_id,
      number: '+12015550188',
      created_at: service.now(),
    })
    .execute()
  const removed = await remove(data.session_token)
  assert.deepEqual(removed.data.__user.providers, [])
  assert.deepEqual(await membersOf(data.user_id), [])
  // The address is free again, and the same person of the organization gets another account.
  assert.notEqual((await club.enter(email)).data.user_id, data.user_id)
})

test('removing the sign-in of an organization ends the membership and leaves the address', async () => {
  const { data } = await club.enter(newAddress())
  const [{ oauth_user_registration_id: id }] = data.user.providers
  const removed = await service.call('deleteOAuthRegistration', `/sdk/v1/users/oauth/${id}`, {
    method: 'DELETE',
    as: data.session_token,
  })
  assert.equal(removed.status, 200, JSON.stringify(removed.body))
  assert.deepEqual(await membersOf(data.user_id), [])
})

test('still needs the second factor of the account', async () => {
  const ways = waysIn(service)
  const email = newAddress()
  const { data } = await club.enter(email)
  const app = await ways.createApp(data.session_token)
  await ways.typeCode(data.session_token, app.code())
  const half = await club.enter(email)
  assert.deepEqual(factorsOf(half), ['sso'])
  assert.equal(await ways.isAccepted(half.data.session_jwt), false)
})

test('accepts a token once, only with the verifier of the page, and only for five minutes', async () => {
  const landing = await club.roundTrip(claimsOf(newAddress()))
  const token = landing.location!.searchParams.get('token')
  const post = (body: object) =>
    service.call('authenticateSso', '/sdk/v1/sso/authenticate', { body: { token, ...body } })
  assert.equal((await post({})).error, 'pkce_expected_code_verifier')
  assert.equal((await post({ code_verifier: 'another' })).error, 'pkce_mismatch')
  const answers = await Promise.all(Array.from({ length: 10 }, () => post({ code_verifier: codeVerifier })))
  assert.deepEqual(answers.map(({ error }) => error ?? 'signed in').sort(), [
    'signed in',
    ...Array.from({ length: 9 }, () => 'sso_token_not_found'),
  ])
  const late = await club.roundTrip(claimsOf(newAddress()))
  service.advance(5 * 60_000)
  assert.equal((await club.authenticate(late)).error, 'sso_token_not_found')
  // A token of one kind is none of another.
  const other = await club.roundTrip(claimsOf(newAddress()))
  const { error } = await service.call('authenticateOAuth', '/sdk/v1/oauth/authenticate', {
    body: { token: other.location!.searchParams.get('token'), code_verifier: codeVerifier },
  })
  assert.equal(error, 'oauth_token_not_found')
})

test('refuses an answer in another browser, a replayed one, and one for another connection', async () => {
  const browser = new Browser(service)
  const { location } = await club.start(browser)
  const { pathname, search } = club.issuer.signIn(location!, claimsOf(newAddress()))
  const other = await createClub(service, { domains: ['other-club.example'] })
  try {
    const elsewhere = await browser.open(
      'finishSso',
      `/v1/public/sso/${other.connectionId}/callback${search}`,
    )
    assert.equal(errorOf(elsewhere), 'oauth_state_mismatch')
  } finally {
    await other.issuer.close()
  }
  const stranger = await new Browser(service).open('finishSso', pathname + search)
  assert.equal(errorOf(stranger), 'oauth_state_mismatch')
  const cookies = browser.cookies()
  assert.ok((await browser.open('finishSso', pathname + search)).location!.searchParams.has('token'))
  const replay = await service.call('finishSso', pathname + search, {
    method: 'GET',
    headers: { cookie: cookies },
  })
  assert.match(String(replay.headers.location), /oauth_state_mismatch/)
})

test('sends a hint, a state, a nonce and PKCE to the issuer, and nothing that the page chose', async () => {
  const landing = await club.start(new Browser(service), { login_hint: 'ada@racing.example', scope: 'admin' })
  assert.equal(landing.status, 302)
  const { origin: at, pathname, searchParams } = landing.location!
  assert.equal(at + pathname, `${club.issuer.url}/authorize`)
  assert.deepEqual(
    ['login_hint', 'scope', 'response_type', 'code_challenge_method', 'redirect_uri'].map(name =>
      searchParams.get(name),
    ),
    [
      'ada@racing.example',
      'openid email',
      'code',
      'S256',
      `${origin}/v1/public/sso/${club.connectionId}/callback`,
    ],
  )
  assert.ok(searchParams.get('nonce') && searchParams.get('state'))
})

test('refuses a start without a challenge, for another page, or of an unknown connection', async () => {
  const start = (connection: string, query: Readonly<Record<string, string>>) =>
    service.call('startSso', `/v1/public/sso/${connection}/start?${new URLSearchParams(query)}`, {
      method: 'GET',
    })
  const known = { public_token: publicToken, code_challenge: 'x'.repeat(43) }
  assert.equal((await start('none', known)).error, 'sso_connection_not_found')
  assert.equal((await start(club.connectionId, { public_token: publicToken })).error, 'bad_request')
  assert.equal(
    (await start(club.connectionId, { ...known, public_token: 'x' })).error,
    'invalid_public_token',
  )
  const elsewhere = { ...known, login_redirect_url: 'https://evil.example/' }
  assert.equal((await start(club.connectionId, elsewhere)).error, 'no_match_for_provided_oauth_url')
  const shown = await start('none', { ...known, login_redirect_url: `${origin}/authenticate` })
  assert.match(String(shown.headers.location), /error_type=sso_connection_not_found/)
})

test('reports a cancelled sign-in as access_denied, and another error of the issuer as its own', async () => {
  for (const [error, expected] of [
    ['access_denied', 'access_denied'],
    ['server_error', 'oauth_flow_callback_error'],
  ]) {
    const browser = new Browser(service)
    const { location } = await club.start(browser)
    const query = new URLSearchParams({ error: error!, state: location!.searchParams.get('state')! })
    const landing = await browser.open('finishSso', `/v1/public/sso/${club.connectionId}/callback?${query}`)
    assert.equal(errorOf(landing), expected)
  }
})

for (const [name, change] of Object.entries({
  'another issuer': { iss: 'https://evil.example' },
  'another client': { aud: 'somebody' },
  'several clients': { aud: ['lapwing at the club', 'somebody'] },
  'another round trip': { nonce: 'another' },
  'no round trip': { nonce: undefined },
  'another time': { exp: 1_000 },
  'an empty person': { sub: '' },
  'an endless person': { sub: 'x'.repeat(300) },
} satisfies Record<string, JWTPayload>)) {
  test(`rejects an ID token of ${name}`, async () => {
    const landing = await club.roundTrip({ ...claimsOf(newAddress()), ...change })
    assert.equal(errorOf(landing), 'oauth_flow_callback_error')
  })
}

for (const [name, sign] of Object.entries({
  'of another key': async claims =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .sign((await generateKeyPair('ES256')).privateKey),
  'of the client’s own secret': claims =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(Buffer.from(club.issuer.clientSecret.padEnd(32))),
  'of no algorithm': async claims =>
    ['{"alg":"none"}', JSON.stringify(claims), '']
      .map(part => Buffer.from(part).toString('base64url'))
      .join('.'),
} satisfies Record<string, (claims: JWTPayload) => Promise<string>>)) {
  test(`rejects an ID token with a signature ${name}`, async () => {
    const landing = await club.roundTrip(claimsOf(newAddress()), { sign })
    assert.equal(errorOf(landing), 'oauth_flow_callback_error')
  })
}

const faults: Readonly<Record<string, Fault>> = {
  'never answers': () => {},
  'sends its answer too slowly': (_, response) => response.writeHead(200).write('{'),
  'answers with more than 256 KiB': (_, response) => response.end(' '.repeat(300_000)),
  'answers with a page': (_, response) => response.end('<html>'),
  'is broken': (_, response) => response.writeHead(500).end(),
  'redirects the request': (_, response) => response.writeHead(307, { location: '/' }).end(),
  'breaks off': (_, response) => response.destroy(),
}
describe('an issuer that fails', () => {
  let impatient: Harness
  let failing: Club
  before(async () => {
    // On a busy machine a good issuer takes longer, too: only these tests have so short a time-out.
    impatient = await harness({}, { OAUTH_TIMEOUT_MS: '500' })
    failing = await createClub(impatient, { domains: [domain] })
  })
  after(async () => {
    await failing.issuer.close()
    await impatient.close()
  })

  for (const endpoint of ['token', 'userinfo'] satisfies Endpoint[]) {
    for (const [name, fault] of Object.entries(faults)) {
      test(`returns to the page with an error if the issuer ${name} (${endpoint})`, async () => {
        failing.issuer.faults.set(endpoint, fault)
        try {
          const landing = await failing.roundTrip(claimsOf(newAddress()))
          assert.equal(errorOf(landing), 'oauth_flow_callback_error')
        } finally {
          failing.issuer.faults.clear()
        }
      })
    }
  }
})

test('reads the keys of another service only if the operator saw their address', async () => {
  const other = await createClub(service, { domains: ['keys.example'] })
  try {
    // The organization changes its discovery document afterwards.
    other.issuer.changes = { jwks_uri: 'http://127.0.0.1:1/keys', token_endpoint: 'http://127.0.0.1:1/token' }
    assert.equal((await other.enter(newAddress('keys.example'))).status, 200)
  } finally {
    await other.issuer.close()
  }
})

test('ends its sessions and refuses everybody when the operator turns the organization off, until it is on again', async () => {
  const other = await createClub(service, { domains: ['off.example'] })
  try {
    const email = newAddress('off.example')
    const { data } = await other.enter(email)
    const started = await other.roundTrip(claimsOf(newAddress('off.example')))
    const bystander = await club.enter(newAddress())
    await service.deps.change(work => turnOrganization(work, other.organizationId, false))
    const me = (as: string) => service.call('getMe', '/sdk/v1/users/me', { method: 'GET', as })
    assert.equal((await me(data.session_token)).error, 'session_not_found')
    assert.equal((await me(bystander.data.session_token)).status, 200)
    assert.equal((await other.authenticate(started)).error, 'sso_connection_not_found')
    assert.equal((await other.start(new Browser(service))).error, 'sso_connection_not_found')
    assert.equal((await discover(email)).data.organization, null)
    await service.deps.change(work => turnOrganization(work, other.organizationId, true))
    assert.equal((await other.enter(email)).data.user_id, data.user_id)
  } finally {
    await other.issuer.close()
  }
})

test('refuses a sign-in whose domain the operator took away meanwhile', async () => {
  const other = await createClub(service, { domains: ['taken.example', 'kept.example'] })
  try {
    const landing = await other.roundTrip(claimsOf(newAddress('taken.example')))
    const details = { name: 'Example Racing', domains: ['kept.example'], methods: ['sso'] as const }
    await service.deps.change(work => saveOrganization(work, details, other.organizationId))
    assert.equal((await other.authenticate(landing)).error, 'sso_email_not_of_organization')
  } finally {
    await other.issuer.close()
  }
})

test('removing a sign-in ends its sessions and removes it from the accounts, which keep their address', async () => {
  const other = await createClub(service, { domains: ['removed.example'] })
  try {
    const email = newAddress('removed.example')
    const { data } = await other.enter(email)
    const started = await other.roundTrip(claimsOf(newAddress('removed.example')))
    await service.deps.change(work => removeConnection(work, other.connectionId))
    const me = await service.call('getMe', '/sdk/v1/users/me', { method: 'GET', as: data.session_token })
    assert.equal(me.error, 'session_not_found')
    assert.equal((await other.authenticate(started)).error, 'sso_connection_not_found')
    const user = await readUser(service.db, data.user_id)
    assert.deepEqual([user?.providers, user?.emails.length], [[], 1])
  } finally {
    await other.issuer.close()
  }
})

test('replaces the session of another person', async () => {
  const { token } = await service.signUp(newAddress('other.example'))
  const { data } = await club.enter(newAddress(), token)
  const { error } = await service.call('getMe', '/sdk/v1/users/me', { method: 'GET', as: token })
  assert.equal(error, 'session_not_found')
  assert.ok(data.session_token)
})

test('opens one account for two windows of one new person', async () => {
  const claims = claimsOf(newAddress())
  const landings = [await club.roundTrip(claims), await club.roundTrip(claims)]
  const answers = await Promise.all(landings.map(landing => club.authenticate(landing)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  )
  assert.equal(answers[0]!.data.user_id, answers[1]!.data.user_id)
})

test('stores neither the secret of a connection nor a token in readable form', async () => {
  const { secret_sealed } = await service.db
    .selectFrom('sso_connection')
    .select('secret_sealed')
    .where('connection_id', '=', club.connectionId)
    .executeTakeFirstOrThrow()
  assert.ok(!secret_sealed.toString('latin1').includes(club.issuer.clientSecret))
})

function membersOf(userId: string) {
  return service.db
    .selectFrom('organization_member')
    .select('organization_id')
    .where('user_id', '=', userId)
    .execute()
}

function discover(email: string) {
  return service.call('discoverOrganization', '/sdk/v1/organizations/discover', {
    body: { email_address: email },
  })
}
