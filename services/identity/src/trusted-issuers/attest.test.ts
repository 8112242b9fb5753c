import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { type Harness, harness, type Reply } from '../test/harness.ts'
import { factorsOf, waysIn } from '../test/ways-in.ts'
import { addTrustedProfile, removeTrustedProfile, type TrustedProfile } from './trusted-profile.repository.ts'

const issuer = 'https://id.club.test'
const keys = await generateKeyPair('ES256')
const strangers = await generateKeyPair('ES256')

let service: Harness
let trusted: TrustedProfile
/** How the issuer answers a request for its keys. */
let answersKeys = true
const keyServer = createServer(async (_, response) => {
  if (!answersKeys) return response.writeHead(500).end()
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [jwk] }))
})

before(async () => {
  service = await harness({}, { OAUTH_TIMEOUT_MS: '2000' })
  await new Promise<void>(resolve => keyServer.listen(0, '127.0.0.1', resolve))
  const keysUrl = `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}/keys`
  trusted = { profileId: 'club', issuer, audience: 'lapwing', keysUrl }
  await service.deps.change(work => addTrustedProfile(work, trusted))
})

after(async () => {
  await service.close()
  keyServer.closeAllConnections()
  await new Promise(resolve => keyServer.close(resolve))
})

const nowS = () => Math.floor(service.now().getTime() / 1_000)

interface Changes {
  readonly claims?: Readonly<Record<string, unknown>>
  readonly key?: typeof keys.privateKey
  readonly header?: { readonly alg?: string; readonly kid?: string | undefined }
}

/** Returns a token of the issuer about a person of its own. */
function tokenOf({ claims = {}, key = keys.privateKey, header = {} }: Changes = {}): Promise<string> {
  const payload = {
    iss: issuer,
    aud: 'lapwing',
    sub: randomUUID(),
    jti: randomUUID(),
    iat: nowS(),
    exp: nowS() + 300,
    ...claims,
  }
  return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'one', ...header } as never).sign(key)
}

const attest = (
  token: string,
  { as, profile = 'club' }: { as?: string; profile?: string } = {},
): Promise<Reply> =>
  service.call('attestSession', '/sdk/v1/sessions/attest', {
    body: { profile_id: profile, token, session_duration_minutes: 60 },
    ...(as !== undefined && { as }),
  })

test('opens one account for one person of a trusted issuer', async () => {
  const claims = { sub: randomUUID(), jti: randomUUID() }
  const first = await attest(await tokenOf({ claims }))
  assert.equal(first.status, 200, JSON.stringify(first.body))
  const [factor] = first.data.session.authentication_factors
  assert.deepEqual([factor.type, factor.delivery_method], ['trusted_auth_token', 'trusted_token_exchange'])
  assert.deepEqual(factor.trusted_auth_token_factor, { token_id: claims.jti })
  const [{ provider_type, provider_subject }] = first.data.user.providers
  assert.deepEqual([provider_type, provider_subject], [issuer, claims.sub])
  const second = await attest(await tokenOf({ claims: { sub: claims.sub } }))
  assert.equal(second.data.user_id, first.data.user_id)
  const other = await attest(await tokenOf())
  assert.notEqual(other.data.user_id, first.data.user_id)
})

test('adds the factor to the session of the same person, and replaces the session of another', async () => {
  const sub = randomUUID()
  const first = await attest(await tokenOf({ claims: { sub } }))
  const joined = await attest(await tokenOf({ claims: { sub } }), { as: first.data.session_token })
  assert.equal(joined.data.session.session_id, first.data.session.session_id)
  const { token, userId } = await service.signUp(`${randomUUID()}@example.test`)
  const replaced = await attest(await tokenOf({ claims: { sub } }), { as: token })
  assert.equal(replaced.data.user_id, first.data.user_id)
  assert.notEqual(replaced.data.user_id, userId)
  const { error } = await service.call('getMe', '/sdk/v1/users/me', { method: 'GET', as: token })
  assert.equal(error, 'session_not_found')
})

test('opens the account of an address only if both sides have confirmed it, and mails its owner', async () => {
  const email = `${randomUUID()}@example.test`
  const { userId, emailId } = await service.signUp(email)
  const claims = { sub: randomUUID(), email, email_verified: true }
  assert.equal((await attest(await tokenOf({ claims }))).error, 'duplicate_email')
  await service.db.updateTable('email').set({ verified: true }).where('email_id', '=', emailId).execute()
  const unconfirmed = await attest(await tokenOf({ claims: { ...claims, email_verified: false } }))
  assert.equal(unconfirmed.error, 'duplicate_email')
  const { data } = await attest(await tokenOf({ claims }))
  assert.equal(data.user_id, userId)
  const mails = await service.mailsTo(email)
  assert.deepEqual(
    mails.map(({ subject }) => subject),
    ['id.club.test now opens your Lapwing account'],
  )
})

test('still needs the second factor of the account', async () => {
  const ways = waysIn(service)
  const sub = randomUUID()
  const { data } = await attest(await tokenOf({ claims: { sub } }))
  const app = await ways.createApp(data.session_token)
  await ways.typeCode(data.session_token, app.code())
  const half = await attest(await tokenOf({ claims: { sub } }))
  assert.deepEqual(factorsOf(half), ['trusted_auth_token'])
  assert.equal(await ways.isAccepted(half.data.session_jwt), false)
})

test('accepts a token once, and exactly one of fifty concurrent tries', async () => {
  const token = await tokenOf()
  const answers = await Promise.all(Array.from({ length: 50 }, () => attest(token)))
  assert.deepEqual(answers.map(({ error }) => error ?? 'signed in').sort(), [
    ...Array.from({ length: 49 }, () => 'invalid_trusted_auth_token'),
    'signed in',
  ])
  // The same id in another token is a replay, too.
  const claims = { jti: randomUUID() }
  assert.equal((await attest(await tokenOf({ claims }))).status, 200)
  assert.equal((await attest(await tokenOf({ claims }))).error, 'invalid_trusted_auth_token')
})

const refused: Readonly<Record<string, () => Promise<string> | string>> = {
  'of another issuer': () => tokenOf({ claims: { iss: 'https://evil.test' } }),
  'for another audience': () => tokenOf({ claims: { aud: 'other' } }),
  'for several audiences': () => tokenOf({ claims: { aud: ['lapwing', 'other'] } }),
  'that has expired': () => tokenOf({ claims: { iat: nowS() - 200, exp: nowS() - 31 } }),
  'of more than an hour ago': () => tokenOf({ claims: { iat: nowS() - 3_631, exp: nowS() + 300 } }),
  'from the future': () => tokenOf({ claims: { iat: nowS() + 31 } }),
  'that is not valid yet': () => tokenOf({ claims: { nbf: nowS() + 31 } }),
  'without an end': () => tokenOf({ claims: { exp: undefined } }),
  'without a start': () => tokenOf({ claims: { iat: undefined } }),
  'without an id': () => tokenOf({ claims: { jti: undefined } }),
  'with an empty id': () => tokenOf({ claims: { jti: '' } }),
  'with an id of 256 characters': () => tokenOf({ claims: { jti: 'x'.repeat(256) } }),
  'without a person': () => tokenOf({ claims: { sub: undefined } }),
  'with an empty person': () => tokenOf({ claims: { sub: '' } }),
  'with a NUL in its person': () => tokenOf({ claims: { sub: 'a\0b' } }),
  'with a person of 256 characters': () => tokenOf({ claims: { sub: 'x'.repeat(256) } }),
  'signed by another key under the same id': () => tokenOf({ key: strangers.privateKey }),
  'with an unknown key id': () => tokenOf({ header: { kid: 'two' } }),
  'without a key id': () => tokenOf({ header: { kid: undefined } }),
  'without a signature (alg none)': () => new UnsecuredJWT({ sub: 'a', jti: 'b' }).setIssuer(issuer).encode(),
  'signed with a shared secret': () =>
    new SignJWT({ iss: issuer, aud: 'lapwing', sub: 'a', jti: 'b', iat: nowS(), exp: nowS() + 60 })
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(new Uint8Array(32).fill(1)),
  'that is cut': async () => (await tokenOf()).slice(0, -9),
  'that is no token': () => 'token',
  'that is empty': () => '',
}
for (const [name, make] of Object.entries(refused)) {
  test(`refuses a token ${name}`, async () => {
    const { status, error } = await attest(await make())
    assert.deepEqual([status, error], [401, 'invalid_trusted_auth_token'])
  })
}

test('accepts clocks that differ by 30 s', async () => {
  assert.equal((await attest(await tokenOf({ claims: { exp: nowS() - 29 } }))).status, 200)
  assert.equal((await attest(await tokenOf({ claims: { iat: nowS() + 30 } }))).status, 200)
})

test('keeps the id of a used token as long as the token could be accepted', async () => {
  const claims = { exp: nowS() + 999_999, jti: randomUUID() }
  const token = await tokenOf({ claims })
  assert.equal((await attest(token)).status, 200)
  const { expires_at } = await service.db
    .selectFrom('token')
    .select('expires_at')
    .where('kind', '=', 'trusted_token')
    .orderBy('expires_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  assert.equal(expires_at.getTime(), (nowS() + 3_630) * 1_000)
})

test('refuses a profile that is unknown or removed, and a token of another profile', async () => {
  assert.equal(
    (await attest(await tokenOf(), { profile: 'unknown' })).error,
    'trusted_token_profile_not_found',
  )
  const other = { ...trusted, profileId: 'other', issuer: 'https://id.other.test' }
  await service.deps.change(work => addTrustedProfile(work, other))
  assert.equal((await attest(await tokenOf(), { profile: 'other' })).error, 'invalid_trusted_auth_token')
  const claims = { iss: 'https://id.other.test' }
  assert.equal((await attest(await tokenOf({ claims }), { profile: 'other' })).status, 200)
  await service.deps.change(work => removeTrustedProfile(work, 'other'))
  const { error } = await attest(await tokenOf({ claims }), { profile: 'other' })
  assert.equal(error, 'trusted_token_profile_not_found')
})

test('answers service_unavailable while the keys of an issuer cannot be loaded', async () => {
  const away = { ...trusted, profileId: 'away', keysUrl: `${trusted.keysUrl}?away` }
  await service.deps.change(work => addTrustedProfile(work, away))
  answersKeys = false
  try {
    const { status, error, headers } = await attest(await tokenOf(), { profile: 'away' })
    assert.deepEqual([status, error, headers['retry-after']], [503, 'service_unavailable', '30'])
    // Loaded keys stay in use.
    assert.equal((await attest(await tokenOf())).status, 200)
  } finally {
    answersKeys = true
  }
  assert.equal((await attest(await tokenOf(), { profile: 'away' })).status, 200)
})

test('rejects a locked account', async () => {
  const sub = randomUUID()
  const { data } = await attest(await tokenOf({ claims: { sub } }))
  const { user_id } = data
  const locked_at = service.now()
  await service.db.updateTable('person').set({ locked_at }).where('user_id', '=', user_id).execute()
  assert.equal((await attest(await tokenOf({ claims: { sub } }))).error, 'invalid_trusted_auth_token')
})

test('creates at most twenty accounts an hour from one network', async () => {
  const ip = '198.51.100.8'
  const tokens = await Promise.all(Array.from({ length: 21 }, () => tokenOf()))
  const call = (token: string) =>
    service.call('attestSession', '/sdk/v1/sessions/attest', { body: { profile_id: 'club', token }, ip })
  const answers = await Promise.all(tokens.map(call))
  assert.deepEqual(
    answers.map(({ error }) => error).filter(error => error !== undefined),
    ['too_many_requests'],
  )
})

test('allows sixty tries a minute from one network', async () => {
  const ip = '198.51.100.7'
  const tries = Array.from({ length: 61 }, () =>
    service.call('attestSession', '/sdk/v1/sessions/attest', {
      body: { profile_id: 'club', token: 'x' },
      ip,
    }),
  )
  const errors = (await Promise.all(tries)).map(({ error }) => error)
  assert.equal(errors.filter(error => error === 'too_many_requests').length, 1)
})
