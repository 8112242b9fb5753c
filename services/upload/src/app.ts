import { join } from 'node:path'
import type { operations } from '@lapwing/contracts/upload'
import contract from '@lapwing/contracts/upload.json' with { type: 'json' }
import { createStoreCheck } from '@lapwing/object-store'
import { createService } from '@lapwing/service'
import { type Config, loadConfig } from './config.ts'
import { createDeps, type Deps } from './deps.ts'
import { errors } from './errors.ts'
import { getUploadSession } from './internal/get-upload-session.ts'
import { eventHandlers } from './people/forget-person.ts'
import { startSweeper } from './sweeping/start-sweeper.ts'
import { completeUpload } from './uploads/complete-upload.ts'
import { initUpload } from './uploads/init-upload.ts'

/**
 * The upload service. It stays ready while the object store is away: affected requests get an error. It is
 * not ready if the store refuses its key or bucket.
 */
export const service = createService<Config, Deps, operations>({
  name: 'upload',
  config: loadConfig,
  deps: createDeps,
  contract,
  errors,
  migrations: join(import.meta.dirname, '../migrations'),
  handlers: deps => ({
    initUpload: initUpload(deps),
    completeUpload: completeUpload(deps),
  }),
  internal: deps => ({ getUploadSession: getUploadSession(deps) }),
  events: ({ now }) => eventHandlers(now),
  health: ({ store }) => ({ checks: { store: createStoreCheck(store) } }),
  background: (deps, { sweepSeconds }) => startSweeper({ ...deps, everyMs: sweepSeconds * 1000 }),
})
