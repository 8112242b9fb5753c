import { join } from 'node:path'
import { createPrincipalVerifier, optionalUser } from '@lapwing/auth'
import contract from '@lapwing/contracts/account.json' with { type: 'json' }
import { createBaseDeps } from '@lapwing/service'
import { type Call, createCall, internalKey, migratedDatabase, silentLogger } from '@lapwing/service/testing'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { service } from '../app.ts'
import type { Database } from '../database.ts'
import type { Deps } from '../deps.ts'
import { createPublish } from '../subscribers.ts'

export interface Harness {
  readonly app: FastifyInstance
  readonly db: Kysely<Database>
  readonly call: Call
  close(): Promise<void>
}

/** Starts the service with its own migrated database. */
export async function harness(changes: Partial<Deps> = {}): Promise<Harness> {
  const migrations = join(import.meta.dirname, '../../migrations')
  const { db, close } = await migratedDatabase<Database>('account', migrations)
  const now = () => new Date('2026-03-01T12:00:00Z')
  const app = service.build({
    ...createBaseDeps('account', { db, internalKey, logger: silentLogger }),
    findPrincipal: optionalUser(createPrincipalVerifier(internalKey)),
    publish: createPublish(['identity', 'leaderboard'], now),
    events: { wake: () => {} },
    subscribers: ['identity', 'leaderboard'],
    billing: null,
    now,
    ...changes,
  })
  return {
    app,
    db,
    call: createCall(app, contract),
    async close() {
      await app.close()
      await close()
    },
  }
}
