import { bindContract, type Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/ingest'
import contract from '@lapwing/contracts/ingest.json' with { type: 'json' }
import { answerUnavailable } from '@lapwing/db'
import { receiveEvents } from '@lapwing/events'
import { addHealth, allowOnly, createApp, keepNoAnswer } from '@lapwing/http'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { getTrackCorners } from './corners/get-track-corners.ts'
import type { Deps } from './deps.ts'
import { listDriverNumbers } from './drivers/list-driver-numbers.ts'
import { undoDriverNumber } from './drivers/undo-driver-number.ts'
import { errors } from './errors.ts'
import { getIngest } from './ingests/get-ingest.ts'
import { addJudgedAddress } from './ingests/judged-address.ts'
import { startIngest } from './ingests/start-ingest.ts'
import { deleteLap } from './laps/delete-lap.ts'
import { listLaps } from './laps/list-laps.ts'
import { updateLap } from './laps/update-lap.ts'
import { eventHandlers } from './people/forget-person.ts'
import { getReference } from './references/get-reference.ts'

export function buildApp(deps: Deps): FastifyInstance {
  const app = createApp({
    service: 'ingest',
    errors,
    logger: deps.logger,
    bodyLimit: 16 * 1024,
    trustProxy: deps.trustedProxies,
  })
  addHealth(
    app,
    {
      database: async () => {
        await sql`select 1`.execute(deps.db)
        return true
      },
    },
    { shown: { queue: () => deps.queue.isUp() } },
  )
  keepNoAnswer(app)
  const handlers: Handlers<operations> = {
    ingestBestFromSession: startIngest(deps),
    getIngest: getIngest(deps),
    listDriverNumbers: listDriverNumbers(deps),
    undoDriverNumber: undoDriverNumber(deps),
    listLaps: listLaps(deps),
    updateLap: updateLap(deps),
    deleteLap: deleteLap(deps),
    getReference: getReference(deps),
    getTrackCorners: getTrackCorners(deps),
  }
  bindContract(app, contract, answerUnavailable(handlers, 'ingest.busy'), {
    onAddress: (url, methods) => allowOnly(app, 'ingest', url, methods),
  })
  addJudgedAddress(app, deps)
  receiveEvents(app, { db: deps.db, key: deps.internalKey, handlers: eventHandlers })
  // Whoever waits is answered where to ask, rather than holding up the drain.
  app.addHook('preClose', async () => deps.waiter.close())
  return app
}
