import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import type { TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type { ErrorTable } from '../app-error.ts'
import { type AppOptions, createApp } from '../create-app.ts'
import { createLogger } from '../logger.ts'

export const errors: ErrorTable = {
  'demo.not_found': { status: 404, title: 'Not found', detail: 'Nothing is here.' },
  'demo.bad_request': { status: 400, title: 'Bad request', detail: 'That is not well formed.' },
  'demo.busy': { status: 503, title: 'Busy', detail: 'Please come back.' },
  'demo.full': { status: 409, title: 'Full', detail: 'There is no room.' },
  'demo.failed': { status: 500, title: 'Failed', detail: 'Something went wrong on our side.' },
}

export interface DemoApp {
  readonly app: FastifyInstance
  /** Every line logged so far. */
  readonly logs: Record<string, unknown>[]
  /** Listens on a free port and returns it. */
  readonly listen: () => Promise<number>
}

/** Returns the app of a service called `demo`, which closes with the test. */
export function demoApp(t: TestContext, options: Partial<AppOptions> = {}): DemoApp {
  const logs: Record<string, unknown>[] = []
  const logger = createLogger('demo', 'trace', { write: line => logs.push(JSON.parse(line)) })
  const app = createApp({ service: 'demo', errors, logger, ...options })
  t.after(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  return {
    app,
    logs,
    async listen() {
      await app.listen({ host: '127.0.0.1', port: 0 })
      return (app.server.address() as AddressInfo).port
    },
  }
}

/** Sends bytes and reads until the peer closes, `until` holds, or nothing came for five seconds. */
export function rawExchange(port: number, bytes: string, until?: (text: string) => boolean): Promise<string> {
  return new Promise(resolve => {
    const socket = connect({ port, host: '127.0.0.1' })
    let text = ''
    const finish = () => {
      socket.destroy()
      resolve(text)
    }
    socket.setTimeout(5_000, finish)
    socket.on('data', chunk => {
      text += chunk.toString('latin1')
      if (until?.(text)) finish()
    })
    socket.on('error', finish)
    socket.on('close', finish)
    socket.write(bytes)
  })
}
