import { createTempFolder, type TempFolder } from '@lapwing/files/temp-folder'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { createPreviewPool, type PreviewPool } from './previews/preview-pool.ts'

/** What the service works with. `buildApp` closes the pool and the folder with the app. */
export interface Deps {
  readonly config: Config
  readonly logger: Logger
  readonly files: TempFolder
  readonly pool: PreviewPool
}

export async function createDeps(config: Config, logger: Logger): Promise<Deps> {
  const files = await createTempFolder(config.tempDir, 'preview')
  const pool = createPreviewPool({
    workers: config.workers,
    // Whoever was let in to send a file gets it read.
    maxWaiting: config.maxUploads,
    workerHeapMb: config.workerHeapMb,
    timeoutMs: config.readTimeoutMs,
  })
  return { config, logger, files, pool }
}
