import { join } from 'node:path'
import type { operations } from '@lapwing/contracts/ingest'
import contract from '@lapwing/contracts/ingest.json' with { type: 'json' }
import { createStoreCheck } from '@lapwing/object-store'
import { createService } from '@lapwing/service'
import { type Config, loadConfig } from './config.ts'
import { getTrackCorners } from './corners/get-track-corners.ts'
import { createDeps, type Deps } from './deps.ts'
import { listDriverNumbers } from './drivers/list-driver-numbers.ts'
import { undoDriverNumber } from './drivers/undo-driver-number.ts'
import { errors } from './errors.ts'
import { findJudgedSessions } from './ingests/find-judged-sessions.ts'
import { getIngest } from './ingests/get-ingest.ts'
import { ingestLevels } from './ingests/ingest-levels.ts'
import { startIngest } from './ingests/start-ingest.ts'
import { deleteLap } from './laps/delete-lap.ts'
import { listLaps } from './laps/list-laps.ts'
import { updateLap } from './laps/update-lap.ts'
import { eventHandlers } from './people/forget-person.ts'
import { getReference } from './references/get-reference.ts'

export const service = createService<Config, Deps, operations>({
  name: 'ingest',
  config: loadConfig,
  deps: createDeps,
  contract,
  errors,
  migrations: join(import.meta.dirname, '../migrations'),
  handlers: deps => ({
    ingestBestFromSession: startIngest(deps),
    getIngest: getIngest(deps),
    listDriverNumbers: listDriverNumbers(deps),
    undoDriverNumber: undoDriverNumber(deps),
    listLaps: listLaps(deps),
    updateLap: updateLap(deps),
    deleteLap: deleteLap(deps),
    getReference: getReference(deps),
    getTrackCorners: getTrackCorners(deps),
  }),
  internal: deps => ({ findJudgedSessions: findJudgedSessions(deps) }),
  events: () => eventHandlers,
  health: ({ queue, store }) => ({
    checks: { store: createStoreCheck(store) },
    shown: { queue: () => queue.isUp() },
  }),
  levels: ({ db, queue }) => ingestLevels(db, queue),
  drain: ({ waiter }) => waiter.close(),
})
