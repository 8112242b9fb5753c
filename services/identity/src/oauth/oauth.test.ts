import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type RunningProviders, startProviders } from '@lapwing/dev-servers/providers'
import { Browser, codeVerifier, type Landing } from '../test/browser.ts'
import { type Harness, harness, origin, publicToken } from '../test/harness.ts'
import { issueToken } from '../tokens/token.ts'

let providers: RunningProviders
let service: Harness

before(async () => {
  providers = await startProviders({ redirectOrigins: [origin] })
  service = await harness({}, providers.env)
})

after(async () => {
  await service.close()
  await providers.close()
})

const page = `${origin}/authenticate`
const randomEmail = () => `${randomUUID()}@example.test`

function authenticate(landing: Landing, more: Readonly<Record<string, unknown>> = {}, as?: string) {
  return service.call('authenticateOAuth', '/sdk/v1/oauth/authenticate', {
    body: { token: tokenOf(landing), code_verifier: codeVerifier, session_duration_minutes: 60, ...more },
    ...(as !== undefined && { as }),
  })
}

function tokenOf({ location }: Landing): string {
  assert.equal(location?.searchParams.get('stytch_token_type'), 'oauth', location?.href)
  return location!.searchParams.get('token')!
}

function errorOf({ status, location }: Landing): string | null {
  assert.equal(status, 302)
  assert.equal(location!.searchParams.get('token'), null)
  return location!.searchParams.get('error_type') ?? location!.searchParams.get('error')
}

for (const provider of ['google', 'discord']) {
  test(`${provider}: creates an account with a confirmed address`, async () => {
    const email = randomEmail()
    const landing = await new Browser(service).roundTrip(provider, { email }, { login_redirect_url: page })
    assert.equal(landing.location!.origin + landing.location!.pathname, page)
    const { status, data } = await authenticate(landing)
    assert.equal(status, 200)
    assert.equal(data.session.expires_at, new Date(service.now().getTime() + 3_600_000).toISOString())
    assert.deepEqual(
      data.user.emails.map(({ email, verified }: { email: string; verified: boolean }) => ({
        email,
        verified,
      })),
      [{ email, verified: true }],
    )
    assert.equal(data.provider_type, provider)
    assert.equal(data.user.providers[0].provider_subject, data.provider_subject)
    assert.equal(data.user.providers[0].oauth_user_registration_id, data.oauth_user_registration_id)
    const [factor] = data.session.authentication_factors
    assert.equal(factor.type, 'oauth')
    assert.equal(factor.delivery_method, `oauth_${provider}`)
    assert.deepEqual(factor[`${provider}_oauth_factor`], {
      id: data.oauth_user_registration_id,
      email_id: data.user.emails[0].email_id,
      provider_subject: data.provider_subject,
    })
    // Identity does not pass the provider's tokens on.
    assert.equal(data.provider_values.access_token, '')
  })

  test(`${provider}: signs a returning person in to the same account`, async () => {
    const email = randomEmail()
    const first = await authenticate(await new Browser(service).roundTrip(provider, { email }))
    const second = await authenticate(await new Browser(service).roundTrip(provider, { email }))
    assert.equal(second.data.user_id, first.data.user_id)
    assert.notEqual(second.data.session.session_id, first.data.session.session_id)
    assert.equal(second.data.user.providers.length, 1)
  })
}

test('opens one account with two providers of one confirmed address', async () => {
  const email = randomEmail()
  const google = await authenticate(await new Browser(service).roundTrip('google', { email }))
  const discord = await authenticate(
    await new Browser(service).roundTrip('discord', { email: email.toUpperCase() }),
  )
  assert.equal(discord.data.user_id, google.data.user_id)
  assert.deepEqual(
    discord.data.user.providers.map(({ provider_type }: { provider_type: string }) => provider_type).sort(),
    ['discord', 'google'],
  )
})

test('opens an account with a password only if its address is confirmed', async () => {
  const email = randomEmail()
  const { userId, emailId } = await service.signUp(email)
  const refused = await new Browser(service).roundTrip('google', { email }, { login_redirect_url: page })
  assert.equal(errorOf(refused), 'duplicate_email')
  assert.match(refused.location!.searchParams.get('error_message')!, /never confirmed/)
  await service.db.updateTable('email').set({ verified: true }).where('email_id', '=', emailId).execute()
  const { data } = await authenticate(await new Browser(service).roundTrip('google', { email }))
  assert.equal(data.user_id, userId)
  assert.equal(data.user.emails.length, 1)
  assert.ok(data.user.password)
  // A mail notifies the owner of the new provider, once.
  await authenticate(await new Browser(service).roundTrip('google', { email }))
  const mails = await service.mailsTo(email)
  assert.deepEqual(
    mails.filter(({ kind }) => kind === 'provider_added').map(({ subject }) => subject),
    ['Google now opens your Lapwing account'],
  )
})

test('opens no account with an address that the provider has not confirmed', async () => {
  const email = randomEmail()
  await authenticate(await new Browser(service).roundTrip('google', { email }))
  const refused = await new Browser(service).roundTrip('discord', { email, unverified: 'yes' })
  assert.equal(errorOf(refused), 'duplicate_email')
  assert.match(refused.location!.searchParams.get('error_message')!, /Discord does not confirm/)
})

test('stores no address that the provider has not confirmed', async () => {
  const email = randomEmail()
  const { data } = await authenticate(
    await new Browser(service).roundTrip('discord', { email, unverified: 'yes' }),
  )
  assert.deepEqual(data.user.emails, [])
  assert.equal(data.session.authentication_factors[0].discord_oauth_factor.email_id, undefined)
  assert.notEqual((await service.signUp(email)).userId, data.user_id)
})

test('rejects an account that got the address during the round trip', async () => {
  const email = randomEmail()
  const landing = await new Browser(service).roundTrip('google', { email })
  await service.signUp(email)
  assert.equal((await authenticate(landing)).error, 'duplicate_email')
})

test('redirects a new person to the sign-up address and a known person to the login address', async () => {
  const email = randomEmail()
  const redirects = { login_redirect_url: page, signup_redirect_url: `${origin}/` }
  const first = await new Browser(service).roundTrip('google', { email }, redirects)
  assert.equal(first.location!.pathname, '/')
  await authenticate(first)
  const second = await new Browser(service).roundTrip('google', { email }, redirects)
  assert.equal(second.location!.pathname, '/authenticate')
})

test('adds the factor to the browser’s session of the same person', async () => {
  const email = randomEmail()
  const first = await authenticate(await new Browser(service).roundTrip('google', { email }))
  const landing = await new Browser(service).roundTrip('discord', { email })
  const second = await authenticate(landing, {}, first.data.session_token)
  assert.equal(second.data.session.session_id, first.data.session.session_id)
  assert.equal(second.data.session.authentication_factors.length, 2)
})

test('rejects a locked account', async () => {
  const email = randomEmail()
  const { data } = await authenticate(await new Browser(service).roundTrip('google', { email }))
  await service.db
    .updateTable('person')
    .set({ locked_at: service.now() })
    .where('user_id', '=', data.user_id)
    .execute()
  const landing = await new Browser(service).roundTrip('google', { email })
  assert.equal((await authenticate(landing)).error, 'oauth_token_not_found')
})

test('creates one account from several windows of a new person', async () => {
  const email = randomEmail()
  const landings = await Promise.all(
    Array.from({ length: 4 }, () => new Browser(service).roundTrip('google', { email })),
  )
  const answers = await Promise.all(landings.map(landing => authenticate(landing)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  assert.equal(new Set(answers.map(({ data }) => data.user_id)).size, 1)
})

test('creates one account from two concurrent providers with one address', async () => {
  const email = randomEmail()
  const landings = await Promise.all(
    ['google', 'discord'].map(provider => new Browser(service).roundTrip(provider, { email })),
  )
  const answers = await Promise.all(landings.map(landing => authenticate(landing)))
  assert.equal(new Set(answers.map(({ data }) => data.user_id)).size, 1, JSON.stringify(answers))
})

test('accepts exactly one of fifty concurrent tries with one token', async () => {
  const landing = await new Browser(service).roundTrip('google', { email: randomEmail() })
  const answers = await Promise.all(Array.from({ length: 50 }, () => authenticate(landing)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.deepEqual(
    [...new Set(answers.filter(({ status }) => status !== 200).map(({ error }) => error))],
    ['oauth_token_not_found'],
  )
})

test('accepts a token for five minutes', async () => {
  const [early, late] = [randomEmail(), randomEmail()]
  const landings = [
    await new Browser(service).roundTrip('google', { email: early }),
    await new Browser(service).roundTrip('google', { email: late }),
  ]
  service.advance(5 * 60_000 - 1)
  assert.equal((await authenticate(landings[0]!)).status, 200)
  service.advance(1)
  assert.equal((await authenticate(landings[1]!)).error, 'oauth_token_not_found')
})

test('stores only the digest of a token', async () => {
  const token = tokenOf(await new Browser(service).roundTrip('google', { email: randomEmail() }))
  assert.match(token, /^[\w-]{43}$/)
  const rows = await service.db.selectFrom('token').selectAll().where('kind', '=', 'oauth').execute()
  assert.ok(rows.some(({ token_hash }) => token_hash.equals(createHash('sha256').update(token).digest())))
  assert.ok(!JSON.stringify(rows).includes(token))
})

test('leaves the token usable after a wrong or missing verifier', async () => {
  const landing = await new Browser(service).roundTrip('google', { email: randomEmail() })
  const missing = await authenticate(landing, { code_verifier: undefined })
  assert.equal(missing.error, 'pkce_expected_code_verifier')
  assert.equal((await authenticate(landing, { code_verifier: 'guess' })).error, 'pkce_mismatch')
  assert.equal((await authenticate(landing)).status, 200)
})

test('leaves the token usable after an unexpected verifier', async () => {
  const profile = { subject: randomUUID(), email: null, emailVerified: false, pictureUrl: '', locale: '' }
  const token = await service.deps.change(work =>
    issueToken(work, {
      kind: 'oauth',
      userId: null,
      data: { provider: 'google', profile },
      codeChallenge: undefined,
      minutes: 5,
    }),
  )
  const exchange = (more: object) =>
    service.call('authenticateOAuth', '/sdk/v1/oauth/authenticate', { body: { token, ...more } })
  const unexpected = await exchange({ code_verifier: codeVerifier })
  assert.equal(unexpected.error, 'pkce_did_not_expect_code_verifier')
  assert.equal((await exchange({})).status, 200)
})

test('sends the provider a state, a nonce, our own challenge and the registered address', async () => {
  const { status, location, headers } = await new Browser(service).start('google', {
    custom_scopes: 'https://www.googleapis.com/auth/drive openid',
    provider_login_hint: 'ada@example.test',
    provider_redirect_uri: 'https://evil.example/',
    provider_state: 'fixed',
  })
  assert.equal(status, 302)
  const sent = Object.fromEntries(location!.searchParams)
  assert.match(sent.state!, /^[\w-]{43}$/)
  assert.match(sent.nonce!, /^[\w-]{43}$/)
  assert.match(sent.code_challenge!, /^[\w-]{43}$/)
  // The page's challenge protects our token; the provider gets another one.
  assert.notEqual(sent.code_challenge, createHash('sha256').update(codeVerifier).digest('base64url'))
  assert.equal(sent.code_challenge_method, 'S256')
  assert.equal(sent.redirect_uri, `${origin}/v1/public/oauth/google/callback`)
  assert.equal(sent.scope, 'openid email profile https://www.googleapis.com/auth/drive')
  assert.equal(sent.login_hint, 'ada@example.test')
  const cookie = String(headers['set-cookie'])
  assert.match(
    cookie,
    /^__Host-lapwing-oauth-google=[\w-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
  assert.ok(!cookie.includes(sent.state!))
})

for (const [name, provider, params, error] of [
  ['no public token', 'google', { public_token: '' }, 'invalid_public_token'],
  ['another public token', 'google', { public_token: 'public-token-live-other' }, 'invalid_public_token'],
  [
    'a login address outside the list',
    'google',
    { login_redirect_url: 'https://evil.example/' },
    'no_match_for_provided_oauth_url',
  ],
  [
    'a longer login address',
    'google',
    { login_redirect_url: `${page}.evil.example` },
    'no_match_for_provided_oauth_url',
  ],
  [
    'a login address with a query',
    'google',
    { login_redirect_url: `${page}?next=1` },
    'no_match_for_provided_oauth_url',
  ],
  [
    'a script as an address',
    'google',
    { signup_redirect_url: 'javascript:alert(1)' },
    'no_match_for_provided_oauth_url',
  ],
  ['no challenge', 'google', { code_challenge: '' }, 'bad_request'],
  ['an invalid challenge', 'google', { code_challenge: 'short' }, 'bad_request'],
  ['invalid scopes', 'google', { custom_scopes: 'a"b' }, 'bad_request'],
  ['an unknown attach token', 'google', { oauth_attach_token: 'x' }, 'invalid_oauth_attach_token'],
  ['a provider without credentials', 'github', {}, 'oauth_provider_not_configured'],
  ['an unknown provider', 'constructor', {}, 'oauth_provider_not_configured'],
] as const) {
  test(`does not redirect for ${name}`, async () => {
    const landing = await new Browser(service).start(provider, params)
    assert.equal(landing.error, error)
    assert.equal(landing.location, null)
    assert.equal(landing.headers['set-cookie'], undefined)
  })
}

test('returns to the page if a provider has no credentials', async () => {
  const landing = await new Browser(service).start('github', { login_redirect_url: page })
  assert.equal(errorOf(landing), 'oauth_provider_not_configured')
  assert.equal(
    landing.location!.searchParams.get('error_message'),
    'This sign-in provider is not set up here.',
  )
})

test('returns access_denied after "Deny"', async () => {
  const landing = await new Browser(service).roundTrip(
    'google',
    { decision: 'deny' },
    { login_redirect_url: page },
  )
  assert.equal(errorOf(landing), 'access_denied')
  assert.equal(landing.location!.origin + landing.location!.pathname, page)
})

test('returns to the page without a token for a missing, foreign or made-up state', async () => {
  const browser = new Browser(service)
  const { location } = await browser.start('google')
  const back = await browser.signIn(location!, { email: randomEmail() })
  const without = new URL(back)
  without.searchParams.delete('state')
  const foreign = new URL(back)
  foreign.searchParams.set(
    'state',
    (await new Browser(service).start('google')).location!.searchParams.get('state')!,
  )
  for (const forged of [without, foreign, new URL(`${back.origin}${back.pathname}?code=x&state=y`)]) {
    const landing = await browser.comeBack(forged)
    assert.equal(errorOf(landing), 'oauth_state_mismatch')
    assert.equal(landing.location!.origin, origin)
  }
  // The person's own sign-in still succeeds.
  assert.equal((await authenticate(await browser.comeBack(back))).status, 200)
})

test('rejects a callback in another browser', async () => {
  const browser = new Browser(service)
  const { location } = await browser.start('google')
  const back = await browser.signIn(location!, { email: randomEmail() })
  assert.equal(errorOf(await new Browser(service).comeBack(back)), 'oauth_state_mismatch')
  const other = new Browser(service)
  await other.start('google')
  assert.equal(errorOf(await other.comeBack(back)), 'oauth_state_mismatch')
})

test('accepts a state once, even with copies of the cookie', async () => {
  const browser = new Browser(service)
  const { location } = await browser.start('google')
  const back = await browser.signIn(location!, { email: randomEmail() })
  const cookie = browser.cookies()
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      service.call('finishOAuth', `${back.pathname}${back.search}`, { method: 'GET', headers: { cookie } }),
    ),
  )
  const landings = answers.map(({ headers }) => new URL(String(headers.location)))
  assert.equal(landings.filter(url => url.searchParams.has('token')).length, 1)
  assert.equal(
    landings.filter(url => url.searchParams.get('error_type') === 'oauth_state_mismatch').length,
    9,
  )
})

test('ends a flow after ten minutes', async () => {
  const browser = new Browser(service)
  const { location } = await browser.start('google')
  const back = await browser.signIn(location!, { email: randomEmail() })
  service.advance(600_000)
  assert.equal(errorOf(await browser.comeBack(back)), 'oauth_state_mismatch')
})

test('rejects the cookie of one provider at the callback of another', async () => {
  const browser = new Browser(service)
  const { location } = await browser.start('google')
  const back = await browser.signIn(location!, { email: randomEmail() })
  const cookie = browser.cookies().replace('oauth-google', 'oauth-discord')
  const answer = await service.call('finishOAuth', `/v1/public/oauth/discord/callback${back.search}`, {
    method: 'GET',
    headers: { cookie },
  })
  assert.match(String(answer.headers.location), /error_type=oauth_state_mismatch/)
})

test('fails with the code of another person’s round trip, because the challenge differs', async () => {
  const [victim, attacker] = [new Browser(service), new Browser(service)]
  const theirs = await attacker.signIn((await attacker.start('google')).location!, { email: randomEmail() })
  const own = await victim.signIn((await victim.start('google')).location!, { email: randomEmail() })
  own.searchParams.set('code', theirs.searchParams.get('code')!)
  assert.equal(errorOf(await victim.comeBack(own)), 'oauth_flow_callback_error')
})

test('replaces the provider’s error message by our own', async () => {
  const browser = new Browser(service)
  const { location } = await browser.start('google')
  const landing = await browser.comeBack(
    new URL(
      `${origin}/v1/public/oauth/google/callback?error=server_error&error_description=%3Cb%3Einternal%3C%2Fb%3E&state=${location!.searchParams.get('state')}`,
    ),
  )
  assert.equal(errorOf(landing), 'oauth_flow_callback_error')
  assert.doesNotMatch(landing.location!.href, /internal/)
})

test('redirects a provider’s form to the same address', async () => {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/public/oauth/apple/callback',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://appleid.apple.com' },
    payload: 'code=c%2B1&state=s&user=%7B%7D',
  })
  assert.equal(answer.statusCode, 303)
  assert.equal(answer.headers.location, '?code=c%2B1&state=s')
})

for (const [type, payload] of [
  ['application/json', '{"code":1,"state":{}}'],
  ['application/json', 'null'],
  ['application/json', '[]'],
  ['application/x-www-form-urlencoded', ''],
] as const) {
  test(`redirects an invalid form (${payload}) without parameters`, async () => {
    const url = '/v1/public/oauth/google/callback'
    const answer = await service.app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': type },
      payload,
    })
    assert.equal(answer.statusCode, 303)
    assert.equal(answer.headers.location, '?')
    assert.equal(errorOf(await new Browser(service).open('finishOAuth', `${url}?`)), 'oauth_state_mismatch')
  })
}

test('rejects forms at any other address', async () => {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/sdk/v1/oauth/authenticate',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${publicToken}:${publicToken}`).toString('base64')}`,
    },
    payload: 'token=x',
  })
  assert.equal(answer.statusCode, 415)
  assert.equal(answer.json().error_type, 'unsupported_media_type')
})
