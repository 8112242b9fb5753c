import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import { accessToken, fakeIdentity, sessionToken, startWithAccounts } from './test/accounts.ts'
import { problemOfResponse } from './test/problem-of.ts'

const origin = 'http://localhost:8080'
const app = { userId: 'user-live-1', sessionId: 'app-authorization-live-1', roles: [] }

const get = (url: string, path: string, token: string, method = 'GET') =>
  fetch(`${url}${path}`, { method, headers: { authorization: `Bearer ${token}` } })

for (const [path, scope] of [
  ['/api/laps', 'laps:read'],
  ['/api/v1/laps/lap-1/reference', 'laps:read'],
  ['/api/leaderboards', 'leaderboard:read'],
  ['/api/v1/leaderboards/tracks', 'leaderboard:read'],
] as const) {
  test(`lets a connected app read ${path} with ${scope}, and with no other scope`, async t => {
    const { url } = await startWithAccounts(t, { hasBoards: true })
    const response = await get(url, path, await accessToken({ scope: `openid ${scope}` }))
    assert.deepEqual(await response.json(), { principal: { ...app, scopes: ['openid', scope] } })
    const other = scope === 'laps:read' ? 'leaderboard:read' : 'laps:read'
    const refused = await get(url, path, await accessToken({ scope: other }))
    assert.equal(refused.status, 403)
    assert.equal((await problemOfResponse(refused)).code, 'gateway.insufficient_scope')
    assert.equal(
      refused.headers.get('www-authenticate'),
      `Bearer error="insufficient_scope", scope="${scope}"`,
    )
  })
}

for (const [method, path] of [
  ['DELETE', '/api/laps/lap-1'],
  ['PATCH', '/api/laps/lap-1'],
  ['GET', '/api/laps/driver-numbers'],
  ['POST', '/api/laps/ingest-best-from-session'],
  ['POST', '/api/leaderboards/reports'],
  ['POST', '/api/upload/init'],
  ['GET', '/api/auth/username'],
  ['DELETE', '/api/auth/account'],
] as const) {
  test(`refuses ${method} ${path} to a connected app with every scope`, async t => {
    const { url, account } = await startWithAccounts(t, { hasBoards: true })
    const token = await accessToken({ scope: 'openid laps:read leaderboard:read offline_access' })
    const refused = await get(url, path, token, method)
    assert.equal(refused.status, 403)
    assert.equal((await problemOfResponse(refused)).code, 'gateway.insufficient_scope')
    assert.equal(account.received.length, 0)
  })
}

for (const [what, changes] of [
  ['for another audience', { audience: 'https://other.example/api' }],
  ['for the audience of sessions', { audience: 'project-live-lapwing' }],
  ['of another issuer', { issuer: 'https://other.example' }],
  ['of the media type of a session', { typ: 'JWT' }],
  ['that expired a minute ago', { livesS: -60 }],
  ['without an authorization', { authorizationId: undefined }],
] as const) {
  test(`refuses an access token ${what}`, async t => {
    const { url } = await startWithAccounts(t, { hasBoards: true })
    const refused = await get(url, '/api/laps', await accessToken(changes))
    assert.equal(refused.status, 401)
    assert.equal((await problemOfResponse(refused)).code, 'gateway.unauthorized')
  })
}

test('refuses a session token that claims to be an access token', async t => {
  const { url } = await startWithAccounts(t, { hasBoards: true })
  const token = await sessionToken({ typ: 'at+jwt' })
  assert.equal((await get(url, '/api/laps', token)).status, 401)
})

test('refuses an access token after its authorization ended', async t => {
  const identity = await fakeIdentity(t)
  const { url } = await startWithAccounts(t, { identity, hasBoards: true })
  const token = await accessToken()
  const status = async () => (await get(url, '/api/laps', token)).status
  assert.equal(await status(), 200)
  identity.ended.add(app.sessionId)
  await until(async () => (await status()) === 401, 'the token is refused')
})

test('treats a connected app like anybody on a route that is open to all', async t => {
  const { url } = await startWithAccounts(t, { hasBoards: true })
  const response = await get(url, '/api/auth/username/check/carol', await accessToken())
  assert.deepEqual(await response.json(), { principal: null })
})

test('counts the requests of an app apart from those of the person’s page', async t => {
  const { url } = await startWithAccounts(t, { hasBoards: true })
  const left = async (token: string) =>
    (await get(url, '/api/laps', token)).headers.get('ratelimit-remaining')
  const [session, one, two] = [
    await sessionToken(),
    await accessToken(),
    await accessToken({ clientId: 'app-2' }),
  ]
  assert.deepEqual([await left(one), await left(one)], ['119', '118'])
  assert.equal(await left(two), '119')
  assert.equal(await left(session), '119')
})

test('knows no access tokens before the hosted provider', async t => {
  const identity = await fakeIdentity(t, { isHosted: true })
  const { url } = await startWithAccounts(t, { identity, hasBoards: true, env: { IDENTITY_HOSTED: 'true' } })
  assert.equal((await get(url, '/api/laps', await accessToken())).status, 401)
})

test('answers its own refusals below /oauth2 in the shape of OAuth', async t => {
  const { url } = await startWithAccounts(t, { env: { PUBLIC_ORIGIN: origin } })
  const answer = await fetch(`${url}/oauth2/token`, { method: 'DELETE' })
  assert.equal(answer.status, 405)
  assert.deepEqual(Object.keys((await answer.json()) as object), ['error', 'error_description'])
  const large = await fetch(`${url}/oauth2/token`, { method: 'POST', body: 'x'.repeat(40_000) })
  assert.equal(large.status, 413)
  assert.equal(((await large.json()) as { error: string }).error, 'invalid_request')
})
