import { createLogger, runService } from '@lapwing/http'
import { buildApp } from './app.ts'
import { loadConfig } from './config.ts'
import { createDeps } from './deps.ts'
import { startSweeper } from './sweeping/start-sweeper.ts'

await runService(async () => {
  const config = loadConfig(process.env)
  const logger = createLogger('upload', config.logLevel)
  const deps = createDeps(config, logger)
  const app = buildApp(deps, logger)
  const sweeper = startSweeper({
    ...deps,
    logger,
    everyMs: config.sweepSeconds * 1000,
  })
  app.addHook('onClose', async () => {
    await sweeper.close()
    await deps.close()
  })
  return { app, config }
})
