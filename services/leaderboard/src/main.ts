import { createLogger, runService } from '@lapwing/http'
import { buildApp } from './app.ts'
import { loadConfig } from './config.ts'
import { createDeps } from './deps.ts'

await runService(async () => {
  const config = loadConfig(process.env)
  const logger = createLogger('leaderboard', config.logLevel)
  const deps = createDeps(config, logger)
  const app = buildApp(deps, logger)
  app.addHook('onClose', () => deps.close())
  return { app, config }
})
