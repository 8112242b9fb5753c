import { readEnv } from '@lapwing/config'
import { addHealth, createApp, createLogger, listenEnv, runService } from '@lapwing/http'

/** A server that is not a Lapwing process. */
export interface Server {
  readonly exited: Promise<void>
  stop(): Promise<void>
}

/**
 * Makes a server a part of the stack. It answers `/readyz` for the server, stops it in good order, and exits
 * when the server does. The supervisor of this process then starts both again.
 */
export async function runBeside(name: string, start: () => Promise<Server>): Promise<void> {
  await runService({
    name,
    loadConfig: env => readEnv(listenEnv(0), env),
    async start(config) {
      const app = createApp({ service: name, errors: {}, logger: createLogger(name, config.logLevel) })
      addHealth(app)
      const server = await start()
      let isStopping = false
      void server.exited.then(() => {
        if (!isStopping) process.exit(1)
      })
      app.addHook('onClose', async () => {
        isStopping = true
        await server.stop()
      })
      return app
    },
  })
}
