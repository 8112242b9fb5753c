/**
 * Runs the gateway in front of one server that answers everything, as preview and as account. Arguments: the
 * server's address, and Redis'; with a third one, that collector receives traces. `token` returns a session's
 * token, `memory` the resident bytes.
 *
 * Rows: `/api/open` for all; `/api/mine` for who is signed in; `/api/limited` 500 times a minute.
 */
import type { TestContext } from 'node:test'
import { buildApp } from '@lapwing/gateway/src/app.ts'
import { loadConfig } from '@lapwing/gateway/src/config.ts'
import { createDeps } from '@lapwing/gateway/src/deps.ts'
import { type Route, routes } from '@lapwing/gateway/src/routes.ts'
import { fakeIdentity, internalKey, sessionToken } from '@lapwing/gateway/src/test/accounts.ts'
import { createLogger } from '@lapwing/http'
import { startTracing } from '@lapwing/tracing'
import { notifyUrl } from './notify-url.ts'

const [answerUrl = '', redisUrl = '', tracesUrl = ''] = process.argv.slice(2)

// The process ends with the benchmark, so nothing needs to be closed.
const identity = await fakeIdentity({ after() {} } as unknown as TestContext)
// One client opens all connections.
const { share: _, ...board } = routes.find(route => route.prefix === '/leaderboards')!
const row = (fields: Partial<Route>): Route => ({
  ...board,
  methods: ['GET'],
  concurrency: 1_000,
  rateLimit: { budget: 'bench', max: 1_000_000_000, windowMs: 60_000 },
  ...fields,
})
const rows = [
  row({ prefix: '/open', upstream: 'preview', access: 'public' }),
  row({ prefix: '/mine', upstream: 'account', access: 'signed-in' }),
  row({
    prefix: '/limited',
    upstream: 'preview',
    access: 'public',
    rateLimit: { budget: 'limited', max: 500, windowMs: 60_000 },
  }),
]

const config = loadConfig({
  PREVIEW_URL: answerUrl,
  ACCOUNT_URL: answerUrl,
  IDENTITY_URL: identity.url.href,
  INTERNAL_KEY: internalKey,
  REDIS_URL: redisUrl,
  TRUSTED_PROXIES: '127.0.0.1',
  OTEL_EXPORTER_OTLP_ENDPOINT: tracesUrl,
})
await startTracing({
  ...config,
  process: 'gateway',
  isEdge: true,
  onLost(error) {
    throw error
  },
})
const logger = createLogger('gateway', 'warn')
const deps = createDeps(config, logger)
const limits = { connections: 20_000 }
const app = await buildApp({ config, logger, ...deps, limits, routes: rows })

process.on('message', async message => {
  if (message === 'token') process.send!(await sessionToken())
  else process.send!(process.memoryUsage.rss())
})

await app.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 })
notifyUrl(app.server, () => process.exit(0))
