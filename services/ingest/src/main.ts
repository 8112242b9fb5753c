import { createLogger, runService } from '@lapwing/http'
import { buildApp } from './app.ts'
import { loadConfig } from './config.ts'
import { createDeps } from './deps.ts'

await runService(async () => {
  const config = loadConfig(process.env)
  const deps = createDeps(config, createLogger('ingest', config.logLevel))
  const app = buildApp(deps)
  app.addHook('onClose', () => deps.close())
  return { app, config }
})
