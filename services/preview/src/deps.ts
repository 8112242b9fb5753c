import { createTempFolder, type TempFolder } from '@lapwing/files/temp-folder'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { createPreviewPool, type PreviewPool } from './previews/preview-pool.ts'

/** The dependencies of the handlers. */
export interface Deps {
  readonly config: Config
  readonly trustedProxies: readonly string[]
  readonly logger: Logger
  readonly files: TempFolder
  readonly pool: PreviewPool
}

export async function createDeps(config: Config, logger: Logger): Promise<Deps & { close(): Promise<void> }> {
  const files = await createTempFolder(config.tempDir, 'preview')
  const pool = createPreviewPool({
    workers: config.workers,
    // Every file that the service accepted to receive is also read.
    maxWaiting: config.maxUploads,
    workerHeapMb: config.workerHeapMb,
    timeoutMs: config.readTimeoutMs,
  })
  return {
    config,
    trustedProxies: config.trustedProxies,
    logger: quiet(logger),
    files,
    pool,
    async close() {
      await pool.close()
      await files.remove()
    },
  }
}

/** Returns a logger that leaves out the request's headers, which the form parser logs at the level `trace`. */
export function quiet(logger: Logger): Logger {
  return logger.child({}, { serializers: { busboyOptions: () => 'not logged' } }) as Logger
}
