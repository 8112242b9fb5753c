import assert from 'node:assert/strict'
import { test } from 'node:test'
import contract from '@lapwing/contracts/gateway.json' with { type: 'json' }
import { Ajv2020 } from 'ajv/dist/2020.js'
import { AppError } from './app-error.ts'
import { allowOnly } from './error-handler.ts'
import { demoApp } from './test/app.ts'

/** The problem of `openapi/common/problem.yaml`, with its references resolved against its contract. */
const schema = {
  ...contract.components.responses.Failed.content['application/problem+json'].schema,
  components: contract.components,
}
const json = { 'content-type': 'application/json' }
const isProblem = new Ajv2020({ strict: false }).compile(schema)

test('answers an error of the table with its status, title and sentence, as in the contract', async t => {
  const { app } = demoApp(t)
  app.get('/', async () => {
    throw new AppError('demo.full')
  })
  const answer = await app.inject({ url: '/', headers: { 'x-request-id': 'page-0001' } })
  assert.equal(answer.statusCode, 409)
  assert.equal(answer.headers['content-type'], 'application/problem+json')
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.ok(isProblem(answer.json()), JSON.stringify(isProblem.errors))
  assert.deepEqual(answer.json(), {
    type: 'about:blank',
    title: 'Full',
    status: 409,
    detail: 'There is no room.',
    code: 'demo.full',
    request_id: 'page-0001',
  })
})

test('answers the detail and headers of the thrown error', async t => {
  const { app } = demoApp(t)
  app.get('/', async () => {
    throw new AppError('demo.busy', { detail: 'Come back at noon.', headers: { 'retry-after': '60' } })
  })
  const answer = await app.inject('/')
  assert.equal(answer.statusCode, 503)
  assert.equal(answer.json().detail, 'Come back at noon.')
  assert.equal(answer.headers['retry-after'], '60')
})

for (const [what, error] of [
  ['an error of the code', new Error('select * from secret_table failed at /srv/app.ts')],
  ['a code of no table', new AppError('demo.secret_table')],
  ["another service's code", new AppError('other.secret_table', { detail: 'secret_table' })],
  ['an inherited name', new AppError('demo.constructor', { detail: 'secret_table' })],
  ['a value that is no error', 'secret_table'],
  ["a database's lost connection", Object.assign(new Error('secret_table'), { code: 'ECONNRESET' })],
] as const) {
  test(`answers 500 for ${what} without a word of it, and logs it once with the request's id`, async t => {
    const { app, logs } = demoApp(t)
    app.get('/', async () => {
      throw error
    })
    const answer = await app.inject({ url: '/', headers: { 'x-request-id': 'page-0001' } })
    assert.equal(answer.statusCode, 500)
    assert.equal(answer.json().code, 'demo.failed')
    assert.ok(isProblem(answer.json()))
    assert.doesNotMatch(answer.body, /secret|srv/)
    const failures = logs.filter(({ level }) => level === 'error')
    assert.equal(failures.length, 1)
    assert.equal(failures[0]!.request_id, 'page-0001')
    assert.match(JSON.stringify(failures[0]), /secret_table|constructor/)
  })
}

test('logs a 5xx of the table with its cause, and no 4xx as an error', async t => {
  const { app, logs } = demoApp(t)
  app.get('/busy', async () => {
    throw new AppError('demo.busy', { cause: new Error('the pool is empty') })
  })
  app.get('/full', async () => {
    throw new AppError('demo.full')
  })
  assert.doesNotMatch((await app.inject('/busy')).body, /pool/)
  await app.inject('/full')
  const failures = logs.filter(({ level }) => level === 'error')
  assert.equal(failures.length, 1)
  assert.match(JSON.stringify(failures[0]), /the pool is empty/)
})

test('logs a 503 without a cause in one word, without a stack', async t => {
  const { app, logs } = demoApp(t)
  app.get('/', async () => {
    throw new AppError('demo.busy')
  })
  await app.inject('/')
  const written = logs.filter(line => line.code === 'demo.busy')
  assert.equal(written.length, 1)
  assert.equal(written[0]!.level, 'warn')
  assert.equal(written[0]!.err, undefined)
})

for (const [what, request, status, code] of [
  ['JSON that is none', { headers: json, payload: '{' }, 400, 'demo.bad_request'],
  ['an empty JSON body', { headers: json, payload: '' }, 400, 'demo.bad_request'],
  ['a body with __proto__', { headers: json, payload: '{"__proto__":{"a":1}}' }, 400, 'demo.bad_request'],
  [
    'a body of the wrong type',
    { headers: { 'content-type': 'image/png' }, payload: 'x' },
    415,
    'demo.unsupported_media_type',
  ],
  [
    'an invalid content type',
    { headers: { 'content-type': 'x' }, payload: 'x' },
    415,
    'demo.unsupported_media_type',
  ],
  [
    'a body over the limit',
    { headers: json, payload: JSON.stringify('x'.repeat(200)) },
    413,
    'demo.body_too_large',
  ],
  [
    'a body that violates the contract',
    { headers: json, payload: '{"laps":"many"}' },
    400,
    'demo.bad_request',
  ],
] as const) {
  test(`answers ${status} for ${what}, even if the table has no entry`, async t => {
    const { app, logs } = demoApp(t, { bodyLimit: 100 })
    app.post(
      '/',
      { schema: { body: { type: 'object', properties: { laps: { type: 'integer' } } } } },
      async () => 'ok',
    )
    const answer = await app.inject({ method: 'POST', url: '/', ...request })
    assert.equal(answer.statusCode, status)
    assert.equal(answer.json().code, code)
    assert.ok(isProblem(answer.json()))
    assert.doesNotMatch(answer.body, /FST_|at .*\.[jt]s/)
    assert.deepEqual(
      logs.filter(({ level }) => level === 'error'),
      [],
    )
  })
}

test('names the field of a body that violates the contract', async t => {
  const { app } = demoApp(t)
  app.post(
    '/',
    { schema: { body: { type: 'object', properties: { laps: { type: 'integer' } } } } },
    async () => 'ok',
  )
  const answer = await app.inject({ method: 'POST', url: '/', payload: { laps: 'many' } })
  assert.equal(answer.json().detail, 'Body/laps must be integer.')
})

test('answers 404 with the sentence of the table for an unknown path', async t => {
  const { app } = demoApp(t)
  const answer = await app.inject('/none')
  assert.equal(answer.statusCode, 404)
  assert.equal(answer.json().detail, 'Nothing is here.')
})

for (const [methods, allow] of [
  [['GET'], 'GET, HEAD'],
  [['GET', 'HEAD', 'POST'], 'GET, HEAD, POST'],
  [['POST'], 'POST'],
] as const) {
  test(`answers 405 to other methods than ${methods.join(', ')}, before it reads a body`, async t => {
    const { app } = demoApp(t)
    app.route({ method: [...methods], url: '/x', handler: async () => 'ok' })
    allowOnly(app, 'demo', '/x', methods)
    const all = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY'] as const
    for (const method of all) {
      const answer = await app.inject({
        method: method as 'GET',
        url: '/x',
        ...(method !== 'TRACE' && method !== 'GET' && method !== 'HEAD' && { headers: json, payload: '{' }),
      })
      if (allow.split(', ').includes(method)) {
        assert.notEqual(answer.statusCode, 405, method)
      } else {
        assert.equal(answer.statusCode, 405, method)
        assert.equal(answer.headers.allow, allow)
      }
    }
  })
}

test('answers 400 to QUERY without a content type', async t => {
  const { app } = demoApp(t)
  app.route({ method: 'QUERY', url: '/x', handler: async () => 'ok' })
  for (const url of ['/x', '/none']) {
    const answer = await app.inject({ method: 'QUERY' as 'GET', url })
    assert.equal(answer.statusCode, 400)
    assert.equal(answer.json().code, 'demo.bad_request')
  }
})

test('answers refusals in a shape of its own, which may depend on the URL', async t => {
  const { app } = demoApp(t, {
    writeError: ({ code, url = 'none' }) => ({ status: 418, type: 'text/x-own', body: { code, url } }),
  })
  app.get('/full', async () => {
    throw new AppError('demo.full')
  })
  for (const [url, code] of [
    ['/full?x=1', 'demo.full'],
    ['/none', 'demo.not_found'],
    ['/%zz', 'demo.bad_request'],
  ]) {
    const answer = await app.inject(url!)
    assert.equal(answer.statusCode, 418)
    assert.equal(answer.headers['content-type'], 'text/x-own')
    assert.deepEqual(answer.json(), { code, url })
  }
})
