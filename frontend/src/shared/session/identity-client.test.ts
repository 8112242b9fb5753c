import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { createFakeIdentity } from '#testing/fake-identity.ts'
import { memoryStore } from '#testing/memory-store.ts'
import { createIdentityClient, type IdentityClientDeps } from './identity-client.ts'
import { errorText, IdentityError, IdentityUnreachableError, isSessionLost } from './identity-error.ts'
import { createPkceStore } from './pkce.ts'

const pageOrigin = 'https://lapwing.test'

function aClient({ baseUrl = '', ...changes }: Partial<IdentityClientDeps> & { baseUrl?: string } = {}) {
  const identity = createFakeIdentity({ nowMs: Date.now })
  identity.addUser({ email: 'driver@lapwing.test', password: 'correct horse' })
  const requests: Request[] = []
  const pkce = createPkceStore(memoryStore(), crypto)
  const warnings: string[] = []
  const client = createIdentityClient({
    fetch: async (input, init) => {
      const request = new Request(new URL(String(input), pageOrigin), init)
      requests.push(request.clone())
      return identity.handle(request)
    },
    config: async () => ({ baseUrl, publicToken: 'public-token-test-1' }),
    sessionToken: () => null,
    pkce,
    pageOrigin,
    newId: () => 'id',
    now: () => new Date(0),
    warn: sentence => void warnings.push(sentence),
    ...changes,
  })
  return { client, identity, requests, pkce, warnings }
}

const answering = (status: number, body: string, type = 'application/json') => ({
  fetch: async () => new Response(body, { status, headers: { 'content-type': type } }),
})

test('asks for 60 minutes on sign-in, with the public token twice if no driver is signed in', async () => {
  const { client, requests } = aClient()
  const answer = await client.authenticatePassword('driver@lapwing.test', 'correct horse')
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
  await client.authenticateSession(true).catch(() => {})
  assert.equal(requests[0]?.url, 'https://id.lapwing.test/sdk/v1/sessions/authenticate')
  assert.equal(atob(requests[0]?.headers.get('authorization')?.slice(6) ?? ''), 'public-token-test-1:opaque')
})

test('passes on the type and the sentence of the provider’s refusal', async () => {
  const { client } = aClient()
  await assert.rejects(client.authenticatePassword('driver@lapwing.test', 'wrong'), error => {
    assert.ok(error instanceof IdentityError)
    assert.deepEqual(
      [error.status, error.type, error.message],
      [401, 'unauthorized_credentials', 'Unauthorized credentials.'],
    )
    return true
  })
})

test('shows error_message, else message, else the fallback', async () => {
  for (const [body, shown] of [
    [{ error_type: 't', error_message: 'One.', message: 'Two.' }, 'One.'],
    [{ error_type: 't', error_message: '', message: 'Two.' }, 'Two.'],
    [{ error_type: 't' }, 'Login failed'],
  ] as const) {
    const { client } = aClient(answering(400, JSON.stringify(body)))
    const error = await client.authenticatePassword('a', 'b').catch((caught: unknown) => caught)
    assert.equal(errorText(error, 'Login failed'), shown)
  }
  for (const error of ['nothing', undefined, new TypeError('x is not a function')]) {
    assert.equal(errorText(error, 'Login failed'), 'Login failed')
  }
})

test('distinguishes answers of something else from the provider’s refusals', async () => {
  for (const [answer, sentence] of [
    [answering(200, '<p>', 'text/html'), 'Invalid JSON response from our servers.'],
    [answering(200, '{}'), 'Invalid JSON response from our servers.'],
    [answering(200, ''), 'Invalid JSON response from our servers.'],
    [answering(502, 'Bad gateway', 'text/plain'), 'Invalid response from our servers.'],
    [answering(500, '[]'), 'Invalid response from our servers.'],
    [{ fetch: () => Promise.reject(new TypeError('Failed to fetch')) }, 'Unable to contact our servers.'],
  ] as const) {
    const { client } = aClient(answer)
    await assert.rejects(client.revokeSession(), error => {
      assert.ok(error instanceof IdentityUnreachableError)
      assert.equal(error.message, sentence)
      return true
    })
  }
})

test('treats a schema error as a refusal without a type', async () => {
  const { client } = aClient(answering(400, '{"body":[{"keyword":"type"}]}'))
  await assert.rejects(client.revokeSession(), {
    message: 'Request does not match expected schema.',
    type: '',
  })
})

test('says so if the deployment has no accounts', async () => {
  const { client } = aClient({ config: async () => null })
  await assert.rejects(client.revokeSession(), { message: 'Accounts are not available here.' })
})

test('reports that the servers cannot be reached if it is unknown whether there are accounts', async () => {
  const { client } = aClient({ config: () => Promise.reject(new Error('No answer.')) })
  await assert.rejects(client.revokeSession(), { message: 'Unable to contact our servers.' })
})

test('sends the browser to the provider’s start address and back to /authenticate', async () => {
  const { client } = aClient({ baseUrl: 'https://id.lapwing.test' })
  const url = new URL(await client.oauthStartUrl('discord'))
  assert.equal(url.origin + url.pathname, 'https://id.lapwing.test/v1/public/oauth/discord/start')
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    public_token: 'public-token-test-1',
    login_redirect_url: 'https://lapwing.test/authenticate',
    signup_redirect_url: 'https://lapwing.test/authenticate',
  })
})

test('adds to the start address what adds the provider’s account to the driver', async () => {
  const { client, identity } = aClient()
  const { searchParams } = new URL(await client.oauthAddUrl('google'))
  const call = identity.calls.find(({ path }) => path === '/oauth/attach')
  assert.deepEqual(call?.body, { provider: 'google' })
  assert.match(searchParams.get('oauth_attach_token')!, /^attach-test-/)
  assert.equal(searchParams.get('login_redirect_url'), 'https://lapwing.test/authenticate')
})

test('uses a new challenge for each start and its verifier once, if the project requires PKCE', async () => {
  const { client, identity, pkce } = aClient()
  identity.settings.pkce = true
  const challenges = [await client.oauthStartUrl('google'), await client.oauthStartUrl('google')].map(url =>
    new URL(url).searchParams.get('code_challenge'),
  )
  assert.notEqual(challenges[0], challenges[1])
  const verifier = pkce.verifier('oauth')!
  assert.match(verifier, /^[0-9a-f]{64,128}$/)
  assert.equal(createHash('sha256').update(verifier).digest('base64url'), challenges[1])
  await client.authenticateOAuth(identity.issueToken('oauth', 'driver@lapwing.test'))
  assert.equal(identity.calls.at(-1)?.body.code_verifier, verifier)
  assert.equal(pkce.verifier('oauth'), null)
})

test('keeps the verifier after a failed exchange, and shares one between several reset mails', async () => {
  const { client, identity, pkce } = aClient()
  identity.settings.pkce = true
  await client.startPasswordReset('driver@lapwing.test')
  const verifier = pkce.verifier('passwords')
  await client.startPasswordReset('driver@lapwing.test')
  assert.equal(pkce.verifier('passwords'), verifier)
  assert.equal(identity.calls.at(-1)?.body.reset_password_redirect_url, 'https://lapwing.test/reset')
  await assert.rejects(client.resetPassword('no such token', 'a new password'))
  assert.equal(pkce.verifier('passwords'), verifier)
  await client.resetPassword(identity.issueToken('reset', 'driver@lapwing.test'), 'a new password')
  assert.equal(pkce.verifier('passwords'), null)
})

test('uses no PKCE if the project’s settings cannot be loaded, and asks again the next time', async () => {
  const { client, identity } = aClient()
  identity.settings.pkce = true
  identity.failNext('/projects/bootstrap/public-token-test-1', { network: true })
  assert.equal(new URL(await client.oauthStartUrl('google')).searchParams.has('code_challenge'), false)
  assert.equal(new URL(await client.oauthStartUrl('google')).searchParams.has('code_challenge'), true)
})

test('warns about a missing code verifier of OAuth, and sends the call without one', async () => {
  const { client, identity, warnings } = aClient()
  await client.authenticateOAuth(identity.issueToken('oauth', 'driver@lapwing.test'))
  assert.deepEqual(warnings, ['No code verifier was found for this OAuth sign-in.'])
  assert.equal('code_verifier' in identity.calls.at(-1)!.body, false)
  identity.settings.pkce = true
  await client.oauthStartUrl('google')
  await client.authenticateOAuth(identity.issueToken('oauth', 'driver@lapwing.test'))
  assert.equal(warnings.length, 1, 'no warning if there is one')
})

test('warns in the words of the specification if the policy cannot be loaded', async () => {
  const { client, identity, warnings } = aClient()
  identity.failNext('/projects/bootstrap/public-token-test-1', { network: true })
  await client.oauthStartUrl('google')
  assert.deepEqual(warnings, [
    'Unable to retrieve RBAC policy from servers. Assuming caller has no permissions.',
  ])
})

test('exchanges a link for 60 minutes, within the browser’s session', async () => {
  const { client, identity } = aClient({ sessionToken: () => 'opaque' })
  await client.authenticateMagicLink(identity.issueToken('link', 'driver@lapwing.test'))
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
    assert.equal(isSessionLost(new IdentityError(401, type, '')), lost.includes(type), type)
  }
  assert.equal(isSessionLost(new IdentityUnreachableError('')), false)
})

test('names the page for Sign-In with Ethereum only if the provider asks for it', async () => {
  for (const isRequired of [true, false]) {
    const sent: object[] = []
    const settings = { siwe_required_for_crypto_wallets: isRequired, challenge: 'Sign this.' }
    const { client } = aClient({
      async fetch(_, init) {
        if (init?.body) sent.push(JSON.parse(String(init.body)))
        return Response.json({ data: settings })
      },
    })
    assert.equal(await client.startWallet('ethereum', '0x1'), 'Sign this.')
    await client.startWallet('solana', 'So1')
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
  assert.deepEqual(await refusing('route_not_found').organizations(), [])
  await assert.rejects(refusing('session_not_found').organizations(), { type: 'session_not_found' })
})

test('offers neither wallets nor codes by phone if a hosted provider names none', async () => {
  const { client } = aClient(answering(200, JSON.stringify({ data: {} })))
  assert.deepEqual([await client.walletTypes(), await client.phoneCodes()], [[], null])
})
