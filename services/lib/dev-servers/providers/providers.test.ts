import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { localClient } from './local-client.ts'
import { startProviders } from './start-providers.ts'

const verifier = 'a-verifier-of-at-least-forty-three-characters'
const redirectUri = 'http://127.0.0.1:8080/callback'

for (const [face, profilePath] of [
  ['google', 'userinfo'],
  ['discord', 'users/@me'],
] as const) {
  test(`returns a code, a token and a profile for a typed address: ${face}`, async t => {
    const { url } = await harness(t)
    const back = await decide(`${url}/${face}/authorize`, { email: 'ada@example.test' })
    assert.equal(back.searchParams.get('state'), 'a state')
    const answer = await exchange(`${url}/${face}/token`, { code: back.searchParams.get('code')! })
    assert.equal(answer.status, 200)
    const { access_token } = await fieldsOf(answer)
    const profile = await fieldsOf(
      await fetch(`${url}/${face}/${profilePath}`, { headers: { authorization: `Bearer ${access_token}` } }),
    )
    assert.equal(profile.email, 'ada@example.test')
    assert.equal(profile.email_verified ?? profile.verified, true)
    const refused = await fetch(`${url}/${face}/${profilePath}`, { headers: { authorization: 'Bearer x' } })
    assert.equal(refused.status, 401)
  })
}

test('returns the same person for the same address, and another for another', async t => {
  const { url } = await harness(t)
  const subjectOf = async (email: string) => (await idTokenOf(url, { email })).payload.sub
  assert.equal(await subjectOf('ada@example.test'), await subjectOf('Ada@Example.test'))
  assert.notEqual(await subjectOf('ada@example.test'), await subjectOf('bob@example.test'))
  assert.match(String(await subjectOf('ada@example.test')), /^\d{21}$/)
})

test('signs an ID token for this client with the nonce, and marks an unverified address', async t => {
  const { url } = await harness(t)
  const { payload } = await idTokenOf(url, { email: 'ada@example.test', unverified: 'yes' })
  assert.equal(payload.nonce, 'a nonce')
  assert.equal(payload.email_verified, false)
})

test('publishes the addresses of the provider with an ID token, as its issuer', async t => {
  const { url } = await harness(t)
  const document = await fieldsOf(await fetch(`${url}/google/.well-known/openid-configuration`))
  assert.deepEqual([document.issuer, document.jwks_uri], [`${url}/google`, `${url}/google/certs`])
  assert.equal((await fetch(`${url}/discord/.well-known/openid-configuration`)).status, 404)
})

test('redirects with access_denied and the state if the person denies', async t => {
  const { url } = await harness(t)
  const back = await decide(`${url}/google/authorize`, { decision: 'deny' })
  assert.equal(back.searchParams.get('error'), 'access_denied')
  assert.equal(back.searchParams.get('state'), 'a state')
  assert.equal(back.searchParams.get('code'), null)
})

test('accepts a code once and for a minute', async t => {
  const clock = { ms: Date.now() }
  const { url } = await harness(t, () => clock.ms)
  const fresh = async () =>
    (await decide(`${url}/google/authorize`, { email: 'ada@example.test' })).searchParams.get('code')!
  const used = await fresh()
  assert.equal((await exchange(`${url}/google/token`, { code: used })).status, 200)
  assert.equal(await problemOf(exchange(`${url}/google/token`, { code: used })), 'invalid_grant')
  const late = await fresh()
  clock.ms += 60_000
  assert.equal(await problemOf(exchange(`${url}/google/token`, { code: late })), 'invalid_grant')
})

for (const [name, changes, problem] of [
  ['a wrong verifier', { code_verifier: 'another' }, 'invalid_grant'],
  ['no verifier', { code_verifier: undefined }, 'invalid_grant'],
  ['another redirect address', { redirect_uri: 'http://127.0.0.1:8080/other' }, 'invalid_grant'],
  ['an unknown code', { code: 'made-up' }, 'invalid_grant'],
  ['a wrong secret', { client_secret: 'guess' }, 'invalid_client'],
  ['no secret', { client_secret: undefined }, 'invalid_client'],
  ['another grant', { grant_type: 'password' }, 'unsupported_grant_type'],
] as const) {
  test(`returns no token for ${name}`, async t => {
    const { url } = await harness(t)
    const code = (await decide(`${url}/google/authorize`, { email: 'a@example.test' })).searchParams.get(
      'code',
    )!
    assert.equal(await problemOf(exchange(`${url}/google/token`, { code, ...changes })), problem)
  })
}

test('accepts the secret by HTTP Basic too', async t => {
  const { url } = await harness(t)
  const code = (await decide(`${url}/discord/authorize`, { email: 'a@example.test' })).searchParams.get(
    'code',
  )!
  const basic = Buffer.from(`${localClient.id}:${localClient.secret}`).toString('base64')
  const answer = await exchange(
    `${url}/discord/token`,
    { code, client_id: undefined, client_secret: undefined },
    { authorization: `Basic ${basic}` },
  )
  assert.equal(answer.status, 200)
})

for (const [name, changes] of [
  ['an unknown client', { client_id: 'somebody' }],
  ['a redirect address of another machine', { redirect_uri: 'https://evil.example/callback' }],
  ['no redirect address', { redirect_uri: undefined }],
] as const) {
  test(`redirects nowhere for ${name}`, async t => {
    const { url } = await harness(t)
    assert.equal((await fetch(authoriseUrl(`${url}/google/authorize`, changes))).status, 400)
    const answer = await post(`${url}/google/authorize`, {
      ...query(changes),
      decision: 'allow',
      email: 'a@b.test',
    })
    assert.equal(answer.status, 400)
    assert.equal(answer.headers.get('location'), null)
  })
}

for (const [name, changes] of [
  ['a plain code challenge', { code_challenge_method: 'plain' }],
  ['no state', { state: undefined }],
  ['an implicit grant', { response_type: 'token' }],
] as const) {
  test(`answers invalid_request for ${name}`, async t => {
    const { url } = await harness(t)
    const back = await decide(`${url}/google/authorize`, { email: 'a@example.test' }, changes)
    assert.equal(back.searchParams.get('error'), 'invalid_request')
  })
}

test('shows text of a request as text', async t => {
  const { url } = await harness(t)
  const page = await fetch(authoriseUrl(`${url}/google/authorize`, { state: '"><script>alert(1)</script>' }))
  assert.doesNotMatch(await page.text(), /<script>/)
  assert.match(page.headers.get('content-security-policy')!, /^default-src 'none'; style-src 'nonce-/)
})

async function harness(t: TestContext, now?: () => number) {
  const providers = await startProviders(now === undefined ? {} : { now })
  t.after(() => providers.close())
  return providers
}

type Fields = Readonly<Record<string, string | undefined>>

function query(changes: Fields = {}): Fields {
  return {
    client_id: localClient.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid email',
    state: 'a state',
    nonce: 'a nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  }
}

function authoriseUrl(address: string, changes: Fields): URL {
  return new URL(`?${form(query(changes))}`, address)
}

/** Submits the page's form as a person does. */
async function decide(address: string, decision: Fields, changes: Fields = {}): Promise<URL> {
  const answer = await post(address, { ...query(changes), decision: 'allow', ...decision })
  assert.equal(answer.status, 303)
  return new URL(answer.headers.get('location')!)
}

function exchange(address: string, fields: Fields, headers: Record<string, string> = {}): Promise<Response> {
  const given = {
    grant_type: 'authorization_code',
    redirect_uri: redirectUri,
    code_verifier: verifier,
    client_id: localClient.id,
    client_secret: localClient.secret,
    ...fields,
  }
  return post(address, given, headers)
}

async function problemOf(answer: Promise<Response>): Promise<string> {
  return String((await fieldsOf(await answer)).error)
}

async function idTokenOf(url: string, decision: Fields) {
  const back = await decide(`${url}/google/authorize`, decision)
  const answer = await exchange(`${url}/google/token`, { code: back.searchParams.get('code')! })
  return jwtVerify(
    String((await fieldsOf(answer)).id_token),
    createRemoteJWKSet(new URL(`${url}/google/certs`)),
    {
      issuer: `${url}/google`,
      audience: localClient.id,
    },
  )
}

async function fieldsOf(answer: Response): Promise<Record<string, unknown>> {
  return (await answer.json()) as Record<string, unknown>
}

function post(address: string, fields: Fields, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(address, { method: 'POST', body: form(fields), redirect: 'manual', headers })
}

function form(fields: Fields): URLSearchParams {
  return new URLSearchParams(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
  )
}
