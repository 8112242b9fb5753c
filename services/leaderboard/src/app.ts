import { join } from 'node:path'
import type { operations } from '@lapwing/contracts/leaderboard'
import contract from '@lapwing/contracts/leaderboard.json' with { type: 'json' }
import { createService } from '@lapwing/service'
import { type Config, loadConfig } from './config.ts'
import { getContextId } from './contexts/get-context-id.ts'
import { listCars } from './contexts/list-cars.ts'
import { listTracks } from './contexts/list-tracks.ts'
import { createDeps, type Deps } from './deps.ts'
import { errors } from './errors.ts'
import { eventHandlers } from './events/event-handlers.ts'
import { explainParameters } from './explain-parameters.ts'
import { getHidden } from './moderation/get-hidden.ts'
import { reportEntry } from './moderation/report-entry.ts'
import { getMe } from './pages/get-me.ts'
import { getPage } from './pages/get-page.ts'
import { getBests } from './standings/get-bests.ts'
import { receiveStanding } from './standings/receive-standing.ts'

export const service = createService<Config, Deps, operations>({
  name: 'leaderboard',
  config: loadConfig,
  deps: createDeps,
  contract,
  errors,
  migrations: join(import.meta.dirname, '../migrations'),
  handlers: deps => ({
    getContextId: getContextId(deps),
    getPage: getPage(deps),
    getMe: getMe(deps),
    listTracks: listTracks(deps),
    listCars: listCars(deps),
    reportEntry: reportEntry(deps),
  }),
  internal: deps => ({
    putStanding: receiveStanding(deps),
    getBests: getBests(deps),
    getHidden: getHidden(deps),
  }),
  events: eventHandlers,
  health: ({ isCacheUp }) => ({ shown: { redis: isCacheUp } }),
  plugins: app => app.setSchemaErrorFormatter(explainParameters),
})
