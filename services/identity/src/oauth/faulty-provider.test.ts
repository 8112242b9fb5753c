import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { type RunningProviders, startProviders } from '@lapwing/dev-servers/providers'
import { type CryptoKey, decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { Browser } from '../test/browser.ts'
import { type Harness, harness, origin } from '../test/harness.ts'

/** What the proxy between identity and the local Google does to a request. */
type Fault = (
  pass: () => Promise<Record<string, unknown>>,
  ...connection: Parameters<RequestListener>
) => unknown

const page = `${origin}/authenticate`
type FaultyEndpoint = 'certs' | 'token' | 'userinfo'
const noFaults: Record<FaultyEndpoint, Fault> = { certs: showOwnKey, token: passOn, userinfo: passOn }
let faults = noFaults
/** Signs ID tokens with changed claims; the proxy publishes it as the provider's key. */
const ownKeys = await generateKeyPair('RS256')
const proxy = createServer((request, response) => {
  const path = request.url!.slice(1) as FaultyEndpoint
  faults[path](() => forward(path, request), request, response)
})
let providers: RunningProviders
let service: Harness

before(async () => {
  providers = await startProviders({ redirectOrigins: [origin] })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  service = await harness(
    {},
    {
      ...providers.env,
      OAUTH_GOOGLE_TOKEN_URL: `${url}/token`,
      OAUTH_GOOGLE_KEYS_URL: `${url}/certs`,
      OAUTH_GOOGLE_PROFILE_URL: `${url}/userinfo`,
      OAUTH_TIMEOUT_MS: '500',
    },
  )
})

after(async () => {
  await service.close()
  await providers.close()
  proxy.closeAllConnections()
  proxy.close()
})

const unusable: Record<string, Fault> = {
  'never answers': () => {},
  'sends its answer too slowly': (_pass, _request, response) => response.writeHead(200).write('{'),
  'answers without end': (_pass, _request, response) => {
    const piece = Buffer.alloc(64 * 1024, 32)
    const more = () => {
      while (response.writable && response.write(piece));
    }
    response.writeHead(200).on('drain', more)
    more()
  },
  'answers with a page': (_pass, _request, response) => response.end('<html>'),
  'answers with nothing': (_pass, _request, response) => response.end(),
  'answers with a list': (_pass, _request, response) => response.end('[]'),
  refuses: (_pass, _request, response) => response.writeHead(400).end('{"error":"invalid_grant"}'),
  'is broken': (_pass, _request, response) => response.writeHead(500).end(),
  'redirects the request': (_pass, _request, response) => response.writeHead(307, { location: '/' }).end(),
  'breaks off': (_pass, _request, response) => response.destroy(),
}

// The keys come first, because identity caches them.
for (const endpoint of ['certs', 'token', 'userinfo'] as const) {
  for (const [name, fault] of Object.entries(unusable)) {
    test(`returns to the page soon if the provider ${name} (${endpoint})`, async () => {
      const startedAt = performance.now()
      const landing = await landWith({ [endpoint]: fault })
      assert.equal(landing.origin + landing.pathname, page)
      assert.equal(landing.searchParams.get('error_type'), 'oauth_flow_callback_error')
      assert.equal(
        landing.searchParams.get('error_message'),
        'The sign-in provider could not complete the sign-in. Please try again.',
      )
      assert.ok(performance.now() - startedAt < 20_000)
    })
  }
}

test('returns a token without a fault', async () => {
  assert.ok((await landWith({})).searchParams.has('token'))
})

for (const [name, change] of Object.entries({
  'another issuer': { iss: 'https://accounts.google.com' },
  'another client': { aud: 'somebody' },
  'another round trip': { nonce: 'another' },
  'no round trip': { nonce: undefined },
  'another time': { exp: 1_000 },
  'another person': { sub: '1' },
} satisfies Record<string, JWTPayload>)) {
  test(`rejects an ID token of ${name}`, async () => {
    const landing = await landWith({
      token: changed(async ({ id_token, ...rest }) => ({
        ...rest,
        id_token: await signed({ ...decodeJwt(String(id_token)), ...change }),
      })),
    })
    assert.equal(landing.searchParams.get('error_type'), 'oauth_flow_callback_error')
  })
}

for (const [name, forge] of Object.entries({
  'of another key': async claims => signed(claims, (await generateKeyPair('RS256')).privateKey),
  'of the client’s own secret': claims =>
    new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from('lapwing-local-secret')),
  'of before a change': async claims => {
    const [header, , signature] = (await signed(claims)).split('.')
    const body = Buffer.from(JSON.stringify({ ...claims, email: 'x@example.test' })).toString('base64url')
    return `${header}.${body}.${signature}`
  },
  'left out': async claims => (await signed(claims)).replace(/[^.]+$/, ''),
  'of no algorithm': async claims =>
    (await signed(claims))
      .replace(/^[^.]+/, Buffer.from('{"alg":"none"}').toString('base64url'))
      .replace(/[^.]+$/, ''),
} satisfies Record<string, (claims: JWTPayload) => Promise<string>>)) {
  test(`rejects an ID token with a signature ${name}`, async () => {
    const landing = await landWith({
      token: changed(async ({ id_token, ...rest }) => ({
        ...rest,
        id_token: await forge(decodeJwt(String(id_token))),
      })),
    })
    assert.equal(landing.searchParams.get('error_type'), 'oauth_flow_callback_error')
  })
}

for (const [name, change] of Object.entries({
  'no subject': { sub: undefined },
  'an empty subject': { sub: '' },
  'an endless subject': { sub: 'x'.repeat(300) },
})) {
  test(`rejects a profile with ${name}`, async () => {
    const landing = await landWith({ userinfo: changed(profile => ({ ...profile, ...change })) })
    assert.equal(landing.searchParams.get('error_type'), 'oauth_flow_callback_error')
  })
}

test('rejects a missing ID token from a provider that sends one', async () => {
  const landing = await landWith({ token: changed(({ id_token: _, ...rest }) => rest) })
  assert.equal(landing.searchParams.get('error_type'), 'oauth_flow_callback_error')
})

test('accepts a list of scopes and a missing token type', async () => {
  const landing = await landWith({
    token: changed(async ({ token_type: _, id_token, ...rest }) => ({
      ...rest,
      id_token: await signed(decodeJwt(String(id_token))),
      scope: ['openid', 'email'],
    })),
  })
  assert.ok(landing.searchParams.has('token'), landing.href)
})

async function landWith(changes: Partial<typeof noFaults>): Promise<URL> {
  faults = { ...noFaults, ...changes }
  const email = `${randomUUID()}@example.test`
  return (
    await new Browser(service).roundTrip(
      'google',
      { email },
      { login_redirect_url: page, signup_redirect_url: page },
    )
  ).location!
}

/** Passes the answer on, with ID tokens signed by our key, because identity does not see the provider's. */
async function passOn(...connection: Parameters<Fault>) {
  await changed(async body => ({
    ...body,
    ...(body.id_token !== undefined && { id_token: await signed(decodeJwt(String(body.id_token))) }),
  }))(...connection)
}

async function showOwnKey(...[, , response]: Parameters<Fault>) {
  sendJson(response, { keys: [await exportJWK(ownKeys.publicKey)] })
}

function changed(change: (body: Record<string, unknown>) => object | Promise<object>): Fault {
  return async (pass, _request, response) => sendJson(response, await change(await pass()))
}

function signed(claims: JWTPayload, key: CryptoKey = ownKeys.privateKey): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(key)
}

function sendJson(response: Parameters<RequestListener>[1], body: object): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
}

async function forward(
  path: string,
  request: Parameters<RequestListener>[0],
): Promise<Record<string, unknown>> {
  const { authorization, 'content-type': type } = request.headers
  const body: Buffer[] = []
  for await (const chunk of request) body.push(chunk as Buffer)
  const answer = await fetch(`${providers.url}/google/${path}`, {
    method: request.method!,
    headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
    ...(request.method === 'POST' && { body: Buffer.concat(body) }),
  })
  return (await answer.json()) as Record<string, unknown>
}
