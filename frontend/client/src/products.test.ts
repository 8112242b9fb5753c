import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { aClient as aBareClient } from '../../src/testing/a-client.ts'
import { createFakeIdentity } from '../../src/testing/fake-identity.ts'
import { ApiError, isSessionLost, UnreachableError } from './errors.ts'
import { createMagicLinks, createMailCodes } from './mail.ts'
import { createOAuth } from './oauth.ts'
import { createOrganizations } from './organizations.ts'
import { createPasskeys } from './passkeys.ts'
import { createPasswords } from './passwords.ts'
import { createPhoneCodes } from './phone.ts'
import { createPkceStore } from './pkce.ts'
import { createSessions } from './sessions.ts'
import { createWallets } from './wallets.ts'

const pageOrigin = 'https://lapwing.test'
const driver = { email: 'driver@lapwing.test', password: 'correct horse' }

function aClient(changes: Parameters<typeof aBareClient>[0] = {}) {
  const identity = createFakeIdentity({ nowMs: Date.now })
  identity.addUser(driver)
  const requests: Request[] = []
  const { client, warnings } = aBareClient({
    fetch: async (input, init) => {
      const request = new Request(new URL(String(input), pageOrigin), init)
      requests.push(request.clone())
      return identity.handle(request)
    },
    ...changes,
  })
  return { client, identity, requests, pkce: createPkceStore(client.store, crypto), warnings }
}

const answering = (status: number, body: string, type = 'application/json') => ({
  fetch: async () => new Response(body, { status, headers: { 'content-type': type } }),
})

test('asks for 60 minutes on sign-in, with the public token twice if no driver is signed in', async () => {
  const { client, requests } = aClient()
  const answer = await createPasswords(client).authenticate(driver)
  assert.ok(answer.session_token)
  const [request] = requests
  assert.equal(request?.url, `${pageOrigin}/sdk/v1/passwords/authenticate`)
  assert.equal(request?.credentials, 'include')
  assert.equal(request?.headers.get('content-type'), 'application/json')
  assert.equal(request?.headers.get('x-sdk-parent-host'), pageOrigin)
  assert.equal(
    atob(request?.headers.get('authorization')?.slice(6) ?? ''),
    'public-token-test-1:public-token-test-1',
  )
  assert.deepEqual(await request?.json(), {
    email: 'driver@lapwing.test',
    password: 'correct horse',
    session_duration_minutes: 60,
  })
})

test('calls a hosted provider at its own address, and sends an existing session as the credentials', async () => {
  const { client, requests } = aClient({ baseUrl: 'https://id.lapwing.test', sessionToken: () => 'opaque' })
  await createSessions(client)
    .authenticate({ session_duration_minutes: 60 })
    .catch(() => {})
  assert.equal(requests[0]?.url, 'https://id.lapwing.test/sdk/v1/sessions/authenticate')
  assert.equal(atob(requests[0]?.headers.get('authorization')?.slice(6) ?? ''), 'public-token-test-1:opaque')
})

test('passes on the type and the sentence of the provider’s refusal', async () => {
  const { client } = aClient()
  await assert.rejects(createPasswords(client).authenticate({ ...driver, password: 'wrong' }), error => {
    assert.ok(error instanceof ApiError)
    assert.deepEqual(
      [error.status, error.type, error.message],
      [401, 'unauthorized_credentials', 'Unauthorized credentials.'],
    )
    return true
  })
})

test('distinguishes answers of something else from the provider’s refusals', async () => {
  const invalid = { name: 'InvalidJsonError', message: 'Invalid JSON response from our servers.' }
  const other = { name: 'InvalidJsonError', message: 'Invalid response from our servers.' }
  for (const [answer, error] of [
    [answering(200, '<p>', 'text/html'), invalid],
    [answering(200, '{}'), invalid],
    [answering(200, ''), invalid],
    [answering(502, 'Bad gateway', 'text/plain'), other],
    [answering(500, '[]'), other],
    [
      { fetch: () => Promise.reject(new TypeError('Failed to fetch')) },
      { name: 'UnreachableError', message: 'Unable to contact our servers.' },
    ],
  ] as const) {
    const { client } = aClient(answer)
    await assert.rejects(createSessions(client).revoke(), error)
  }
})

test('says so if the deployment has no accounts', async () => {
  const { client } = aClient({ config: async () => null })
  await assert.rejects(createSessions(client).revoke(), { message: 'Accounts are not available here.' })
})

test('reports that the servers cannot be reached if it is unknown whether there are accounts', async () => {
  const { client } = aClient({ config: () => Promise.reject(new Error('No answer.')) })
  await assert.rejects(createSessions(client).revoke(), { message: 'Unable to contact our servers.' })
})

test('sends the browser to the provider’s start address with the options of the page', async () => {
  const { client } = aClient({ baseUrl: 'https://id.lapwing.test' })
  const url = new URL(
    await createOAuth(client).startUrl('discord', {
      login_redirect_url: 'https://lapwing.test/authenticate',
      custom_scopes: ['identify', 'email'],
      provider_params: { prompt: 'none' },
    }),
  )
  assert.equal(url.origin + url.pathname, 'https://id.lapwing.test/v1/public/oauth/discord/start')
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    public_token: 'public-token-test-1',
    login_redirect_url: 'https://lapwing.test/authenticate',
    custom_scopes: 'identify email',
    provider_prompt: 'none',
  })
})

test('uses a new challenge for each start and its verifier once, if the project requires PKCE', async () => {
  const { client, identity, pkce } = aClient()
  identity.settings.pkce = true
  const challenges = [
    await createOAuth(client).startUrl('google'),
    await createOAuth(client).startUrl('google'),
  ].map(url => new URL(url).searchParams.get('code_challenge'))
  assert.notEqual(challenges[0], challenges[1])
  const verifier = pkce.verifier('oauth')!
  assert.match(verifier, /^[0-9a-f]{64,128}$/)
  assert.equal(createHash('sha256').update(verifier).digest('base64url'), challenges[1])
  await createOAuth(client).authenticate({ token: identity.issueToken('oauth', driver.email) })
  assert.equal(identity.calls.at(-1)?.body.code_verifier, verifier)
  assert.equal(pkce.verifier('oauth'), null)
})

test('keeps the verifier after a failed exchange, and shares one between several reset mails', async () => {
  const { client, identity, pkce } = aClient()
  identity.settings.pkce = true
  await createPasswords(client).startReset({ email: driver.email })
  const verifier = pkce.verifier('passwords')
  await createPasswords(client).startReset({ email: driver.email })
  assert.equal(pkce.verifier('passwords'), verifier)
  await assert.rejects(
    createPasswords(client).resetByEmail({ token: 'no such token', password: 'a new password' }),
  )
  assert.equal(pkce.verifier('passwords'), verifier)
  await createPasswords(client).resetByEmail({
    token: identity.issueToken('reset', driver.email),
    password: 'a new password',
  })
  assert.equal(pkce.verifier('passwords'), null)
})

test('uses no PKCE if the project’s settings cannot be loaded, and asks again the next time', async () => {
  const { client, identity } = aClient()
  identity.settings.pkce = true
  identity.failNext('/projects/bootstrap/public-token-test-1', { network: true })
  assert.equal(
    new URL(await createOAuth(client).startUrl('google')).searchParams.has('code_challenge'),
    false,
  )
  assert.equal(new URL(await createOAuth(client).startUrl('google')).searchParams.has('code_challenge'), true)
})

test('warns about a missing code verifier of OAuth, and sends the call without one', async () => {
  const { client, identity, warnings } = aClient()
  await createOAuth(client).authenticate({ token: identity.issueToken('oauth', driver.email) })
  assert.deepEqual(warnings, ['No code verifier was found for this OAuth sign-in.'])
  assert.equal('code_verifier' in identity.calls.at(-1)!.body, false)
  identity.settings.pkce = true
  await createOAuth(client).startUrl('google')
  await createOAuth(client).authenticate({ token: identity.issueToken('oauth', driver.email) })
  assert.equal(warnings.length, 1, 'no warning if there is one')
})

test('warns in the words of the specification if the policy cannot be loaded', async () => {
  const { client, identity, warnings } = aClient()
  identity.failNext('/projects/bootstrap/public-token-test-1', { network: true })
  await createOAuth(client).startUrl('google')
  assert.deepEqual(warnings, [
    'Unable to retrieve RBAC policy from servers. Assuming caller has no permissions.',
  ])
})

test('exchanges a link for 60 minutes, within the browser’s session', async () => {
  const { client, identity } = aClient({ sessionToken: () => 'opaque' })
  await createMagicLinks(client).authenticate({ token: identity.issueToken('link', driver.email) })
  const { path, body, secret } = identity.calls.at(-1)!
  assert.equal(path, '/magic_links/authenticate')
  assert.equal(secret, 'opaque')
  assert.equal(body.session_duration_minutes, 60)
})

test('treats only the four types of the protocol as a lost session', () => {
  const lost = [
    'unauthorized_credentials',
    'user_unauthenticated',
    'invalid_secret_authentication',
    'session_not_found',
  ]
  for (const type of [...lost, 'invalid_session_token', 'too_many_requests', '']) {
    assert.equal(isSessionLost(new ApiError(401, { error_type: type })), lost.includes(type), type)
  }
  assert.equal(isSessionLost(new UnreachableError(null)), false)
})

test('names the page for Sign-In with Ethereum only if the provider asks for it', async () => {
  for (const isRequired of [true, false]) {
    const ethereum = { crypto_wallet_address: '0x1', crypto_wallet_type: 'ethereum' as const }
    const sent: object[] = []
    const settings = { siwe_required_for_crypto_wallets: isRequired, challenge: 'Sign this.' }
    const { client } = aClient({
      async fetch(_, init) {
        if (init?.body) sent.push(JSON.parse(String(init.body)))
        return Response.json({ data: settings })
      },
    })
    assert.equal((await createWallets(client).start(ethereum)).challenge, 'Sign this.')
    await createWallets(client).start({ crypto_wallet_address: 'So1', crypto_wallet_type: 'solana' })
    assert.deepEqual(sent, [
      {
        crypto_wallet_address: '0x1',
        crypto_wallet_type: 'ethereum',
        ...(isRequired && { siwe_params: { uri: pageOrigin } }),
      },
      { crypto_wallet_address: 'So1', crypto_wallet_type: 'solana' },
    ])
  }
})

test('lists no organizations if the provider does not know the call, and reports a lost session', async () => {
  const refusing = (error_type: string) =>
    aClient(answering(404, JSON.stringify({ status_code: 404, error_type, error_message: 'No.' }))).client
  assert.deepEqual(await createOrganizations(refusing('route_not_found')).own(), [])
  await assert.rejects(createOrganizations(refusing('session_not_found')).own(), {
    type: 'session_not_found',
  })
})

test('offers neither wallets nor codes by phone if a hosted provider names none', async () => {
  const { client } = aClient(answering(200, JSON.stringify({ data: {} })))
  assert.deepEqual(
    [await createWallets(client).types(), await createPhoneCodes(client).offered()],
    [[], null],
  )
})

test('tries the verifier of a reset mail for a link, then that of links, and burns none on a refusal', async () => {
  const sent: Record<string, unknown>[] = []
  const { client } = aBareClient({
    async fetch(_, init) {
      const body = JSON.parse(String(init?.body ?? '{}'))
      sent.push(body)
      return body.code_verifier === links
        ? Response.json({ data: {} })
        : Response.json({ error_type: 'pkce_mismatch' }, { status: 400 })
    },
  })
  const pkce = createPkceStore(client.store, crypto)
  await pkce.pair('passwords')
  await pkce.pair('magic_links')
  const [passwords, links] = [pkce.verifier('passwords'), pkce.verifier('magic_links')]
  await createMagicLinks(client).authenticate({ token: 'a token' })
  assert.deepEqual(
    sent.map(({ code_verifier }) => code_verifier),
    [passwords, links],
  )
  assert.deepEqual([pkce.verifier('passwords'), pkce.verifier('magic_links')], [passwords, null])
})

test('chooses the primary call without a session, and the secondary one with it', async () => {
  for (const [isSignedIn, variant] of [
    [false, 'primary'],
    [true, 'secondary'],
  ] as const) {
    const paths: string[] = []
    const { client } = aBareClient({
      hasSession: () => isSignedIn,
      async fetch(url) {
        paths.push(String(url).replace('/sdk/v1', ''))
        return Response.json({ data: {} })
      },
    })
    await createMailCodes(client).send({ email: driver.email })
    await createPhoneCodes(client).send('whatsapp', { phone_number: '+15005550006' })
    await createPasskeys(client).start()
    assert.deepEqual(paths, [
      `/otps/email/send/${variant}`,
      `/otps/whatsapp/send/${variant}`,
      `/webauthn/authenticate/start/${variant}`,
    ])
  }
})

test('warns once about a project that is for organizations', async () => {
  const { client, warnings } = aBareClient(answering(200, '{"data":{"vertical":"B2B"}}'))
  await createWallets(client).types()
  await createWallets(client).types()
  assert.deepEqual(warnings, [
    'This client is for people, but the public token is of a project for organizations.',
  ])
})
