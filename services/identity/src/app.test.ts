import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { goodPassword, type Harness, harness, origin, publicToken } from './test/harness.ts'

let service: Harness

before(async () => {
  service = await harness({}, { ALLOWED_ORIGINS: 'https://beta.lapwing.test' })
})

after(() => service.close())

const signIn = '/sdk/v1/passwords/authenticate'
const post = (body: unknown, headers: Record<string, string> = {}) =>
  service.call('authenticatePassword', signIn, { body, headers })

test('sends a client its settings without a session', async () => {
  const { status, data, headers } = await service.call(
    'getBootstrap',
    `/sdk/v1/projects/bootstrap/${publicToken}`,
    { method: 'GET', headers: { authorization: '' } },
  )
  assert.equal(status, 200)
  assert.equal(headers['cache-control'], 'no-store')
  assert.deepEqual(data.captcha_settings, { enabled: false })
  assert.equal(data.password_config, null)
  assert.deepEqual(
    data.rbac_policy.roles.map((role: { role_id: string }) => role.role_id),
    ['driver', 'moderator'],
  )
  const other = await service.call('getBootstrap', '/sdk/v1/projects/bootstrap/public-token-live-other', {
    method: 'GET',
  })
  assert.deepEqual([other.status, other.error], [400, 'invalid_public_token'])
})

test('accepts batches of client telemetry', async () => {
  const { status } = await service.call('postEvents', '/sdk/v1/events', {
    headers: { authorization: '' },
    body: Array.from({ length: 15 }, () => ({ telemetry: {}, event: { event_name: 'email_sent' } })),
  })
  assert.equal(status, 200)
  const many = await service.call('postEvents', '/sdk/v1/events', {
    body: Array.from({ length: 101 }, () => ({})),
  })
  assert.equal(many.status, 400)
})

for (const [what, header, status, error] of [
  ['no', '', 401, 'unauthorized_credentials'],
  ['a bearer', 'Bearer x', 401, 'unauthorized_credentials'],
  ['no base64', 'Basic §§§', 401, 'unauthorized_credentials'],
  ['an endless', `Basic ${'QQ'.repeat(4_000)}`, 401, 'unauthorized_credentials'],
  ['another project’s', `Basic ${btoa('public-token-live-other:x')}`, 400, 'invalid_public_token'],
] as const) {
  test(`answers ${error} for ${what} authorization`, async () => {
    const answer = await service.call('authenticateSession', '/sdk/v1/sessions/authenticate', {
      headers: { authorization: header },
      body: {},
    })
    assert.deepEqual([answer.status, answer.error], [status, error])
  })
}

for (const [what, body, path, message] of [
  ['a number for a password', { email: 'a@example.com', password: 7 }, '.password', 'must be a string.'],
  ['null for an address', { email: null, password: 'x' }, '.email', 'must be a string.'],
  ['an object for an address', { email: { $ne: '' }, password: 'x' }, '.email', 'must be a string.'],
  ['a list for a password', { email: 'a@example.com', password: ['x'] }, '.password', 'must be a string.'],
  [
    'text for a duration',
    { email: 'a@example.com', password: 'x', session_duration_minutes: '60' },
    '.session_duration_minutes',
    'must be a number.',
  ],
  ['a list for the body', [], '', 'must be an object.'],
  ['text for the body', '"text"', '', 'must be an object.'],
  ['null for the body', 'null', '', 'must be an object.'],
  ['no members', {}, '', 'email is required.'],
  ['nothing at all', '', '', 'email is required.'],
  ['an address of 1,001 characters', { email: 'a'.repeat(1_001), password: 'x' }, '.email', null],
] as const) {
  test(`answers a schema error for ${what}`, async () => {
    const answer = await post(body)
    assert.equal(answer.status, 400)
    assert.equal(answer.error, undefined)
    assert.equal(answer.body.body.length, 1)
    assert.equal(answer.body.body[0].dataPath, path)
    if (message !== null) assert.equal(answer.body.body[0].message, message)
    assert.ok(answer.body.request_id)
  })
}

for (const [what, body, headers, status, error] of [
  ['no JSON', '{"email":', {}, 400, 'bad_request'],
  ['JSON that would change a prototype', '{"__proto__":{"a":1}}', {}, 400, 'bad_request'],
  [
    'a form',
    'email=a&password=b',
    { 'content-type': 'application/x-www-form-urlencoded' },
    415,
    'unsupported_media_type',
  ],
  ['text', '{}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
  ['XML', '<a/>', { 'content-type': 'application/xml' }, 415, 'unsupported_media_type'],
  [
    'a type that only looks like JSON',
    '{}',
    { 'content-type': 'application/jsonx' },
    415,
    'unsupported_media_type',
  ],
  ['more than half a megabyte', JSON.stringify({ email: 'a'.repeat(600_000) }), {}, 413, 'request_too_large'],
] as const) {
  test(`answers ${error} for ${what}`, async () => {
    const answer = await post(body, headers)
    assert.deepEqual([answer.status, answer.error], [status, error])
    assert.match(String(answer.headers['content-type']), /^application\/json/)
  })
}

test('answers unknown routes and methods in the protocol’s shape', async () => {
  const nothing = await service.app.inject({ url: '/sdk/v1/nothing' })
  assert.deepEqual([nothing.statusCode, nothing.json().error_type], [404, 'route_not_found'])
  const method = await service.app.inject({ url: signIn })
  assert.deepEqual([method.statusCode, method.json().error_type], [405, 'method_not_allowed'])
  assert.match(String(method.headers.allow), /POST/)
  const unversioned = await service.app.inject({ method: 'POST', url: '/v1/sdk/v1/passwords' })
  assert.equal(unversioned.statusCode, 404)
})

test('lets listed origins call with cookies and read errors', async () => {
  for (const page of [origin, 'https://beta.lapwing.test']) {
    const preflight = await service.app.inject({
      method: 'OPTIONS',
      url: signIn,
      headers: {
        origin: page,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-sdk-client,x-sdk-parent-host',
      },
    })
    assert.equal(preflight.statusCode, 204)
    assert.equal(preflight.headers['access-control-allow-origin'], page)
    assert.equal(preflight.headers['access-control-allow-credentials'], 'true')
    assert.match(String(preflight.headers['access-control-allow-methods']), /PUT/)
    assert.match(String(preflight.headers['access-control-allow-headers']), /x-sdk-parent-host/i)
    assert.match(String(preflight.headers.vary), /Origin/)
    const answer = await post({ email: 'a@example.com', password: 'x' }, { origin: page })
    assert.equal(answer.error, 'unauthorized_credentials')
    assert.equal(answer.headers['access-control-allow-origin'], page)
    assert.equal(answer.headers['access-control-allow-credentials'], 'true')
    assert.match(String(answer.headers['access-control-expose-headers']), /retry-after/)
    const missing = await service.app.inject({ url: '/sdk/v1/nothing', headers: { origin: page } })
    assert.equal(missing.headers['access-control-allow-origin'], page)
  }
})

test('rejects the preflight and the call of any other origin', async () => {
  await service.signUp('page@example.com')
  for (const page of ['https://evil.example', 'http://lapwing.test', 'https://lapwing.test:8443', 'null']) {
    const preflight = await service.app.inject({
      method: 'OPTIONS',
      url: signIn,
      headers: { origin: page, 'access-control-request-method': 'POST' },
    })
    assert.notEqual(preflight.headers['access-control-allow-origin'], page)
    assert.notEqual(preflight.headers['access-control-allow-origin'], '*')
    const answer = await post({ email: 'page@example.com', password: goodPassword }, { origin: page })
    assert.deepEqual([answer.status, answer.error], [403, 'origin_not_allowed'])
    assert.equal(answer.headers['access-control-allow-origin'], undefined)
  }
})

test('rejects other origins in every spelling of the address', async () => {
  for (const url of [
    '/%73dk/v1/passwords/authenticate',
    '/sdk/v1/passwords/authenticate/',
    `${signIn}?x=1`,
  ]) {
    const answer = await service.app.inject({
      method: 'POST',
      url,
      headers: { origin: 'https://evil.example', 'content-type': 'application/json' },
      payload: '{}',
    })
    assert.ok([403, 404].includes(answer.statusCode), `${url} answered ${answer.statusCode}`)
  }
})

test('forbids caches to store personal answers, and allows five minutes for the key set', async () => {
  const { headers } = await post({ email: 'a@example.com', password: 'x' })
  assert.equal(headers['cache-control'], 'no-store')
  const { token } = await service.signUp('cache@example.com')
  const me = await service.call('getMe', '/sdk/v1/users/me', { method: 'GET', as: token })
  assert.equal(me.headers['cache-control'], 'no-store')
  const keys = await service.call('getWellKnownJwks', '/.well-known/jwks.json', { method: 'GET' })
  assert.equal(keys.headers['cache-control'], 'public, max-age=300')
})

test('is ready while the database answers and the signing key opens', async () => {
  const ready = await service.app.inject({ url: '/readyz' })
  assert.equal(ready.statusCode, 200)
  assert.deepEqual(ready.json().checks, { database: true, signingKey: true })
})
