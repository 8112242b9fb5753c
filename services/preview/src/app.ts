import type { operations } from '@lapwing/contracts/preview'
import contract from '@lapwing/contracts/preview.json' with { type: 'json' }
import { diskLevels } from '@lapwing/files/disk-levels'
import { createService } from '@lapwing/service'
import { ibtLimits } from '@lapwing/telemetry'
import { addPlugins, limitRate } from './add-plugins.ts'
import { type Config, loadConfig } from './config.ts'
import { createDeps, type Deps } from './deps.ts'
import { errors } from './errors.ts'
import { createPreview } from './previews/create-preview.ts'
import { MAX_FORM_BYTES } from './previews/receive-file.ts'
import { createUploadSlots } from './previews/upload-slots.ts'

export const service = createService<Config, Deps, operations>({
  name: 'preview',
  config: loadConfig,
  deps: createDeps,
  contract,
  errors,
  handlers: ({ files, pool, config }) => ({
    createPreview: createPreview({ files, pool, slots: createUploadSlots(config.maxUploads), config }),
  }),
  app: ({ config }) => ({
    // A back-stop only: `receiveFile` cuts a slow upload earlier and can still answer.
    requestTimeoutMs: config.uploadTotalMs + 30_000,
    // A client may send the rest of a file of any accepted size before it reads the answer.
    rest: { maxBytes: ibtLimits.MAX_FILE_BYTES + MAX_FORM_BYTES, maxMs: 30_000 },
  }),
  health: ({ pool, files }) => ({ checks: { workers: () => pool.isAlive(), disk: files.isWritable } }),
  levels: ({ files }) => diskLevels(files.path),
  plugins: addPlugins,
  binding: ({ config }, app) => ({
    routes: { createPreview: { onRequest: limitRate(app, config.rateLimitPerMinute) } },
  }),
})
