import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { FULL_ACCESS } from '../connected-apps/scopes.ts'
import { type Harness, harness, origin, type Reply } from '../test/harness.ts'
import { relyingParty } from '../test/relying-party.ts'
import { waysIn } from '../test/ways-in.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

const nowS = () => Math.floor(service.now().getTime() / 1_000)

const claimsOf = (sub: string, changes: Readonly<Record<string, unknown>> = {}): JWTPayload => ({
  iss: origin,
  aud: `${origin}/api`,
  sub,
  client_id: 'connected-app-1',
  scope: 'openid full_access',
  iat: nowS(),
  exp: nowS() + 900,
  jti: randomUUID(),
  authorization_id: `app-authorization-${randomUUID()}`,
  ...changes,
})

/** Returns an access token, as identity issues it to a connected app. */
const tokenOf = (sub: string, changes?: Readonly<Record<string, unknown>>) =>
  service.deps.keys.sign(claimsOf(sub, changes), 'at+jwt')

const exchange = (access_token: string, as?: string): Promise<Reply> =>
  service.call('exchangeAccessToken', '/sdk/v1/sessions/exchange_access_token', {
    body: { access_token, session_duration_minutes: 60 },
    ...(as !== undefined && { as }),
  })

const signUp = () => service.signUp(`${randomUUID()}@example.test`)

test('opens a session of the person with the app as its factor', async () => {
  const { userId, token: held, sessionId } = await signUp()
  const { status, body, data } = await exchange(await tokenOf(userId))
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(data.user_id, userId)
  const [factor] = data.session.authentication_factors
  assert.deepEqual([factor.type, factor.delivery_method], ['oauth', 'oauth_access_token_exchange'])
  assert.deepEqual(factor.oauth_access_token_exchange_factor, { client_id: 'connected-app-1' })
  const joined = await exchange(await tokenOf(userId), held)
  assert.equal(joined.data.session.session_id, sessionId)
})

test('accepts the token of an app that may act as the person, and of no other', async () => {
  const { userId, token: held } = await signUp()
  const app = await relyingParty(service, { scopes: ['openid', FULL_ACCESS] })
  const { access_token } = await app.connect(held)
  assert.equal((await exchange(access_token)).data.user_id, userId)
  const reader = await relyingParty(service)
  const { error } = await exchange((await reader.connect(held)).access_token)
  assert.equal(error, 'oauth_access_token_exchange_missing_full_access')
})

test('still needs the second factor of the account', async () => {
  const ways = waysIn(service)
  const { userId } = await ways.signUpWithApp(`${randomUUID()}@example.test`)
  const { data } = await exchange(await tokenOf(userId))
  assert.equal(await ways.isAccepted(data.session_jwt), false)
})

test('accepts a token once, and exactly one of fifty concurrent tries', async () => {
  const { userId } = await signUp()
  const token = await tokenOf(userId)
  const answers = await Promise.all(Array.from({ length: 50 }, () => exchange(token)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  const errors = new Set(answers.filter(({ status }) => status !== 200).map(({ error }) => error))
  assert.deepEqual([...errors], ['oauth_access_token_exchange_token_invalid_grant'])
})

test('accepts a token for five minutes, however long it lives', async () => {
  const { userId } = await signUp()
  const [early, late] = [await tokenOf(userId), await tokenOf(userId)]
  service.advance(299_000)
  assert.equal((await exchange(early)).status, 200)
  service.advance(1_000)
  const { status, error } = await exchange(late)
  assert.deepEqual([status, error], [401, 'oauth_access_token_exchange_token_too_old'])
})

test('accepts only a token with the whole scope full_access', async () => {
  const { userId } = await signUp()
  for (const scope of ['', 'openid laps:read', 'full_access_not', 'full_access,openid']) {
    const { status, error } = await exchange(await tokenOf(userId, { scope }))
    assert.deepEqual([status, error], [403, 'oauth_access_token_exchange_missing_full_access'], scope)
  }
})

test('refuses a token whose authorization has ended, of a locked account, and of nobody', async () => {
  const { userId } = await signUp()
  const authorization_id = `app-authorization-${randomUUID()}`
  await service.db
    .insertInto('revoked_session')
    .values({
      session_id: authorization_id,
      revoked_at: service.now(),
      jwt_expires_at: new Date(service.now().getTime() + 900_000),
    })
    .execute()
  const invalid = 'oauth_access_token_exchange_token_invalid_grant'
  assert.equal((await exchange(await tokenOf(userId, { authorization_id }))).error, invalid)
  assert.equal((await exchange(await tokenOf('user-live-nobody'))).error, invalid)
  await service.db
    .updateTable('person')
    .set({ locked_at: service.now() })
    .where('user_id', '=', userId)
    .execute()
  assert.equal((await exchange(await tokenOf(userId))).error, invalid)
})

const stranger = await generateKeyPair('RS256')
const refused: Readonly<Record<string, (userId: string, jwt: string) => Promise<string> | string>> = {
  'for another audience': userId => tokenOf(userId, { aud: 'https://other.test/api' }),
  'of another issuer': userId => tokenOf(userId, { iss: 'https://evil.test' }),
  'that has expired': userId => tokenOf(userId, { exp: nowS() - 31 }),
  'without an id': userId => tokenOf(userId, { jti: undefined }),
  'without an app': userId => tokenOf(userId, { client_id: undefined }),
  'without an authorization': userId => tokenOf(userId, { authorization_id: undefined }),
  'of another type': userId => service.deps.keys.sign(claimsOf(userId)),
  'that is a session’s own': (_, jwt) => jwt,
  'signed by another key': userId =>
    new SignJWT(claimsOf(userId))
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt' })
      .sign(stranger.privateKey),
  'without a signature (alg none)': userId => new UnsecuredJWT(claimsOf(userId)).encode(),
  'that is no token': () => 'token',
  'that is empty': () => '',
}
for (const [name, make] of Object.entries(refused)) {
  test(`refuses a token ${name}`, async () => {
    const { userId, jwt } = await signUp()
    const { status, error } = await exchange(await make(userId, jwt))
    assert.deepEqual([status, error], [401, 'oauth_access_token_exchange_token_invalid_grant'])
  })
}
