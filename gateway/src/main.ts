import { createLogger, runService } from '@lapwing/http'
import { buildApp } from './app.ts'
import { loadConfig } from './config.ts'
import { createDeps } from './deps.ts'

await runService({
  name: 'gateway',
  isEdge: true,
  loadConfig,
  async start(config) {
    const logger = createLogger('gateway', config.logLevel)
    const deps = createDeps(config, logger)
    const app = await buildApp({ config, logger, ...deps })
    app.addHook('onClose', () => deps.close())
    return app
  },
})
