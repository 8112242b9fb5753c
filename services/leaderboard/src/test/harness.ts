import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { components as internal } from '@lapwing/contracts/internal'
import type { components } from '@lapwing/contracts/leaderboard'
import contract from '@lapwing/contracts/leaderboard.json' with { type: 'json' }
import type { EventPayload } from '@lapwing/events'
import { openRedis, type SharedRedis } from '@lapwing/redis'
import { createBaseDeps } from '@lapwing/service'
import {
  createCall,
  internalKey,
  migratedDatabase,
  sendEvent,
  signService,
  silentLogger,
} from '@lapwing/service/testing'
import { until } from '@lapwing/testing/until.ts'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { service } from '../app.ts'
import { createContexts } from '../contexts/contexts.ts'
import type { Database } from '../database.ts'
import type { Deps } from '../deps.ts'
import { createWindows } from '../windows/windows.ts'
import type { WireStanding } from './a-standing.ts'
import { testRedis } from './test-redis.ts'

export { internalKey } from '@lapwing/service/testing'

export type Page = components['schemas']['Page']
export type Row = components['schemas']['Row']

export interface Harness {
  readonly app: FastifyInstance
  readonly db: Kysely<Database>
  readonly deps: Deps
  readonly databaseUrl: string
  /** Calls an operation, signed in as `as` or anonymous, and checks the answer against the contract. */
  get<Body = Json>(operationId: string, url: string, as?: string): Promise<Answer<Body>>
  post(operationId: string, url: string, body: unknown, as?: string): Promise<Answer<Json>>
  /** Reports an entry from a network, which the gateway names. */
  report(body: unknown, as: string | undefined, address: string): Promise<Answer<Json>>
  /** Sends a standing as ingest does. */
  put(standing: WireStanding): Promise<PutAnswer>
  /** Returns what ingest gets: whether a moderator hides a lap or its driver. */
  isHidden(lapId: string, userId: string): Promise<boolean>
  /** Returns what ingest gets for a lap of that account: the best laps of both boards of a combination. */
  bests(combination: WireStanding['combination'], userId: string): Promise<Bests>
  /** Sends an event as account does. `twice` delivers it twice. */
  publish(payload: EventPayload, options?: { readonly twice?: boolean }): Promise<void>
  close(): Promise<void>
}

export interface Answer<Body> {
  readonly status: number
  readonly body: Body
  readonly headers: Readonly<Record<string, unknown>>
}

export interface PutAnswer {
  readonly context_id: number
  readonly applied: boolean
  readonly complete: internal['schemas']['Rank']
  readonly clean: internal['schemas']['Rank']
}

export type Bests = Readonly<Record<'complete' | 'clean', internal['schemas']['BoardBest']>>

// biome-ignore lint/suspicious/noExplicitAny: the contract check proves the shape of an answer.
type Json = any

export interface HarnessOptions {
  /** The cache. Undefined for the Redis of the test run, null for none. */
  readonly redis?: SharedRedis | null
  readonly changes?: Partial<Deps>
  readonly poolSize?: number
  /** Clock of the cached track names, in milliseconds. */
  readonly now?: () => number
}

/** Starts the service with its own migrated database. By default a real Redis caches its windows. */
export async function harness(options: HarnessOptions = {}): Promise<Harness> {
  const migrations = join(import.meta.dirname, '../../migrations')
  const { db, database, close } = await migratedDatabase<Database>('leaderboard', migrations, {
    ...(options.poolSize !== undefined && { poolSize: options.poolSize }),
    prepare: true,
  })
  const server = options.redis === undefined ? await testRedis() : null
  const redis = options.redis === undefined ? openRedis(server!.url, silentLogger) : options.redis
  if (server !== null) await until(redis!.isUp, 'Redis', 15_000)
  const deps: Deps = {
    ...createBaseDeps('leaderboard', { db, internalKey, logger: silentLogger }),
    contexts: createContexts(db, options.now),
    windows: createWindows(redis, silentLogger, { prefix: `lb-test-${randomUUID()}` }),
    isCacheUp: () => redis?.isUp() ?? false,
    ...options.changes,
  }
  const app = service.build(deps)
  const call = createCall(app, contract)

  async function askAsIngest(method: 'GET' | 'PUT', url: string, payload?: object): Promise<Json> {
    const answer = await app.inject({
      method,
      url: `/internal/${url}`,
      headers: { authorization: await signService('leaderboard') },
      ...(payload !== undefined && { payload }),
    })
    if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.body}`)
    return answer.json()
  }

  return {
    app,
    db,
    deps,
    databaseUrl: database.url,
    get: (operationId, url, as) => call(operationId, { method: 'GET', url, as }),
    post: (operationId, url, body, as) => call(operationId, { method: 'POST', url, as, body }),
    report: (body, as, address) =>
      call('reportEntry', {
        method: 'POST',
        url: '/api/leaderboards/reports',
        as,
        body,
        headers: { 'x-forwarded-for': address },
      }),
    put: standing => askAsIngest('PUT', 'standings', standing),
    async isHidden(lapId, userId) {
      const query = new URLSearchParams({ lap_id: lapId, user_id: userId })
      return (await askAsIngest('GET', `hidden?${query}`)).hidden
    },
    bests({ sim, track_slug, layout, car_slug }, userId) {
      const query = new URLSearchParams({ sim, track_slug, layout, car_slug, user_id: userId })
      return askAsIngest('GET', `bests?${query}`)
    },
    publish: (payload, { twice = false } = {}) => sendEvent(app, payload, { deliveries: twice ? 2 : 1 }),
    async close() {
      await app.close()
      deps.windows.close()
      await close()
      await server?.stop()
    },
  }
}
