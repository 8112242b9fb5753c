import { readEnv } from '@lapwing/config'
import { addHealth, createApp, createLogger, listenEnv, runService } from '../index.ts'

/** A process that starts like every service. `MODE` selects what goes wrong. */
await runService({
  name: 'demo',
  loadConfig: env => readEnv(listenEnv(0), env),
  start(config) {
    const app = createApp({ service: 'demo', errors: {}, logger: createLogger('demo', config.logLevel) })
    addHealth(app)
    app.get('/slow', async () => {
      process.stdout.write('entered\n')
      await new Promise(resolve => setTimeout(resolve, Number(process.env.SLOW_MS ?? 0)))
      return 'done'
    })
    app.addHook('onClose', async () => {
      process.stdout.write('closed\n')
      if (process.env.MODE === 'close-fails') throw new Error('the pool did not close')
    })
    return app
  },
})
