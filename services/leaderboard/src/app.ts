import { bindContract, type Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/leaderboard'
import contract from '@lapwing/contracts/leaderboard.json' with { type: 'json' }
import { answerUnavailable } from '@lapwing/db'
import { receiveEvents } from '@lapwing/events'
import { addHealth, allowOnly, createApp, keepNoAnswer } from '@lapwing/http'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { getContextId } from './contexts/get-context-id.ts'
import { listCars } from './contexts/list-cars.ts'
import { listTracks } from './contexts/list-tracks.ts'
import type { Deps } from './deps.ts'
import { errors } from './errors.ts'
import { eventHandlers } from './events/event-handlers.ts'
import { explainParameters } from './explain-parameters.ts'
import { replyHidden } from './moderation/reply-hidden.ts'
import { getMe } from './pages/get-me.ts'
import { getPage } from './pages/get-page.ts'
import { receiveStandings } from './standings/receive-standing.ts'
import { replyBests } from './standings/reply-bests.ts'

export function buildApp(deps: Deps, logger: Logger): FastifyInstance {
  const app = createApp({ service: 'leaderboard', errors, logger, bodyLimit: 16 * 1024 })
  app.setSchemaErrorFormatter(explainParameters)
  addHealth(
    app,
    {
      database: async () => {
        await sql`select 1`.execute(deps.db)
        return true
      },
    },
    { shown: { redis: deps.isCacheUp } },
  )
  const handlers: Handlers<operations> = {
    getContextId: getContextId(deps),
    getPage: getPage(deps),
    getMe: getMe(deps),
    listTracks: listTracks(deps),
    listCars: listCars(deps),
  }
  keepNoAnswer(app)
  bindContract(app, contract, answerUnavailable(handlers, 'leaderboard.busy'), {
    onAddress: (url, methods) => allowOnly(app, 'leaderboard', url, methods),
  })
  receiveStandings(app, deps)
  replyBests(app, deps)
  replyHidden(app, deps)
  receiveEvents(app, { db: deps.db, key: deps.internalKey, handlers: eventHandlers(deps) })
  return app
}
