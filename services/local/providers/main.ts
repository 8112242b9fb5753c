import { readEnv, text } from '@lapwing/config'
import { createProviders } from '@lapwing/dev-servers/providers'
import { createLogger, listenEnv, runService } from '@lapwing/http'

await runService({
  name: 'providers',
  loadConfig: env =>
    readEnv(
      {
        ...listenEnv(8087),
        // The providers accept any address without proof, so no other machine should reach them.
        host: text('HOST', { about: 'Address to listen on.', fallback: '127.0.0.1' }),
        publicOrigin: text('PUBLIC_ORIGIN', {
          about: 'Origin that people return to after sign-in, if it is not this machine.',
          example: 'http://192.168.1.20:8080',
          fallback: '',
        }),
      },
      env,
    ),
  async start(config) {
    const logger = createLogger('providers', config.logLevel)
    const redirectOrigins = config.publicOrigin === '' ? [] : [config.publicOrigin]
    return createProviders({ now: Date.now, logger, redirectOrigins })
  },
})
