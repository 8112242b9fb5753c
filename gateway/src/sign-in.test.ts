import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import contract from '@lapwing/contracts/identity.json' with { type: 'json' }
import { checkAnswer } from '@lapwing/testing/check-answer.ts'
import { errors } from './errors.ts'
import { startGateway } from './test/gateway.ts'
import { closedPort, fakeUpstream } from './test/upstream.ts'
import { openUpstream } from './upstream.ts'
import { errorTypes, writeError } from './write-error.ts'

const page = 'http://localhost:8080'
const basic = `Basic ${btoa('public-token-live-lapwing:public-token-live-lapwing')}`

test('forwards the sign-in protocol unchanged in both directions, with credentials and cookies', async t => {
  const upstream = await fakeUpstream(t, (request, response) => {
    response.setHeader('set-cookie', ['stytch_session=1; HttpOnly', 'stytch_session_jwt=2; HttpOnly'])
    request.resume().on('end', () => response.end('{"data":{}}'))
  })
  const { url } = await startBefore(t, upstream.url)
  for (const [method, path] of [
    ['POST', '/sdk/v1/passwords/authenticate'],
    ['GET', '/sdk/v1/users/me'],
    ['PUT', '/sdk/v1/users/me'],
    ['DELETE', '/sdk/v1/users/emails/email-live-1'],
    ['POST', '/sdk/v1/webauthn/authenticate/start/primary'],
    ['GET', '/v1/public/oauth/google/start?public_token=x&login_redirect_url=y'],
    ['GET', '/v1/public/oauth/google/callback?state=s&code=c'],
    ['POST', '/v1/public/oauth/apple/callback'],
    ['GET', '/v1/public/sso/a-connection/start?public_token=x&login_redirect_url=y'],
    ['GET', '/v1/public/sso/a-connection/callback?state=s&code=c'],
    ['GET', '/v1/sessions/jwks/project-live-lapwing'],
    ['GET', '/.well-known/jwks.json'],
  ] as const) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: basic,
        cookie: 'stytch_session=secret',
        'content-type': 'application/json',
        'x-sdk-client': 'e30=',
        'x-sdk-parent-host': page,
      },
    })
    assert.equal(await response.text(), '{"data":{}}')
    assert.equal(response.headers.getSetCookie().length, 2)
    const received = upstream.received.at(-1)!
    assert.equal(received.url, path)
    assert.equal(received.method, method)
    assert.equal(received.headers.authorization, basic)
    assert.equal(received.headers.cookie, 'stytch_session=secret')
    assert.equal(received.headers['x-sdk-client'], 'e30=')
    assert.equal(received.headers['x-forwarded-for'], '127.0.0.1')
  }
})

for (const path of [
  '/api/sdk/v1/users/me',
  '/v1/sdk/v1/users/me',
  '/sdk/v2/users/me',
  '/api/v1/sessions/jwks/p',
]) {
  test(`does not forward ${path}`, async t => {
    const upstream = await fakeUpstream(t)
    const { url } = await startBefore(t, upstream.url)
    await fetch(`${url}${path}`)
    assert.equal(upstream.received.length, 0)
  })
}

test('answers 404, not the page, at sign-in addresses without identity', async t => {
  const upstream = await fakeUpstream(t)
  const { app } = await startGateway(t, upstream.url)
  for (const [method, url] of [
    ['POST', '/sdk/v1/passwords/authenticate'],
    ['GET', '/sdk/v1/users/me'],
    ['GET', '/v1/public/oauth/google/start'],
    ['GET', '/v1/sessions/jwks/project-live-lapwing'],
    ['GET', '/.well-known/jwks.json'],
  ] as const) {
    const answer = await app.inject({ method, url })
    assert.equal(answer.statusCode, 404, url)
    assert.equal(answer.json().error_type, 'route_not_found')
  }
  assert.equal((await app.inject('/api/v1/auth/username')).json().code, 'gateway.not_found')
})

test("writes the gateway's own errors in the protocol's shape at its addresses", async t => {
  const down = await startBefore(t, await closedPort())
  const silent = await fakeUpstream(t)
  const up = await startBefore(t, silent.url)
  for (const [answer, status, type] of [
    [await down.app.inject({ method: 'POST', url: '/sdk/v1/passwords' }), 503, 'service_unavailable'],
    [await up.app.inject({ method: 'PATCH', url: '/sdk/v1/passwords' }), 405, 'method_not_allowed'],
    [await up.app.inject({ method: 'GET', url: '/sdk/v1//users/me' }), 400, 'bad_request'],
    [await up.app.inject({ method: 'GET', url: '/sdk/v1/%zz' }), 400, 'bad_request'],
    [
      await up.app.inject({ method: 'POST', url: '/sdk/v1/passwords', payload: 'x'.repeat(600_000) }),
      413,
      'request_too_large',
    ],
  ] as const) {
    assert.equal(answer.statusCode, status)
    checkAnswer(contract, 'createPassword', answer)
    const body = answer.json()
    assert.equal(body.error_type, type)
    assert.equal(body.status_code, status)
    assert.equal(body.request_id, answer.headers['x-request-id'])
    assert.match(body.error_message, /^[A-Z].*\.$/)
    assert.equal(answer.headers['cache-control'], 'no-store')
  }
})

test('has a protocol type for every error of the gateway, and a problem elsewhere', () => {
  const types = contract.components.responses.Error['x-error-types'] as Readonly<Record<string, number>>
  assert.deepEqual(Object.keys(errorTypes).sort(), Object.keys(errors).sort())
  for (const [code, type] of Object.entries(errorTypes)) assert.ok(type in types, code)
  const refusal = { code: 'gateway.failed', entry: errors['gateway.failed'], requestId: 'x', url: '/api/x' }
  assert.equal(writeError(refusal).type, 'application/problem+json')
  const { url: _, ...unread } = refusal
  assert.equal(writeError(unread).type, 'application/problem+json')
})

test('allows thirty sign-ins of an address in a minute, of all kinds and spellings together (D-17)', async t => {
  const upstream = await fakeUpstream(t)
  const { app } = await startBefore(t, upstream.url, { TRUSTED_PROXIES: '127.0.0.1' })
  const spellings = [
    '/sdk/v1/passwords/authenticate',
    '/sdk/v1/%70asswords/authenticate',
    '/sdk/v1/passwords/authenticate/',
    '/sdk/v1/passwords/authenticate?x=1',
    '/sdk/v1/otps/authenticate',
    '/sdk/v1/passwords/existing_password/reset',
  ]
  const ask = (url: string, address: string) =>
    app.inject({ method: 'POST', url, headers: { 'x-forwarded-for': address } })
  for (let count = 0; count < 30; count++)
    assert.equal((await ask(spellings[count % spellings.length]!, '203.0.113.9')).statusCode, 200)
  for (const url of spellings) {
    const refused = await ask(url, '203.0.113.9')
    assert.equal(refused.statusCode, 429)
    assert.equal(refused.json().error_type, 'too_many_requests')
    assert.ok(Number(refused.headers['retry-after']) >= 1)
  }
  assert.equal(upstream.received.length, 30)
  assert.equal((await ask(spellings[0]!, '203.0.113.10')).statusCode, 200)
  // Renewing a session does not count as a sign-in.
  assert.equal((await ask('/sdk/v1/sessions/authenticate', '203.0.113.9')).statusCode, 200)
})

test('allows a browser with the cookie 20 sign-ins in 10 s, whatever others on its network use up', async t => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-28T12:00:00Z') })
  const { signIn } = await behindProxy(t)
  for (let count = 0; count < 30; count++) assert.equal(await signIn(), 200)
  for (const unusable of [undefined, 'lapwing-browser=short', `other-browser=${'a'.repeat(43)}`]) {
    assert.equal(await signIn(unusable), 429)
  }
  for (const name of ['lapwing-browser', '__Host-lapwing-browser']) {
    const cookie = `theme=dark; ${name}=${'a'.repeat(43)}`
    for (let count = 0; count < 20; count++) assert.equal(await signIn(cookie), 200)
    assert.equal(await signIn(cookie), 429)
    t.mock.timers.tick(10_000)
  }
})

test('allows a network 320 sign-ins in 10 s with made-up cookies', async t => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-28T12:00:00Z') })
  const { signIn, upstream } = await behindProxy(t)
  for (let count = 0; count < 1_000; count++) {
    await signIn(`lapwing-browser=${randomBytes(32).toString('base64url')}`)
  }
  assert.equal(upstream.received.length, 16 * 20)
})

test('allows preflight requests of a page on another origin, and lets it read errors', async t => {
  const upstream = await fakeUpstream(t)
  const { url } = await startBefore(t, upstream.url, {
    IDENTITY_PUBLIC_URL: 'https://id.lapwing.example',
    ACCOUNT_URL: 'http://account:8085',
    IDENTITY_URL: upstream.url.href,
    INTERNAL_KEY: 'k'.repeat(32),
  })
  const ask = (origin: string, method: string) =>
    fetch(`${url}/sdk/v1/passwords/authenticate`, { method, headers: { origin } })
  assert.equal((await ask(page, 'OPTIONS')).status, 200)
  assert.equal(upstream.received[0]!.method, 'OPTIONS')
  let refused = await ask(page, 'POST')
  while (refused.status !== 429) refused = await ask(page, 'POST')
  assert.equal(refused.headers.get('access-control-allow-origin'), page)
  assert.equal(refused.headers.get('access-control-allow-credentials'), 'true')
  assert.match(String(refused.headers.get('vary')), /origin/)
  const stranger = await ask('https://evil.example', 'POST')
  assert.equal(stranger.headers.get('access-control-allow-origin'), null)
  // A preflight request does not count as a sign-in.
  assert.equal((await ask(page, 'OPTIONS')).status, 200)
})

/** Returns an identity that allows one page of another origin, and apps of every origin below `/oauth2`. */
function corsUpstream(t: TestContext, foreign: string) {
  return fakeUpstream(t, (request, response) => {
    const { origin } = request.headers
    if (request.url!.startsWith('/oauth2/')) response.setHeader('access-control-allow-origin', '*')
    else if (origin === foreign) response.setHeader('access-control-allow-origin', origin)
    if (request.url!.endsWith('/silent')) return
    request.resume().on('end', () => response.end('{"data":{}}'))
  })
}

const corsOf = ({ headers }: Response) => ({
  origin: headers.get('access-control-allow-origin'),
  credentials: headers.get('access-control-allow-credentials'),
  exposed: headers.get('access-control-expose-headers'),
})

test('lets every page that identity allows read each refusal of the gateway, and no other page', async t => {
  const foreign = 'https://racing.example'
  const upstream = await corsUpstream(t, foreign)
  const { url } = await startBefore(t, upstream.url)
  const call = (origin: string, path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, { method: 'POST', ...init, headers: { origin, ...init.headers } })
  // The browser knows from before the gateway's start that it may call, so it does not ask.
  const tooMany = async (origin: string) => {
    let answer = await call(origin, '/sdk/v1/passwords/authenticate')
    while (answer.status === 200) answer = await call(origin, '/sdk/v1/passwords/authenticate')
    return answer
  }
  const refusals: Readonly<Record<number, (origin: string) => Promise<Response>>> = {
    429: tooMany,
    405: origin => call(origin, '/sdk/v1/users/me', { method: 'PATCH' }),
    413: origin => call(origin, '/sdk/v1/users/search', { body: 'a'.repeat(600_000) }),
    503: async origin => {
      upstream.server.closeAllConnections()
      await new Promise(resolve => upstream.server.close(resolve))
      return call(origin, '/sdk/v1/sessions/authenticate')
    },
  }
  for (const [status, refuse] of Object.entries(refusals)) {
    const answer = await refuse(foreign)
    assert.equal(answer.status, Number(status))
    assert.deepEqual(
      corsOf(answer),
      { origin: foreign, credentials: 'true', exposed: 'retry-after, x-request-id' },
      status,
    )
    assert.match(String(answer.headers.get('vary')), /origin/)
    if (status === '503') continue
    assert.equal(corsOf(await refuse('https://evil.example')).origin, null, status)
  }
})

test('asks identity about few unknown origins, however many are refused', async t => {
  const upstream = await corsUpstream(t, 'https://racing.example')
  const { url } = await startBefore(t, upstream.url)
  const refuse = async (origin: string) => {
    const answer = await fetch(`${url}/sdk/v1/users/me`, { method: 'PATCH', headers: { origin } })
    assert.equal(answer.status, 405)
    return corsOf(answer).origin
  }
  for (let count = 0; count < 3; count++) assert.equal(await refuse('https://evil.example'), null)
  assert.equal(upstream.received.length, 1)
  for (let count = 0; count < 30; count++) await refuse(`https://evil-${count}.example`)
  assert.equal(upstream.received.length, 10)
  assert.ok(upstream.received.every(({ method }) => method === 'OPTIONS'))
})

test('refuses a page within seconds while identity does not answer', async t => {
  const { promise: never, resolve } = Promise.withResolvers<void>()
  t.after(() => resolve())
  const upstream = await fakeUpstream(t, async (_request, response) => {
    await never
    response.end()
  })
  const { url } = await startBefore(t, upstream.url)
  const answer = await fetch(`${url}/sdk/v1/users/me`, {
    method: 'PATCH',
    headers: { origin: 'https://racing.example' },
  })
  assert.equal(answer.status, 405)
  assert.equal(corsOf(answer).origin, null)
})

test('lets apps of every origin read refusals where identity lets them read answers', async t => {
  const upstream = await corsUpstream(t, 'https://racing.example')
  const { url } = await startBefore(t, upstream.url)
  const ask = (method: string) =>
    fetch(`${url}/oauth2/token`, { method, headers: { origin: 'https://any.example' } })
  let answer = await ask('POST')
  assert.equal(corsOf(answer).origin, '*')
  while (answer.status === 200) answer = await ask('POST')
  assert.equal(answer.status, 429)
  assert.deepEqual(corsOf(answer), { origin: '*', credentials: null, exposed: 'retry-after, x-request-id' })
})

test("allows the identity host and the object store in the page's policy, and no other host", async t => {
  const upstream = await fakeUpstream(t)
  const accounts = {
    ACCOUNT_URL: 'http://account:8085',
    IDENTITY_URL: upstream.url.href,
    INTERNAL_KEY: 'k'.repeat(32),
    // The street map would be one host more.
    PAGE_MAPS: 'false',
  }
  const policyOf = async (env: Record<string, string>) => {
    const { app } = await startBefore(t, upstream.url, env)
    return String((await app.inject('/config.json')).headers['content-security-policy'])
  }
  assert.match(await policyOf(accounts), /connect-src 'self';.*form-action 'self';/)
  assert.match(
    await policyOf({ ...accounts, IDENTITY_PUBLIC_URL: 'https://id.lapwing.example' }),
    /connect-src 'self' https:\/\/id\.lapwing\.example;.*form-action 'self' https:\/\/id\.lapwing\.example;/,
  )
  const boards = {
    UPLOAD_URL: 'http://upload:8082',
    INGEST_URL: 'http://ingest:8083',
    LEADERBOARD_URL: 'http://leaderboard:8084',
    S3_PUBLIC_ENDPOINT: 'https://files.lapwing.example',
  }
  assert.match(
    await policyOf({ ...accounts, ...boards }),
    /connect-src 'self' https:\/\/files\.lapwing\.example;.*form-action 'self';/,
  )
})

/** Starts a gateway whose client is always the same network. `signIn` returns the status of an answer. */
async function behindProxy(t: TestContext) {
  const upstream = await fakeUpstream(t)
  const { app } = await startBefore(t, upstream.url, { TRUSTED_PROXIES: '127.0.0.1' })
  const signIn = async (cookie?: string) => {
    const headers = { 'x-forwarded-for': '203.0.113.9', ...(cookie !== undefined && { cookie }) }
    return (await app.inject({ method: 'POST', url: '/sdk/v1/passwords/authenticate', headers })).statusCode
  }
  return { signIn, upstream }
}

/** Starts a gateway in front of an identity at `address`. */
async function startBefore(t: TestContext, address: URL, env: Record<string, string> = {}) {
  const identity = openUpstream('identity', address)
  t.after(() => identity.close())
  return startGateway(t, address, { env, upstreams: { identity } })
}
