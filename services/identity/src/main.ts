import { createLogger, runService } from '@lapwing/http'
import { buildApp } from './app.ts'
import { loadConfig } from './config.ts'
import { createDeps } from './deps.ts'
import { startSweeper } from './sweep.ts'

await runService(async () => {
  const config = loadConfig(process.env)
  const logger = createLogger('identity', config.logLevel)
  const deps = await createDeps(config, logger)
  const app = buildApp(deps, logger)
  const stopSweeper = startSweeper({ db: deps.db, now: deps.now, logger })
  app.addHook('onClose', async () => {
    stopSweeper()
    await deps.close()
  })
  deps.mailSender.wake()
  return { app, config }
})
