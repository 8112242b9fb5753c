import { createLogger, runService } from '@lapwing/http'
import { buildApp } from './app.ts'
import { loadConfig } from './config.ts'
import { createDeps } from './deps.ts'

await runService(async () => {
  const config = loadConfig(process.env)
  const logger = createLogger('gateway', config.logLevel)
  const deps = createDeps(config, logger)
  const app = await buildApp({ config, logger, ...deps })
  app.addHook('onClose', () => deps.close())
  return { name: 'gateway', app, config }
})
