import { collectLess } from '@lapwing/files/collect-less'
import { createLogger, runService } from '@lapwing/http'
import { loadWorkerConfig } from './config.ts'
import { startWorker } from './start-worker.ts'

/** The process that judges files: `start-worker.ts` says what it is made of. */
collectLess()
await runService(async () => {
  const config = loadWorkerConfig(process.env)
  const { app, files } = await startWorker(config, createLogger('ingest-worker', config.logLevel))
  // Also where the process ends without closing the app: a drain that took too long, a fatal error.
  process.once('exit', files.removeNow)
  return { app, config }
})
