import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '@lapwing/http'
import { RedisUnavailable } from '@lapwing/redis'
import { createService, type ServiceDeps } from './create-service.ts'
import { internalKey, signService } from './testing/index.ts'

const logger = createLogger('demo', 'silent')
const config = {
  host: '127.0.0.1',
  port: 0,
  metricsHost: '127.0.0.1',
  metricsPort: null,
  tracesUrl: null,
  sampledShare: 1,
  drainMs: 1_000,
  keepServingMs: 0,
  logLevel: 'silent',
}
const contract = {
  servers: [{ url: '/api' }],
  paths: { '/things': { get: { operationId: 'getThings', responses: {} } } },
}

/** Creates a service with one operation, which fails with `error`. `steps` records what opens and closes. */
function demo(error: unknown = null) {
  const steps: string[] = []
  const service = createService<typeof config, ServiceDeps, { getThings: object }>({
    name: 'identity',
    config: () => config,
    deps: () => {
      steps.push('deps')
      return { logger, internalKey, db: {} as never, close: async () => void steps.push('deps closed') }
    },
    contract,
    errors: {},
    handlers: () => ({
      getThings: async () => {
        throw error
      },
    }),
    internal: () => ({
      findPeople: async () => ({ people: [] }),
      getSessionState: async ({ params }) => ({ session_id: params.id, active: true }),
    }),
    drain: () => steps.push('drain'),
    background: () => {
      steps.push('background')
      return { close: async () => void steps.push('background closed') }
    },
  })
  return { service, steps, app: service.build({ logger, internalKey, db: {} as never }) }
}

for (const [what, error] of [
  ['a database that is away', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })],
  ['a database that shuts down', Object.assign(new Error('shutdown'), { code: '57P01' })],
  ['a Redis that is away', new RedisUnavailable('redis is away')],
] as const) {
  test(`answers 503 with Retry-After for ${what}`, async () => {
    const answer = await demo(error).app.inject('/api/things')
    assert.equal(answer.statusCode, 503)
    assert.equal(answer.json().code, 'identity.busy')
    assert.match(String(answer.headers['retry-after']), /^\d+$/)
    assert.doesNotMatch(answer.body, /refused|shutdown|redis/)
  })
}

test('answers 500 for any other error', async () => {
  const answer = await demo(new Error('a mistake')).app.inject('/api/things')
  assert.deepEqual([answer.statusCode, answer.json().code], [500, 'identity.failed'])
})

test('rejects an internal operation without a token for this service, and answers one with it', async () => {
  const { app } = demo()
  const url = '/internal/sessions/session-1'
  for (const headers of [{}, { authorization: 'Bearer x' }, { authorization: await signService('ingest') }]) {
    assert.equal((await app.inject({ url, headers })).statusCode, 401)
  }
  const answer = await app.inject({ url, headers: { authorization: await signService('identity') } })
  assert.deepEqual(answer.json(), { session_id: 'session-1', active: true })
  assert.equal(answer.headers['cache-control'], 'no-store')
})

test('does not start if an internal operation of its tag has no handler', async () => {
  const { service } = demo()
  const missing = createService<typeof config, ServiceDeps, never>({
    name: 'upload',
    config: () => config,
    deps: () => ({ logger, close: async () => {} }),
    errors: {},
  })
  await assert.rejects(async () => await missing.build({ logger, internalKey }).ready(), /getUploadSession/)
  await service.build({ logger, internalKey }).ready()
})

test('opens the deps before the background work, and closes them after it', async () => {
  const { service, steps } = demo()
  const app = await service.start(config, logger)
  await app.ready()
  await app.close()
  assert.deepEqual(steps, ['deps', 'background', 'drain', 'background closed', 'deps closed'])
})
