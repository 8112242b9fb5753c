import { join } from 'node:path'
import {
  createPrincipalSigner,
  createPrincipalVerifier,
  IDENTITY_HEADER,
  optionalUser,
  type Principal,
  requireUser,
} from '@lapwing/auth'
import contract from '@lapwing/contracts/account.json' with { type: 'json' }
import { createDb, migrateToLatest } from '@lapwing/db'
import { createLogger } from '@lapwing/http'
import { checkAnswer } from '@lapwing/testing/check-answer.ts'
import { type TestDatabase, testDatabase } from '@lapwing/testing/test-database.ts'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { buildApp } from '../app.ts'
import type { Database } from '../database.ts'
import type { Deps } from '../deps.ts'
import { createPublish } from '../subscribers.ts'

const key = new TextEncoder().encode('a key of at least thirty-two bytes')

export interface Harness {
  readonly app: FastifyInstance
  readonly db: Kysely<Database>
  /** Calls an operation, as that user where one is given, and holds the answer against the contract. */
  call(
    operationId: string,
    request: CallOptions,
  ): Promise<{ status: number; body: Record<string, unknown>; headers: Record<string, unknown> }>
  close(): Promise<void>
}

interface CallOptions {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: string
  readonly as?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** The service on a real, migrated database of its own. */
export async function harness(changes: Partial<Deps> = {}): Promise<Harness> {
  const database = await testDatabase('account')
  try {
    return await start(database, changes)
  } catch (error) {
    await database.drop()
    throw error
  }
}

async function start(database: TestDatabase, changes: Partial<Deps>): Promise<Harness> {
  const db = createDb<Database>({
    url: database.url,
    schema: 'account',
    poolSize: 20,
  })
  await migrateToLatest(db as never, {
    folder: join(import.meta.dirname, '../../migrations'),
    schema: 'account',
  })
  const verify = createPrincipalVerifier(key)
  const now = () => new Date('2026-03-01T12:00:00Z')
  const app = buildApp(
    {
      db,
      requirePrincipal: requireUser('account', verify),
      findPrincipal: optionalUser(verify),
      publish: createPublish(['identity', 'leaderboard'], now),
      events: { wake: () => {} },
      billing: null,
      now,
      ...changes,
    },
    createLogger('account', 'silent'),
  )
  const sign = createPrincipalSigner(key)
  return {
    app,
    db,
    async call(operationId, { method, url, as, body, headers }) {
      const principal: Principal | undefined =
        as === undefined ? undefined : { userId: as, sessionId: 'session-test-1', roles: [] }
      const answer = await app.inject({
        method,
        url,
        headers: {
          ...(principal === undefined ? {} : { [IDENTITY_HEADER]: await sign(principal) }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      checkAnswer(contract, operationId, answer)
      return {
        status: answer.statusCode,
        body: answer.body === '' ? {} : answer.json(),
        headers: answer.headers,
      }
    },
    async close() {
      await app.close()
      await db.destroy()
      await database.drop()
    },
  }
}
