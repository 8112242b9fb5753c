import { collectLess } from '@lapwing/files/collect-less'
import { createLogger, runService } from '@lapwing/http'
import { buildApp } from './app.ts'
import { loadConfig } from './config.ts'
import { createDeps } from './deps.ts'

collectLess()
await runService(async () => {
  const config = loadConfig(process.env)
  const deps = await createDeps(config, createLogger('preview', config.logLevel))
  // Also where the process ends without closing the app: a drain that took too long, a fatal error.
  process.once('exit', deps.files.removeNow)
  return { app: await buildApp(deps), config }
})
