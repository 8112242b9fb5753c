import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { create, toBinary } from '@bufbuild/protobuf'
import {
  createPrincipalSigner,
  createPrincipalVerifier,
  createServiceTokenSigner,
  IDENTITY_HEADER,
  requireUser,
} from '@lapwing/auth'
import { EventSchema } from '@lapwing/contracts/events.pb'
import type { components } from '@lapwing/contracts/leaderboard'
import contract from '@lapwing/contracts/leaderboard.json' with { type: 'json' }
import { createDb, migrateToLatest } from '@lapwing/db'
import { createEventSigner, type EventPayload } from '@lapwing/events'
import { createLogger } from '@lapwing/http'
import { openRedis, type SharedRedis } from '@lapwing/redis'
import { checkAnswer } from '@lapwing/testing/check-answer.ts'
import { type TestDatabase, testDatabase } from '@lapwing/testing/test-database.ts'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { buildApp } from '../app.ts'
import { createContexts } from '../contexts/contexts.ts'
import type { Database } from '../database.ts'
import type { Deps } from '../deps.ts'
import { createWindows } from '../windows/windows.ts'
import type { WireStanding } from './a-standing.ts'
import { testRedis } from './test-redis.ts'
import { until } from './until.ts'

export const internalKey = new TextEncoder().encode('a key of at least thirty-two bytes')

export type Page = components['schemas']['Page']
export type Row = components['schemas']['Row']

export interface Harness {
  readonly app: FastifyInstance
  readonly db: Kysely<Database>
  readonly deps: Deps
  readonly databaseUrl: string
  /** Calls an operation, as that user where one is given, and holds the answer against the contract. */
  get<Body = Json>(operationId: string, url: string, as?: string): Promise<Answer<Body>>
  /** Sends a standing as ingest does. */
  put(standing: WireStanding): Promise<PutAnswer>
  /** Asks as ingest does whether a moderator hides a lap or its driver. */
  isHidden(lapId: string, userId: string): Promise<boolean>
  /** Asks as ingest does for the best of both boards of a combination, for a lap of that user. */
  bests(combination: WireStanding['combination'], userId: string): Promise<Bests>
  /** Tells an event as account does; twice where it is told twice. */
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
  readonly complete: { readonly rank: number | null; readonly previous_time_ms: number | null } | null
  readonly clean: { readonly rank: number | null; readonly previous_time_ms: number | null } | null
}

export interface Bests {
  readonly complete: { readonly drivers: number; readonly best_time_ms: number | null }
  readonly clean: { readonly drivers: number; readonly best_time_ms: number | null }
}

// biome-ignore lint/suspicious/noExplicitAny: the contract check vouches for the shape of an answer.
type Json = any

export interface HarnessOptions {
  /** The cache; that of the test run where it is left out, none where it is null. */
  readonly redis?: SharedRedis | null
  readonly changes?: Partial<Deps>
  readonly poolSize?: number
  /** The clock by which names of tracks are believed. */
  readonly now?: () => number
}

/** The service on a real, migrated database of its own, its windows in a real Redis. */
export async function harness(options: HarnessOptions = {}): Promise<Harness> {
  const database = await testDatabase('leaderboard')
  try {
    return await start(database, options)
  } catch (error) {
    await database.drop()
    throw error
  }
}

async function start(database: TestDatabase, options: HarnessOptions): Promise<Harness> {
  const logger = createLogger('leaderboard', 'silent')
  const db = createDb<Database>({
    url: database.url,
    schema: 'leaderboard',
    poolSize: options.poolSize ?? 20,
    connectWithinMs: 5_000,
    prepare: true,
  })
  await migrateToLatest(db as never, {
    folder: join(import.meta.dirname, '../../migrations'),
    schema: 'leaderboard',
  })
  const server = options.redis === undefined ? await testRedis() : null
  const redis = options.redis === undefined ? openRedis(server!.url, logger) : options.redis
  if (server !== null) await until(redis!.isUp)
  const windows = createWindows(redis, logger, { prefix: `lb-test-${randomUUID()}` })
  const deps: Deps = {
    db,
    requirePrincipal: requireUser('leaderboard', createPrincipalVerifier(internalKey)),
    contexts: createContexts(db, options.now),
    windows,
    internalKey,
    isCacheUp: () => redis?.isUp() ?? false,
    ...options.changes,
  }
  const app = buildApp(deps, logger)
  const sign = createPrincipalSigner(internalKey)
  const signPrincipal = forAWhile((userId: string) =>
    sign({ userId, sessionId: 'session-test-1', roles: [] }),
  )
  const signService = forAWhile(createServiceTokenSigner(internalKey, 'leaderboard'))
  const signEvent = createEventSigner(internalKey)
  return {
    app,
    db,
    deps,
    databaseUrl: database.url,
    async get(operationId, url, as) {
      const answer = await app.inject({
        method: 'GET',
        url,
        headers: as === undefined ? {} : { [IDENTITY_HEADER]: await signPrincipal(as) },
      })
      checkAnswer(contract, operationId, answer)
      return { status: answer.statusCode, body: answer.json(), headers: answer.headers }
    },
    async put(standing) {
      const answer = await app.inject({
        method: 'PUT',
        url: '/internal/standings',
        headers: { authorization: `Bearer ${await signService('')}` },
        payload: standing,
      })
      if (answer.statusCode !== 200) throw new Error(`a standing was answered with ${answer.body}`)
      return answer.json()
    },
    async isHidden(lapId, userId) {
      const answer = await app.inject({
        method: 'GET',
        url: `/internal/hidden?${new URLSearchParams({ lap_id: lapId, user_id: userId })}`,
        headers: { authorization: `Bearer ${await signService('')}` },
      })
      if (answer.statusCode !== 200)
        throw new Error(`whether a lap is hidden was answered with ${answer.body}`)
      return answer.json().hidden
    },
    async bests({ sim, track_slug, layout, car_slug }, userId) {
      const query = new URLSearchParams({ sim, track_slug, layout, car_slug, user_id: userId })
      const answer = await app.inject({
        method: 'GET',
        url: `/internal/bests?${query}`,
        headers: { authorization: `Bearer ${await signService('')}` },
      })
      if (answer.statusCode !== 200) throw new Error(`the bests were answered with ${answer.body}`)
      return answer.json()
    },
    async publish(payload, { twice = false } = {}) {
      const bytes = Buffer.from(
        toBinary(
          EventSchema,
          create(EventSchema, { id: randomUUID(), occurredAtMs: BigInt(Date.now()), payload }),
        ),
      )
      const token = await signEvent(createHash('sha256').update(bytes).digest('base64url'))
      for (let delivery = 0; delivery < (twice ? 2 : 1); delivery++) {
        const answer = await app.inject({
          method: 'POST',
          url: '/internal/events',
          headers: { 'content-type': 'application/x-protobuf', authorization: `Bearer ${token}` },
          payload: bytes,
        })
        if (answer.statusCode !== 204) throw new Error(`an event was answered with ${answer.statusCode}`)
      }
    },
    async close() {
      await app.close()
      deps.windows.close()
      await db.destroy()
      await server?.stop()
      await database.drop()
    },
  }
}

/** Signs each name once in twenty seconds, which is less than a token lives: tests call a thousand times. */
function forAWhile(sign: (name: string) => Promise<string>): (name: string) => Promise<string> {
  const signed = new Map<string, { readonly token: Promise<string>; readonly at: number }>()
  return name => {
    const known = signed.get(name)
    if (known !== undefined && performance.now() - known.at < 20_000) return known.token
    const token = sign(name)
    signed.set(name, { token, at: performance.now() })
    return token
  }
}
