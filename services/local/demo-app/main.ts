import { readEnv, text, url } from '@lapwing/config'
import { createLogger, listenEnv, runService } from '@lapwing/http'
import { buildDemoApp } from './app.ts'

await runService({
  name: 'demo-app',
  loadConfig: env =>
    readEnv(
      {
        ...listenEnv(8088),
        // It asks for no password of its own, so no other machine should reach it.
        host: text('HOST', { about: 'Address to listen on.', fallback: '127.0.0.1' }),
        appUrl: url('APP_URL', {
          schemes: ['http:'],
          about: 'Address at which a browser reaches this app.',
          example: 'http://127.0.0.1:8088',
        }),
        lapwingUrl: url('LAPWING_URL', {
          schemes: ['http:', 'https:'],
          about: 'Public origin of Lapwing.',
          example: 'http://localhost:8080',
        }),
      },
      env,
    ),
  async start(config) {
    const app = buildDemoApp({
      ...config,
      clientId: 'demo-app',
      logger: createLogger('demo-app', config.logLevel),
    })
    return app
  },
})
