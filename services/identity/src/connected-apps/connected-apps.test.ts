import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServiceTokenSigner } from '@lapwing/auth'
import { sendEvent } from '@lapwing/service/testing'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import * as openid from 'openid-client'
import { sweep } from '../sweep.ts'
import { goodPassword, type Harness, harness, internalKey, linkIn, origin } from '../test/harness.ts'
import { fetchFrom, postForm, redirectUri, relyingParty } from '../test/relying-party.ts'
import { waysIn } from '../test/ways-in.ts'
import { lockUser } from '../users/lock-user.ts'
import { saveApp, turnApp } from './save-app.ts'
import { ALL_SCOPES } from './scopes.ts'

let service: Harness

before(async () => {
  service = await harness({}, { NEW_ACCOUNTS_PER_HOUR: '100000' })
})

after(() => service.close())

let people = 0
/** Signs up a person that no other test knows. */
const signUp = () => service.signUp(`driver.${people++}@example.com`)

/** Returns the error of a call of `openid-client`. */
async function errorOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => assert.fail('it succeeded'),
    (error: unknown) => error,
  )
  if (error instanceof openid.ResponseBodyError) return error.error
  if (!(error instanceof openid.WWWAuthenticateChallengeError)) throw error
  return error.cause[0]!.parameters.error ?? ((await error.response.json()) as { error: string }).error
}

/** Returns whether an access token still works, as the gateway and the userinfo endpoint see it. */
async function works(accessToken: string): Promise<boolean> {
  const id = String(decodeJwt(accessToken).authorization_id)
  const token = await createServiceTokenSigner(internalKey, 'identity')()
  const state = await service.app.inject({
    url: `/internal/sessions/${id}`,
    headers: { authorization: `Bearer ${token}` },
  })
  const userinfo = await fetchFrom(service)(`${origin}/oauth2/userinfo`, {
    headers: { authorization: `Bearer ${accessToken}` },
  })
  const isListed = await service.db
    .selectFrom('revoked_session')
    .select('session_id')
    .where('session_id', '=', id)
    .executeTakeFirst()
  assert.equal(state.json().active, userinfo.status === 200)
  assert.equal(isListed === undefined, userinfo.status === 200)
  return userinfo.status === 200
}

/** Returns the parameters that the app gets back, without the address. */
function returned(address: string): Readonly<Record<string, string>> {
  const url = new URL(address)
  assert.equal(url.origin + url.pathname, 'https://app.example/callback')
  return Object.fromEntries(url.searchParams)
}

test('connects an app that finds everything by discovery: code, tokens, userinfo, refresh and revocation', async () => {
  const app = await relyingParty(service)
  const email = 'ada@example.com'
  const { token, userId } = await service.signUp(email)
  await service.call('updateMe', '/sdk/v1/users/me', {
    method: 'PUT',
    as: token,
    body: { name: { first_name: 'Ada', last_name: 'Lovelace' } },
  })
  const request = await app.request()
  const started = await app.start(token, request)
  assert.deepEqual(
    [started.data.consent_required, started.data.client.client_name, started.data.client.client_type],
    [true, 'Pit Wall', 'third_party'],
  )
  assert.ok(started.data.scope_results.every((result: { is_grantable: boolean }) => result.is_grantable))
  const { data } = await app.submit(token, request)
  assert.deepEqual(returned(data.redirect_uri), {
    code: data.authorization_code,
    state: request.state,
    iss: origin,
  })
  const tokens = await app.exchange(data.redirect_uri, request)
  assert.deepEqual(
    [tokens.token_type, tokens.expires_in, tokens.scope],
    ['bearer', 900, ALL_SCOPES.join(' ')],
  )
  const claims = tokens.claims()!
  assert.deepEqual([claims.sub, claims.aud, claims.iss], [userId, app.clientId, origin])
  assert.equal(claims.auth_time, Math.floor(service.now().getTime() / 1_000))
  assert.equal(decodeProtectedHeader(tokens.access_token).typ, 'at+jwt')
  const access = decodeJwt(tokens.access_token)
  assert.deepEqual([access.aud, access.client_id, access.sub], [`${origin}/api`, app.clientId, userId])
  assert.deepEqual(await openid.fetchUserInfo(app.config, tokens.access_token, userId), {
    sub: userId,
    name: 'Ada Lovelace',
    given_name: 'Ada',
    family_name: 'Lovelace',
    email,
    email_verified: false,
  })
  const fresh = await openid.refreshTokenGrant(app.config, tokens.refresh_token!)
  assert.notEqual(fresh.refresh_token, tokens.refresh_token)
  assert.equal(await works(fresh.access_token), true)
  await openid.tokenRevocation(app.config, fresh.refresh_token!)
  assert.equal(await works(fresh.access_token), false)
  assert.equal(await works(tokens.access_token), false)
  assert.equal(await errorOf(openid.refreshTokenGrant(app.config, fresh.refresh_token!)), 'invalid_grant')
})

test('stores only digests of codes, tokens and secrets', async () => {
  const app = await relyingParty(service)
  const { token } = await signUp()
  const request = await app.request()
  const { data } = await app.submit(token, request)
  const tokens = await app.exchange(data.redirect_uri, request)
  const rows = await Promise.all(
    (['connected_app', 'app_authorization', 'app_refresh_token', 'app_event'] as const).map(table =>
      service.db.selectFrom(table).selectAll().execute(),
    ),
  )
  const stored = JSON.stringify(rows, (_key, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
  )
  for (const secret of [app.secret!, data.authorization_code, tokens.refresh_token!, tokens.access_token]) {
    assert.ok(!stored.includes(secret))
  }
})

test('returns access_denied and no code if the person does not agree, and stores no consent', async () => {
  const app = await relyingParty(service)
  const { token } = await signUp()
  const request = await app.request()
  const { data } = await app.submit(token, request, false)
  const { error_description, ...rest } = returned(data.redirect_uri)
  assert.deepEqual(rest, { error: 'access_denied', state: request.state, iss: origin })
  assert.equal(data.authorization_code, undefined)
  assert.equal((await app.start(token, request)).data.consent_required, true)
})

for (const [what, address] of [
  ['a longer path', 'https://app.example/callback/more'],
  ['a prefix', 'https://app.example/call'],
  ['a further parameter', 'https://app.example/callback?to=x'],
  ['a longer host', 'https://app.example.evil.example/callback'],
  ['another spelling', 'https://APP.example/callback'],
  ['another scheme', 'http://app.example/callback'],
  ['a script', 'javascript:alert(1)'],
] as const) {
  test(`sends nobody to ${what} instead of a registered address`, async () => {
    const app = await relyingParty(service)
    const { token } = await signUp()
    const request = await app.request({ redirect_uri: address })
    for (const { error, body } of [await app.start(token, request), await app.submit(token, request)]) {
      assert.equal(error, 'connected_app_supplied_redirect_url_not_found_in_client')
      assert.ok(!JSON.stringify(body).includes(address))
    }
  })
}

for (const [what, changes, error] of [
  ['no challenge', { code_challenge: undefined }, 'invalid_request'],
  ['a challenge that is no digest', { code_challenge: 'verifier' }, 'invalid_request'],
  ['the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
  ['only scopes that it is not registered for', { scopes: ['admin'] }, 'invalid_scope'],
  ['another API', { resource: 'https://other.example' }, 'invalid_target'],
  [
    'another API beside ours',
    { resource: [`${origin}/api`], resources: ['https://other.example'] },
    'invalid_target',
  ],
  ['no page at all', { prompt: 'none' }, 'interaction_required'],
] as const) {
  test(`returns ${error} to an app that asks with ${what}`, async () => {
    const app = await relyingParty(service)
    const { token } = await signUp()
    const { data } = await app.submit(token, await app.request(changes))
    assert.equal(returned(data.redirect_uri).error, error)
    assert.equal(data.authorization_code, undefined)
  })
}

test('keeps the parameters of a registered address', async () => {
  const address = 'https://app.example/callback?tenant=a'
  const app = await relyingParty(service, { redirectUris: [address] })
  const { token } = await signUp()
  const { data } = await app.submit(token, await app.request({ state: 'a b&c' }))
  const { searchParams } = new URL(data.redirect_uri)
  assert.deepEqual([...searchParams.keys()], ['tenant', 'code', 'state', 'iss'])
  assert.deepEqual([searchParams.get('tenant'), searchParams.get('state')], ['a', 'a b&c'])
})

test('asks the person nothing about a request that will be refused', async () => {
  const app = await relyingParty(service)
  const { token } = await signUp()
  const doomed = await app.request({ code_challenge_method: 'plain' })
  assert.equal((await app.start(token, doomed)).data.consent_required, false)
})

test('accepts resource and resources as text and as lists, and both together', async () => {
  const app = await relyingParty(service)
  const { token } = await signUp()
  const api = `${origin}/api`
  for (const changes of [
    { resource: api },
    { resources: [api] },
    { resource: [api], resources: [api, api] },
  ]) {
    const tokens = await app.connect(token, changes)
    assert.equal(decodeJwt(tokens.access_token).aud, api)
  }
})

test('refuses a wrong, missing or downgraded verifier, and leaves the code to the app that has the right one', async () => {
  const app = await relyingParty(service)
  const { token } = await signUp()
  const request = await app.request()
  const { data } = await app.submit(token, request)
  const form = { grant_type: 'authorization_code', code: data.authorization_code, redirect_uri: redirectUri }
  const authorization = `Basic ${btoa(`${app.clientId}:${app.secret}`)}`
  const send = (more: object) => postForm(service, 'token', { ...form, ...more }, { authorization })
  assert.equal((await send({ code_verifier: openid.randomPKCECodeVerifier() })).error, 'invalid_grant')
  assert.equal((await send({})).error, 'invalid_request')
  // With the method plain the challenge itself would be the verifier.
  assert.equal((await send({ code_verifier: request.body.code_challenge })).error, 'invalid_grant')
  assert.equal(await works((await app.exchange(data.redirect_uri, request)).access_token), true)
})

test('ends all tokens of a code that is used twice', async () => {
  const app = await relyingParty(service)
  const { token, userId } = await signUp()
  const request = await app.request()
  const { data } = await app.submit(token, request)
  const tokens = await app.exchange(data.redirect_uri, request)
  const fresh = await openid.refreshTokenGrant(app.config, tokens.refresh_token!)
  assert.equal(await works(fresh.access_token), true)
  assert.equal(await errorOf(app.exchange(data.redirect_uri, request)), 'invalid_grant')
  assert.equal(await works(tokens.access_token), false)
  assert.equal(await works(fresh.access_token), false)
  assert.equal(await errorOf(openid.refreshTokenGrant(app.config, fresh.refresh_token!)), 'invalid_grant')
  const events = await service.db
    .selectFrom('app_event')
    .select('kind')
    .where('user_id', '=', userId)
    .orderBy('happened_at')
    .execute()
  assert.deepEqual(events.map(({ kind }) => kind).toSorted(), ['code_reused', 'consent_given'])
})

test('issues tokens for one of ten concurrent uses of a code, and they are dead', async () => {
  const app = await relyingParty(service)
  const { token } = await signUp()
  const request = await app.request()
  const { data } = await app.submit(token, request)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () => app.exchange(data.redirect_uri, request)),
  )
  const issued = outcomes.filter(outcome => outcome.status === 'fulfilled')
  assert.equal(issued.length, 1)
  assert.equal(await works(issued[0]!.value.access_token), false)
})

test('refuses a code after a minute, of another app, and for another address', async () => {
  const second = 'https://app.example/second'
  const app = await relyingParty(service, { redirectUris: [redirectUri, second] })
  const other = await relyingParty(service)
  const { token } = await signUp()
  const request = await app.request()
  const { data } = await app.submit(token, request)
  assert.equal(await errorOf(other.exchange(data.redirect_uri, request)), 'invalid_grant')
  const elsewhere = data.redirect_uri.replace(redirectUri, second)
  assert.equal(await errorOf(app.exchange(elsewhere, request)), 'invalid_grant')
  service.advance(61_000)
  assert.equal(await errorOf(app.exchange(data.redirect_uri, request)), 'invalid_grant')
})

test('ends the whole family of a refresh token that is used twice', async () => {
  const app = await relyingParty(service)
  const { token } = await signUp()
  const tokens = await app.connect(token)
  const others = await app.connect(token)
  const fresh = await openid.refreshTokenGrant(app.config, tokens.refresh_token!)
  const newest = await openid.refreshTokenGrant(app.config, fresh.refresh_token!)
  assert.equal(await errorOf(openid.refreshTokenGrant(app.config, tokens.refresh_token!)), 'invalid_grant')
  assert.equal(await errorOf(openid.refreshTokenGrant(app.config, newest.refresh_token!)), 'invalid_grant')
  assert.equal(await works(newest.access_token), false)
  // Another device of the same person keeps its access.
  assert.equal(await works(others.access_token), true)
})

test('refreshes once for ten concurrent uses of a token, and ends the family', async () => {
  const app = await relyingParty(service)
  const { token } = await signUp()
  const tokens = await app.connect(token)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () => openid.refreshTokenGrant(app.config, tokens.refresh_token!)),
  )
  const issued = outcomes.filter(outcome => outcome.status === 'fulfilled')
  assert.equal(issued.length, 1)
  assert.equal(await works(issued[0]!.value.access_token), false)
})

test('refreshes sixty times an hour at most, and again later', async () => {
  const app = await relyingParty(service)
  const { token } = await signUp()
  let { refresh_token } = await app.connect(token)
  for (let count = 0; count < 60; count++) {
    ;({ refresh_token } = await openid.refreshTokenGrant(app.config, refresh_token!))
  }
  assert.equal(await errorOf(openid.refreshTokenGrant(app.config, refresh_token!)), 'slow_down')
  service.advance(3_601_000)
  assert.ok(await openid.refreshTokenGrant(app.config, refresh_token!))
})

test('issues a refresh token only with offline_access, and for ninety days in all', async () => {
  const app = await relyingParty(service)
  const { token } = await signUp()
  assert.equal((await app.connect(token, { scopes: ['openid'] })).refresh_token, undefined)
  let { refresh_token } = await app.connect(token, { scopes: ['openid', 'offline_access'] })
  service.advance(89 * 24 * 3_600_000)
  ;({ refresh_token } = await openid.refreshTokenGrant(app.config, refresh_token!))
  service.advance(2 * 24 * 3_600_000)
  assert.equal(await errorOf(openid.refreshTokenGrant(app.config, refresh_token!)), 'invalid_grant')
})

test('grants only scopes that the app is registered for, and refuses more at a refresh and at userinfo', async () => {
  const app = await relyingParty(service, { scopes: ['offline_access', 'laps:read'] })
  const { token } = await signUp()
  const scopes = ['laps:read', 'offline_access', 'leaderboard:read', 'everything']
  const request = await app.request({ scopes })
  const { data } = await app.start(token, request)
  assert.deepEqual(
    data.scope_results.map((result: { is_grantable: boolean }) => result.is_grantable),
    [true, true, false, false],
  )
  const tokens = await app.connect(token, { scopes })
  assert.equal(tokens.scope, 'laps:read offline_access')
  const refresh = (scope: string, from: string) => openid.refreshTokenGrant(app.config, from, { scope })
  const wider = refresh('laps:read leaderboard:read', tokens.refresh_token!)
  assert.equal(await errorOf(wider), 'invalid_scope')
  // The refusal has not used the token up.
  const narrower = await refresh('laps:read', tokens.refresh_token!)
  assert.equal(narrower.scope, 'laps:read')
  assert.equal(decodeJwt(narrower.access_token).scope, 'laps:read')
  const userinfo = openid.fetchUserInfo(app.config, narrower.access_token, openid.skipSubjectCheck)
  assert.equal(await errorOf(userinfo), 'insufficient_scope')
})

test('returns only the claims of the granted scopes', async () => {
  const app = await relyingParty(service)
  const { token, userId } = await signUp()
  const { access_token } = await app.connect(token, { scopes: ['openid'] })
  assert.deepEqual(await openid.fetchUserInfo(app.config, access_token, userId), { sub: userId })
})

test('asks again only for further scopes, or if the app wants it', async () => {
  const app = await relyingParty(service)
  const { token } = await signUp()
  const asks = async (changes: object) =>
    (await app.start(token, await app.request(changes))).data.consent_required
  await app.connect(token, { scopes: ['openid', 'laps:read'] })
  assert.equal(await asks({ scopes: ['laps:read'] }), false)
  assert.equal(await asks({ scopes: ['laps:read'], prompt: 'login consent' }), true)
  assert.equal(await asks({ scopes: ['laps:read', 'email'] }), true)
  const silent = await app.submit(token, await app.request({ scopes: ['laps:read'] }), false)
  assert.ok(silent.data.authorization_code)
})

test('always asks about an app that another program could pretend to be', async () => {
  const { token } = await signUp()
  for (const [redirect, isAsked] of [
    ['http://127.0.0.1:4100/back', true],
    ['com.example.pitwall:/back', true],
    ['https://app.example/back', false],
  ] as const) {
    const app = await relyingParty(service, { isPublic: true, redirectUris: [redirect] })
    const tokens = await app.connect(token)
    assert.equal(await works(tokens.access_token), true)
    assert.equal((await app.start(token, await app.request())).data.consent_required, isAsked, redirect)
  }
})

test('mails the owner once when an app is connected', async () => {
  const app = await relyingParty(service)
  const { token } = await service.signUp('mailed@example.com')
  await app.connect(token)
  await app.connect(token, { prompt: 'consent' })
  const mails = await service.mailsTo('mailed@example.com')
  assert.deepEqual(
    mails.map(({ kind }) => kind),
    ['app_connected'],
  )
})

test('lists connected apps, and ends the tokens of the one that its owner revokes', async () => {
  const app = await relyingParty(service)
  const other = await relyingParty(service, { name: 'Another', isPublic: true })
  const [one, two] = [await signUp(), await signUp()]
  const tokens = await app.connect(one.token, { scopes: ['laps:read', 'openid', 'offline_access'] })
  const kept = await other.connect(one.token)
  const theirs = await app.connect(two.token)
  const list = async () =>
    (await service.call('getConnectedApps', '/sdk/v1/users/connected_apps', { method: 'GET', as: one.token }))
      .data.connected_apps
  assert.deepEqual(await list(), [
    {
      connected_app_id: other.clientId,
      name: 'Another',
      description: 'Shows your laps on a second screen.',
      client_type: 'third_party_public',
      scopes_granted: ALL_SCOPES.join(' '),
    },
    {
      connected_app_id: app.clientId,
      name: 'Pit Wall',
      description: 'Shows your laps on a second screen.',
      client_type: 'third_party',
      scopes_granted: 'laps:read openid offline_access',
    },
  ])
  const revoke = (id: string) =>
    service.call('revokeConnectedApp', `/sdk/v1/users/connected_apps/${id}/revoke`, { as: one.token })
  assert.equal((await revoke(app.clientId)).status, 200)
  assert.equal(await works(tokens.access_token), false)
  assert.equal(await errorOf(openid.refreshTokenGrant(app.config, tokens.refresh_token!)), 'invalid_grant')
  assert.equal(await works(kept.access_token), true)
  assert.equal(await works(theirs.access_token), true)
  assert.equal((await list()).length, 1)
  for (const id of [app.clientId, 'connected-app-live-none']) {
    assert.equal((await revoke(id)).error, 'connected_app_not_found')
  }
  assert.equal((await app.start(one.token, await app.request())).data.consent_required, true)
})

test('refuses a disabled app everywhere, ends its tokens, and accepts it again after it is enabled', async () => {
  const app = await relyingParty(service)
  const { token } = await signUp()
  const tokens = await app.connect(token)
  const request = await app.request()
  const { data } = await app.submit(token, request)
  const turn = (isOn: boolean) => service.deps.change(work => turnApp(work, app.clientId, isOn))
  assert.equal(await turn(false), true)
  assert.equal(await works(tokens.access_token), false)
  assert.equal(await errorOf(openid.refreshTokenGrant(app.config, tokens.refresh_token!)), 'invalid_client')
  assert.equal(await errorOf(app.exchange(data.redirect_uri, request)), 'invalid_client')
  assert.equal((await app.start(token, request)).error, 'connected_app_not_found')
  assert.equal((await app.submit(token, request)).error, 'connected_app_not_found')
  await turn(true)
  assert.equal(await works((await app.connect(token)).access_token), true)
})

test('takes a scope from the tokens of an app that lost it', async () => {
  const app = await relyingParty(service)
  const { token } = await signUp()
  const tokens = await app.connect(token, { scopes: ['laps:read', 'leaderboard:read', 'offline_access'] })
  const details = {
    name: 'Pit Wall',
    description: 'Shows your laps.',
    redirectUris: [redirectUri],
    postLogoutRedirectUris: [],
    scopes: ['laps:read', 'offline_access'],
    isPublic: false,
  }
  const saved = await service.deps.change(work => saveApp(work, details, app.clientId))
  assert.equal(saved.secret, null)
  const fresh = await openid.refreshTokenGrant(app.config, tokens.refresh_token!)
  assert.equal(fresh.scope, 'laps:read offline_access')
})

test('ends the tokens of apps with a locked account, a new password and a deleted account', async () => {
  const app = await relyingParty(service)
  const locked = await signUp()
  const { access_token: ofLocked } = await app.connect(locked.token)
  await service.deps.change(work => lockUser(work, locked.userId, true))
  assert.equal(await works(ofLocked), false)

  const changed = await service.signUp('changed@example.com')
  const { access_token: ofChanged } = await app.connect(changed.token)
  const reset = await service.call('resetPasswordByExisting', '/sdk/v1/passwords/existing_password/reset', {
    as: changed.token,
    body: {
      email: 'changed@example.com',
      existing_password: goodPassword,
      new_password: 'amber chicane teapot 77',
      session_duration_minutes: 60,
    },
  })
  assert.equal(reset.status, 200)
  assert.equal(await works(ofChanged), false)

  const deleted = await signUp()
  const { access_token: ofDeleted } = await app.connect(deleted.token)
  await sendEvent(service.app, {
    case: 'accountDeleted',
    value: { $typeName: 'lapwing.events.v1.AccountDeleted', userId: deleted.userId },
  })
  assert.equal(await works(ofDeleted), false)
  const left = await service.db
    .selectFrom('consent_grant')
    .select('client_id')
    .where('user_id', '=', deleted.userId)
    .execute()
  assert.deepEqual(left, [])
})

test('disconnects the apps of a stranger who signed up with the address, when its owner proves it', async () => {
  const app = await relyingParty(service)
  const email = 'owned@example.com'
  const { token } = await service.signUp(email)
  const tokens = await app.connect(token)
  await service.call('sendMagicLink', '/sdk/v1/magic_links/email/send/primary', { body: { email } })
  const mail = (await service.mailsTo(email)).find(({ kind }) => kind === 'login')!
  const { data } = await service.call('authenticateMagicLink', '/sdk/v1/magic_links/authenticate', {
    body: { token: linkIn(mail).searchParams.get('token'), session_duration_minutes: 60 },
  })
  assert.equal(await works(tokens.access_token), false)
  const { data: listed } = await service.call('getConnectedApps', '/sdk/v1/users/connected_apps', {
    method: 'GET',
    as: data.session_token,
  })
  assert.deepEqual(listed.connected_apps, [])
})

test('needs a session with its second factor', async () => {
  const app = await relyingParty(service)
  const request = await app.request()
  const ways = waysIn(service)
  const email = 'second.factor@example.com'
  await ways.signUpWithApp(email)
  const { data } = await ways.signIn(email)
  const lacking = data.session_token
  for (const answer of [await app.start(lacking, request), await app.submit(lacking, request)]) {
    assert.equal(answer.error, 'insufficient_factors')
  }
  const listed = await service.call('getConnectedApps', '/sdk/v1/users/connected_apps', {
    method: 'GET',
    as: lacking,
  })
  assert.equal(listed.error, 'insufficient_factors')
  assert.equal((await app.start('unknown-session-token', request)).error, 'session_not_found')
})

test('accepts no other token of ours, and no access token of another audience, at userinfo', async () => {
  const app = await relyingParty(service)
  const { token, jwt } = await signUp()
  const tokens = await app.connect(token)
  const claims = decodeJwt(tokens.access_token)
  const sign = (changes: object, typ = 'at+jwt') => service.deps.keys.sign({ ...claims, ...changes }, typ)
  const answer = (accessToken: string) =>
    fetchFrom(service)(`${origin}/oauth2/userinfo`, { headers: { authorization: `Bearer ${accessToken}` } })
  assert.equal((await answer(await sign({}))).status, 200)
  for (const other of [
    jwt,
    tokens.id_token!,
    await sign({ aud: 'https://other.example/api' }),
    await sign({ iss: 'https://other.example' }),
    await sign({}, 'JWT'),
    await sign({ exp: claims.iat! - 60 }),
    `${tokens.access_token.slice(0, -4)}AAAA`,
    'no-token',
  ]) {
    const refused = await answer(other)
    assert.deepEqual(
      [refused.status, ((await refused.json()) as { error: string }).error],
      [401, 'invalid_token'],
    )
    assert.match(refused.headers.get('www-authenticate')!, /^Bearer error="invalid_token"$/)
  }
})

test('refuses an app with wrong credentials, or in two ways together', async () => {
  const app = await relyingParty(service)
  const open = await relyingParty(service, { isPublic: true })
  const form = { grant_type: 'refresh_token', refresh_token: 'none' }
  const basic = (id: string, secret: string) => ({ authorization: `Basic ${btoa(`${id}:${secret}`)}` })
  const send = (more: object, headers = {}) => postForm(service, 'token', { ...form, ...more }, headers)
  for (const [more, headers] of [
    [{}, {}],
    [{ client_id: app.clientId }, {}],
    [{ client_id: app.clientId, client_secret: 'wrong' }, {}],
    [{ client_id: 'unknown\0' }, {}],
    [{ client_id: open.clientId, client_secret: 'any' }, {}],
    [{}, basic(app.clientId, 'wrong')],
    [{}, basic('unknown', app.secret!)],
    [{}, { authorization: 'Basic %%%' }],
    [{}, { authorization: `Bearer ${app.secret}` }],
  ] as const) {
    const refused = await send(more, headers)
    assert.deepEqual([refused.status, refused.error], [401, 'invalid_client'], JSON.stringify(more))
    assert.match(refused.headers.get('www-authenticate')!, /^Basic /)
  }
  const right = basic(app.clientId, app.secret!)
  assert.equal((await send({ client_secret: app.secret }, right)).error, 'invalid_request')
  assert.equal((await send({ client_id: open.clientId }, right)).error, 'invalid_request')
  // The right credentials, so only the token is wrong.
  assert.equal((await send({}, right)).error, 'invalid_grant')
  assert.equal((await send({ client_id: app.clientId, client_secret: app.secret! })).error, 'invalid_grant')
  assert.equal((await send({ client_id: open.clientId })).error, 'invalid_grant')
})

test('answers what is no valid form with an error of OAuth', async () => {
  const app = await relyingParty(service)
  const headers = { authorization: `Basic ${btoa(`${app.clientId}:${app.secret}`)}` }
  const send = async (form: string, more = {}) => {
    const { status, error } = await postForm(service, 'token', form, { ...headers, ...more })
    return [status, error]
  }
  assert.deepEqual(await send('grant_type=password'), [400, 'unsupported_grant_type'])
  assert.deepEqual(await send('grant_type=constructor'), [400, 'unsupported_grant_type'])
  assert.deepEqual(await send(''), [400, 'invalid_request'])
  assert.deepEqual(await send('grant_type=refresh_token'), [400, 'invalid_request'])
  assert.deepEqual(await send('grant_type=a&grant_type=b'), [400, 'invalid_request'])
  assert.deepEqual(await send('{}', { 'content-type': 'application/json' }), [415, 'invalid_request'])
  assert.deepEqual(await send(`grant_type=${'x'.repeat(40_000)}`), [413, 'invalid_request'])
  const answer = await fetchFrom(service)(`${origin}/oauth2/token`)
  assert.deepEqual(
    [answer.status, ((await answer.json()) as { error: string }).error],
    [405, 'invalid_request'],
  )
})

test('answers a revocation of an unknown token, or of another app’s, like any other, and changes nothing', async () => {
  const app = await relyingParty(service)
  const other = await relyingParty(service)
  const { token } = await signUp()
  const tokens = await app.connect(token)
  await openid.tokenRevocation(app.config, 'unknown')
  await openid.tokenRevocation(other.config, tokens.refresh_token!)
  await openid.tokenRevocation(other.config, tokens.access_token)
  assert.equal(await works(tokens.access_token), true)
  await openid.tokenRevocation(app.config, tokens.access_token)
  assert.equal(await works(tokens.access_token), false)
  assert.equal(await errorOf(openid.refreshTokenGrant(app.config, tokens.refresh_token!)), 'invalid_grant')
})

test('signs a person out for an app only to its own address, and asks unless it shows its ID token', async () => {
  const app = await relyingParty(service)
  const other = await relyingParty(service)
  const [one, two] = [await signUp(), await signUp()]
  const { id_token } = await app.connect(one.token)
  const { id_token: ofOther } = await other.connect(one.token)
  const { id_token: ofTwo } = await app.connect(two.token)
  const start = (body: object, as?: string) =>
    service.call('startOAuthLogout', '/sdk/v1/oauth/logout/start', {
      ...(as !== undefined && { as }),
      body: { client_id: app.clientId, post_logout_redirect_uri: 'https://app.example/bye', ...body },
    })
  const asks = async (hint: string | undefined, as?: string) =>
    (await start({ id_token_hint: hint }, as)).data.consent_required
  assert.equal((await start({ state: 's 1' })).data.redirect_uri, 'https://app.example/bye?state=s+1')
  assert.equal(await asks(undefined), false, 'nobody is signed in')
  assert.equal(await asks(id_token, one.token), false)
  for (const hint of [undefined, ofOther, ofTwo, one.jwt, 'no-token']) {
    assert.equal(await asks(hint, one.token), true)
  }
  for (const address of ['https://app.example/bye/more', 'https://evil.example/']) {
    const { error } = await start({ post_logout_redirect_uri: address }, one.token)
    assert.equal(error, 'connected_app_supplied_redirect_url_not_found_in_client')
  }
  assert.equal((await start({ client_id: 'unknown' })).error, 'connected_app_not_found')
})

test('keeps the twenty newest authorizations of an app, and none after it expires', async () => {
  const app = await relyingParty(service)
  const { token, userId } = await signUp()
  const first = await app.connect(token)
  for (let count = 0; count < 20; count++) {
    service.advance(1_000)
    await app.submit(token, await app.request())
  }
  assert.equal(await works(first.access_token), false)
  const count = async () =>
    (
      await service.db
        .selectFrom('app_authorization')
        .select('authorization_id')
        .where('user_id', '=', userId)
        .execute()
    ).length
  assert.equal(await count(), 20)
  service.advance(61_000)
  await sweep(service.deps)
  assert.equal(await count(), 0)
})

test('lets apps in browsers of every origin call the endpoints of apps, and none of the others', async () => {
  const preflight = (path: string) =>
    service.app.inject({
      method: 'OPTIONS',
      url: path,
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    })
  for (const path of ['/oauth2/token', '/oauth2/userinfo', '/.well-known/openid-configuration']) {
    const { headers } = await preflight(path)
    assert.equal(headers['access-control-allow-origin'], '*', path)
    assert.equal(headers['access-control-allow-credentials'], undefined, path)
  }
  const { headers } = await preflight('/sdk/v1/idp/oauth/authorize/submit')
  assert.equal(headers['access-control-allow-origin'], undefined)
  const answer = await postForm(service, 'token', '', { origin: 'https://app.example' })
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
})

test('accepts sixty requests for consent a minute from one network', async () => {
  const app = await relyingParty(service)
  const { token } = await signUp()
  const { body } = await app.request()
  const send = () =>
    service.call('startAuthorize', '/sdk/v1/idp/oauth/authorize/start', {
      as: token,
      body,
      ip: '10.9.8.7',
    })
  for (let count = 0; count < 60; count++) assert.equal((await send()).status, 200)
  assert.equal((await send()).error, 'too_many_requests')
})
