import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fastify } from 'fastify'
import { addresses, bindContract, type Contract } from './bind.ts'

const contract: Contract & Record<string, unknown> = {
  servers: [{ url: '/api' }],
  paths: {
    '/v1/laps/{lapId}': {
      parameters: [
        { in: 'path', name: 'lapId', required: true, schema: { $ref: '#/components/schemas/Id' } },
      ],
      get: {
        operationId: 'getLap',
        parameters: [
          { in: 'query', name: 'window', schema: { type: 'integer', minimum: 1, maximum: 50, default: 10 } },
          { in: 'query', name: 'best', schema: { type: 'boolean' } },
          {
            in: 'header',
            name: 'X-Client-Version',
            required: true,
            schema: { type: 'string', maxLength: 8 },
          },
        ],
      },
    },
    '/laps': {
      post: {
        operationId: 'createLap',
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['time_ms'],
                additionalProperties: false,
                properties: {
                  time_ms: { type: 'integer' },
                  at: { type: 'string', format: 'date-time' },
                  id: { type: 'string', format: 'uuid' },
                },
              },
            },
          },
        },
      },
    },
  },
  components: { schemas: { Id: { type: 'integer', minimum: 1 } } },
}

interface Operations {
  getLap: unknown
  createLap: unknown
}

type Seen = { readonly params?: unknown; readonly query?: unknown; readonly body?: unknown }

/** Returns an app that answers the input of its handlers. */
function anApp(options: Parameters<typeof bindContract>[3] = {}) {
  const app = fastify()
  const echo = async (request: Seen) =>
    ({ params: request.params, query: request.query, body: request.body ?? null }) as never
  bindContract<Operations>(app, contract, { getLap: echo, createLap: echo }, options)
  return app
}

const headers = { 'x-client-version': '1.0.0' }

test('every operation is answered with and without its version', async () => {
  const app = anApp()
  for (const url of ['/api/v1/laps/7', '/api/laps/7']) {
    assert.equal((await app.inject({ url, headers })).statusCode, 200, url)
  }
  for (const url of ['/api/laps', '/api/v1/laps']) {
    const answer = await app.inject({ method: 'POST', url, payload: { time_ms: 51088 } })
    assert.equal(answer.statusCode, 200, url)
  }
  for (const url of ['/laps/7', '/v1/laps/7', '/api/v2/laps/7']) {
    assert.equal((await app.inject({ url, headers })).statusCode, 404, url)
  }
})

test('with exact addresses only what the contract writes is answered', async () => {
  const app = anApp({ exactAddresses: true })
  assert.equal((await app.inject({ url: '/api/v1/laps/7', headers })).statusCode, 200)
  assert.equal((await app.inject({ url: '/api/laps/7', headers })).statusCode, 404)
})

test('an address is its path with and without the version', () => {
  assert.deepEqual(addresses('/v1/preview'), ['/v1/preview', '/preview'])
  assert.deepEqual(addresses('/laps'), ['/laps', '/v1/laps'])
  assert.deepEqual(addresses('/v1beta/laps'), ['/v1beta/laps', '/v1/v1beta/laps'])
})

test('parameters are converted from text, and defaults filled in', async () => {
  const { params, query } = (await anApp().inject({ url: '/api/laps/7?best=true&other=x', headers })).json()
  assert.deepEqual(params, { lapId: 7 })
  assert.deepEqual(query, { window: 10, best: true, other: 'x' })
})

for (const [name, request] of Object.entries({
  'a path parameter of the wrong type': { url: '/api/laps/seven', headers },
  'a path parameter out of its range': { url: '/api/laps/0', headers },
  'a query parameter out of its range': { url: '/api/laps/7?window=51', headers },
  'a query parameter of the wrong type': { url: '/api/laps/7?window=1.5', headers },
  'a query parameter given twice': { url: '/api/laps/7?window=1&window=2', headers },
  'a required header left out': { url: '/api/laps/7' },
  'a header that is too long': { url: '/api/laps/7', headers: { 'x-client-version': '123456789' } },
  'no body': { method: 'POST', url: '/api/laps' },
  'a required property left out': { method: 'POST', url: '/api/laps', payload: {} },
  'a number as text in a body': { method: 'POST', url: '/api/laps', payload: { time_ms: '51088' } },
  'a property the contract does not have': {
    method: 'POST',
    url: '/api/laps',
    payload: { time_ms: 1, user: 2 },
  },
  'a text of the wrong format': {
    method: 'POST',
    url: '/api/laps',
    payload: { time_ms: 1, at: 'yesterday' },
  },
  'a UUID that is written as a URN': {
    method: 'POST',
    url: '/api/laps',
    payload: { time_ms: 1, id: 'urn:uuid:01a22119-db0a-770f-913d-eae1f5d2e3cf' },
  },
} as const)) {
  test(`400 for ${name}`, async () => {
    const answer = await anApp().inject(request)
    assert.equal(answer.statusCode, 400, answer.body)
    assert.equal(answer.json().code, 'FST_ERR_VALIDATION')
  })
}

test('a body is passed on as it was sent', async () => {
  const payload = {
    time_ms: 51088,
    at: '2026-11-02T10:00:00Z',
    id: '01A22119-db0a-770f-913d-eae1f5d2e3cf',
  }
  const answer = await anApp().inject({ method: 'POST', url: '/api/laps', payload })
  assert.deepEqual(answer.json().body, payload)
})

test('route options are those of their operation', async () => {
  const app = anApp({ routes: { createLap: { bodyLimit: 10 } } })
  const post = (payload: object) => app.inject({ method: 'POST', url: '/api/laps', payload })
  assert.equal((await post({ time_ms: 51088 })).statusCode, 413)
  assert.equal((await app.inject({ url: '/api/laps/7', headers })).statusCode, 200)
})

test('lists each address once, with its methods', () => {
  const told: [string, readonly string[]][] = []
  anApp({ onAddress: (url, methods) => told.push([url, methods]) })
  assert.deepEqual(told, [
    ['/api/v1/laps/:lapId', ['GET']],
    ['/api/laps/:lapId', ['GET']],
    ['/api/laps', ['POST']],
    ['/api/v1/laps', ['POST']],
  ])
})

test('an operation without a handler and a handler without an operation are refused', () => {
  const echo = (async () => null) as never
  assert.throws(
    () => bindContract<{ getLap: unknown }>(fastify(), contract, { getLap: echo }),
    /no handler for operation createLap/,
  )
  const handlers = { getLap: echo, createLap: echo, getCar: echo }
  assert.throws(
    () => bindContract<Record<keyof typeof handlers, unknown>>(fastify(), contract, handlers),
    /handler getCar has no operation/,
  )
})
