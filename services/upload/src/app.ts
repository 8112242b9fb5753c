import { bindContract, type Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/upload'
import contract from '@lapwing/contracts/upload.json' with { type: 'json' }
import { answerUnavailable } from '@lapwing/db'
import { receiveEvents } from '@lapwing/events'
import { addHealth, allowOnly, createApp, keepNoAnswer } from '@lapwing/http'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from './database.ts'
import type { Deps } from './deps.ts'
import { errors } from './errors.ts'
import { addSessionAddress } from './internal/session-address.ts'
import { eventHandlers } from './people/forget-person.ts'
import { completeUpload } from './uploads/complete-upload.ts'
import { initUpload } from './uploads/init-upload.ts'

export function buildApp(deps: Deps, logger: Logger): FastifyInstance {
  const app = createApp({ service: 'upload', errors, logger, bodyLimit: 16 * 1024 })
  // Without the object store it still answers, and says what is missing.
  addHealth(app, {
    database: async () => {
      await sql`select 1`.execute(deps.db)
      return true
    },
  })
  const handlers: Handlers<operations> = {
    initUpload: initUpload(deps),
    completeUpload: completeUpload(deps),
  }
  keepNoAnswer(app)
  bindContract(app, contract, answerUnavailable(handlers, 'upload.busy'), {
    onAddress: (url, methods) => allowOnly(app, 'upload', url, methods),
  })
  addSessionAddress(app, deps)
  receiveEvents<Database>(app, { db: deps.db, key: deps.internalKey, handlers: eventHandlers(deps.now) })
  return app
}
