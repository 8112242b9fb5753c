import { join } from 'node:path'
import type { operations } from '@lapwing/contracts/identity'
import contract from '@lapwing/contracts/identity.json' with { type: 'json' }
import { createService } from '@lapwing/service'
import { type Config, loadConfig } from './config.ts'
import { createDeps, type Deps } from './deps.ts'
import { errors } from './errors.ts'
import { handlers } from './handlers.ts'
import { addPlugins } from './http/add-plugins.ts'
import { eventHandlers } from './internal/event-handlers.ts'
import { findPeople } from './internal/find-people.ts'
import { getSessionState } from './internal/get-session-state.ts'
import { messageLevels } from './outbox/outbox-levels.ts'
import { hashingRoutes } from './passwords/handlers.ts'
import { startSweeper } from './sweep.ts'
import { writeError } from './write-error.ts'

export const service = createService<Config, Deps, operations>({
  name: 'identity',
  config: loadConfig,
  deps: createDeps,
  contract,
  errors,
  migrations: join(import.meta.dirname, '../migrations'),
  handlers,
  internal: deps => ({ findPeople: findPeople(deps), getSessionState: getSessionState(deps) }),
  events: eventHandlers,
  // A password that is too long gets an error with a message, unless it is longer than anyone types.
  app: () => ({ writeError, bodyLimit: 512 * 1024 }),
  health: ({ revocations, keys }) => ({
    checks: { signingKey: keys.check },
    shown: { redis: () => revocations.isConnected() },
  }),
  levels: ({ db }) => messageLevels(db),
  plugins: addPlugins,
  binding: deps => ({ exactAddresses: true, routes: hashingRoutes(deps) }),
  background: deps => {
    deps.mailSender.wake()
    deps.textSender.wake()
    return startSweeper(deps)
  },
})
