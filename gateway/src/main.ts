import { createLogger, runService } from '@lapwing/http'
import { buildApp } from './app.ts'
import { loadConfig } from './config.ts'
import { openUpstream } from './upstream.ts'

await runService(async () => {
  const config = loadConfig(process.env)
  const upstreams = { preview: openUpstream(config.previewUrl) }
  const app = await buildApp({ config, logger: createLogger('gateway', config.logLevel), upstreams })
  app.addHook('onClose', async () => {
    await Promise.all(Object.values(upstreams).map(upstream => upstream.close()))
  })
  return { app, config }
})
