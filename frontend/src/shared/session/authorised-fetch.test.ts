import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SessionUnconfirmedError } from '@lapwing/identity-client/errors'
import { createAuthorisedFetch, createOptionalFetch } from './authorised-fetch.ts'

/** Returns an API that accepts one token, and a session that provides the given tokens in order. */
function aCall({ accepted, token = 'first', newer = null, renewed = null }: Tokens) {
  const sent: (string | null)[] = []
  const bodies: string[] = []
  let expired = 0
  const fetch = async (input: RequestInfo | URL) => {
    const request = input as Request
    sent.push(request.headers.get('authorization'))
    bodies.push(await request.text())
    return new Response('answer', { status: sent.at(-1) === `Bearer ${accepted}` ? 200 : 401 })
  }
  const session = {
    token: () => provide(token),
    refreshToken: () => provide(newer),
    reauthenticate: () => provide(renewed),
    expire: () => void expired++,
  }
  return { fetch, session, sent, bodies, expired: () => expired }
}

const unconfirmed = new SessionUnconfirmedError()
type Token = string | null | SessionUnconfirmedError

async function provide(token: Token): Promise<string | null> {
  if (token instanceof SessionUnconfirmedError) throw token
  return token
}

interface Tokens {
  readonly accepted: string
  readonly token?: Token
  readonly newer?: Token
  readonly renewed?: Token
}

const url = 'https://lapwing.test/api/v1/auth/username'

for (const [name, tokens, sent, status, expired] of [
  ['a token that is taken', { accepted: 'first' }, ['first'], 200, 0],
  ['a refused token', { accepted: 'second', newer: 'second' }, ['first', 'second'], 200, 0],
  [
    'a token refused twice',
    { accepted: 'third', newer: 'second', renewed: 'third' },
    ['first', 'second', 'third'],
    200,
    0,
  ],
  ['no newer token, but a session', { accepted: 'third', renewed: 'third' }, ['first', 'third'], 200, 0],
  [
    'tokens that are all refused',
    { accepted: 'none', newer: 'second', renewed: 'third' },
    ['first', 'second', 'third'],
    401,
    1,
  ],
  ['no session any more', { accepted: 'none' }, ['first'], 401, 1],
] as const) {
  test(`makes ${sent.length} calls, answers ${status} and ${expired === 1 ? 'expires' : 'keeps'} the session: ${name}`, async () => {
    const call = aCall(tokens)
    const answer = await createAuthorisedFetch(call)(url, { method: 'POST', body: '{"username":"a"}' })
    assert.deepEqual(
      call.sent,
      sent.map(token => `Bearer ${token}`),
    )
    assert.deepEqual(new Set(call.bodies), new Set(['{"username":"a"}']))
    assert.equal(answer.status, status)
    assert.equal(call.expired(), expired)
  })
}

test('sends nothing without a token, and answers 401 with its sentence', async () => {
  const call = aCall({ accepted: 'none', token: null })
  const answer = await createAuthorisedFetch(call)(url)
  assert.equal(answer.status, 401)
  assert.equal(answer.headers.get('content-type'), 'application/problem+json')
  assert.equal(((await answer.json()) as { detail: string }).detail, 'Session expired. Please sign in again.')
  assert.deepEqual(call.sent, [])
  assert.equal(call.expired(), 0)
})

for (const [name, missing, sent] of [
  ['no token can be had', { token: unconfirmed }, []],
  ['a refused token cannot be exchanged', { newer: unconfirmed, renewed: unconfirmed }, ['first']],
  ['a refused session cannot be renewed', { newer: 'second', renewed: unconfirmed }, ['first', 'second']],
] as const) {
  test(`answers 503 and keeps the session while the provider is busy: ${name}`, async () => {
    const call = aCall({ accepted: 'none', ...missing })
    const answer = await createAuthorisedFetch(call)(url, { method: 'POST', body: '{}' })
    assert.equal(answer.status, 503)
    assert.equal(answer.headers.get('content-type'), 'application/problem+json')
    const { code, detail } = (await answer.json()) as { code: string; detail: string }
    assert.equal(code, 'session.unconfirmed')
    assert.doesNotMatch(detail, /expired/)
    assert.equal(call.expired(), 0)
    assert.deepEqual(
      call.sent,
      sent.map(token => `Bearer ${token}`),
    )
  })
}

test('renews the session if a token cannot be exchanged now', async () => {
  const call = aCall({ accepted: 'third', newer: unconfirmed, renewed: 'third' })
  assert.equal((await createAuthorisedFetch(call)(url)).status, 200)
  assert.deepEqual(call.sent, ['Bearer first', 'Bearer third'])
})

test('sends an optional call without a token while none is available', async () => {
  const call = aCall({ accepted: 'none', token: unconfirmed })
  await createOptionalFetch(call)(url)
  assert.equal(call.sent[0]?.trim(), 'Bearer')
})

test('returns other refusals unchanged', async () => {
  const call = aCall({ accepted: 'none' })
  const fetch = createAuthorisedFetch({ ...call, fetch: async () => new Response('', { status: 403 }) })
  assert.equal((await fetch(url)).status, 403)
  assert.equal(call.expired(), 0)
})

test('sends an optional call with the token, or with an empty bearer', async () => {
  for (const [token, header] of [
    ['first', 'Bearer first'],
    [null, 'Bearer'],
  ] as const) {
    const call = aCall({ accepted: 'first', token })
    const answer = await createOptionalFetch(call)(url)
    assert.equal(answer.status, token ? 200 : 401)
    assert.equal(call.sent[0]?.trim(), header)
  }
})
