import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import type { RunningStack } from '@lapwing/local/start-stack'
import type { Reach, startPartOfStack } from './part-of-stack.ts'

/** A stack that several test files use at the same time, each with accounts and addresses of its own. */
export type SharedStack = Pick<RunningStack, 'url' | 'urls'>

export interface SharedStacks {
  /** Address that a test file asks for its stack; the value of `TEST_STACKS_URL`. */
  readonly url: string
  stop(): Promise<void>
}

/** Parts that test files share. The others start for one file. */
const shared: readonly Reach[] = ['page', 'accounts']

/**
 * Starts a server that answers `GET /page` and `GET /accounts` with a `SharedStack`. The first request for a
 * stack starts it. A stack that cannot start answers 500 with the reason. Requests to `/store/PORT` go to the
 * fake store at that port of this machine.
 */
export async function shareStacks(options: {
  readonly rootDir: string
  /** Folder for the data of the stacks. */
  readonly dir: string
  /** Folder of the built page. */
  readonly page: string
  readonly say: (line: string) => void
}): Promise<SharedStacks> {
  const stacks = new Map<Reach, Promise<RunningStack>>()
  const start: typeof startPartOfStack = async stack => {
    // Files that use a shared stack load this module too, without what starts one: that saves 0.3 s of CPU each.
    const { startPartOfStack } = await import('./part-of-stack.ts')
    return startPartOfStack(stack)
  }
  const stackOf = (reach: Reach) => {
    const stack =
      stacks.get(reach) ??
      start({
        reach,
        rootDir: options.rootDir,
        dataDir: join(options.dir, reach),
        publicPort: 0,
        publicHost: '127.0.0.1',
        env: { ...process.env, LOG_LEVEL: 'warn' },
        overrides: {
          gateway: { FRONTEND_DIR: options.page, TRUSTED_PROXIES: '127.0.0.1', S3_PUBLIC_ENDPOINT: url },
        },
        say: options.say,
      })
    stacks.set(reach, stack)
    return stack
  }
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const port = /^\/store\/(\d+)$/.exec(request.url ?? '')?.[1]
    if (port !== undefined) return forward(request, response, Number(port))
    const reach = shared.find(reach => request.url === `/${reach}`)
    if (reach === undefined) return response.writeHead(404).end()
    try {
      const { url, urls } = await stackOf(reach)
      response.end(JSON.stringify({ url, urls } satisfies SharedStack))
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.message : String(error))
    }
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    async stop() {
      server.closeAllConnections()
      server.close()
      const started = await Promise.allSettled(stacks.values())
      for (const stack of started) if (stack.status === 'fulfilled') await stack.value.stop()
    },
  }
}

/** Forwards a request to that port of this machine. If one side breaks the connection, so does the other. */
function forward(request: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, headers } = request
  const onward = send({ host: '127.0.0.1', port, method, headers }, answer => {
    response.writeHead(answer.statusCode!, answer.headers)
    // The handlers below report a broken connection.
    pipeline(answer, response, () => {})
  })
  onward.on('error', () => request.socket.destroy())
  response.once('close', () => onward.destroy())
  request.pipe(onward)
}

/** Returns the address of a fake store that the shared page may reach; null if this file has its own stack. */
export function sharedStoreUrl(storeUrl: string): string | null {
  const from = process.env.TEST_STACKS_URL
  return from ? `${from}/store/${new URL(storeUrl).port}` : null
}

/** Returns the shared stack with these parts; null if this file must start its own. */
export async function sharedStack(reach: Reach): Promise<SharedStack | null> {
  const from = process.env.TEST_STACKS_URL
  if (!from || !shared.includes(reach)) return null
  const answer = await fetch(`${from}/${reach}`, { signal: AbortSignal.timeout(120_000) })
  if (!answer.ok) throw new Error(`The shared stack is missing. ${await answer.text()}`)
  return (await answer.json()) as SharedStack
}
