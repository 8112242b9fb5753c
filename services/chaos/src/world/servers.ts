import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { freePort } from '@lapwing/dev-servers/free-port'
import { startObjectStore } from '@lapwing/dev-servers/object-store'
import { startPostgres } from '@lapwing/dev-servers/postgres'
import { startValkey } from '@lapwing/dev-servers/valkey'
import { Redis } from 'ioredis'

/** A server of its own for a run, that can go away and come back with what it had on disk. */
export interface Server {
  readonly port: number
  /** Ends it, at once or as ordered; what it was doing is lost as it would be. */
  stop(how: 'in order' | 'crash'): Promise<void>
  /** Starts it again on the same port; nothing where it runs. */
  start(): Promise<void>
}

export interface Servers {
  readonly postgres: Server & {
    /** Address of the owner, past every proxy. */
    readonly url: string
  }
  readonly redis: Server & {
    readonly url: string
    /** FLUSHALL; nothing where it is away. */
    wipe(): Promise<void>
  }
  readonly store: Server & {
    readonly url: string
    readonly region: string
    readonly bucket: string
    readonly accessKeyId: string
    readonly secretAccessKey: string
  }
  stop(): Promise<void>
}

/**
 * Postgres, Valkey and versitygw in folders below `dir`, all of them as durable as in production: a
 * trial that kills one of them asks what is left afterwards.
 */
export async function startServers(dir: string, toolsDir: string): Promise<Servers> {
  const keys = { accessKeyId: 'chaos', secretAccessKey: randomBytes(18).toString('base64url') }
  const bucket = 'chaos'
  const started: { stop(how: 'crash'): Promise<void> }[] = []
  const stop = async () => {
    await Promise.all(started.map(server => server.stop('crash')))
  }
  const remember = <S extends { stop(how: 'crash'): Promise<void> }>(server: S): S => {
    started.push(server)
    return server
  }
  try {
    const postgres = remember(
      await restartable(port => startPostgres({ dir: join(dir, 'postgres'), port }), 'SIGQUIT'),
    )
    const redis = remember(
      await restartable(port => startValkey({ dir: join(dir, 'valkey'), toolsDir, port }), 'SIGKILL'),
    )
    const store = remember(
      await restartable(
        port => startObjectStore({ dir: join(dir, 'store'), toolsDir, ...keys, bucket, port }),
        'SIGKILL',
      ),
    )
    return {
      postgres,
      redis: { ...redis, wipe: () => flushAll(redis.url) },
      store: { ...store, region: store.first.region, bucket, ...keys },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function flushAll(url: string): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: null, connectTimeout: 1_000 })
  redis.on('error', () => {})
  try {
    await redis.connect()
    await redis.flushall()
  } catch {
    // It is away already, which is worse.
  } finally {
    redis.disconnect()
  }
}

interface Running {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly exited: Promise<void>
  stop(): Promise<void>
}

/** @param crashSignal ends the server as a crash does; SIGQUIT has Postgres end all its processes at once */
async function restartable<R extends Running>(
  start: (port: number) => Promise<R>,
  crashSignal: NodeJS.Signals,
): Promise<Server & { readonly url: string; readonly first: R }> {
  const port = await freePort()
  let running: R | null = null
  const run = async (): Promise<R> => {
    const started = await start(port)
    running = started
    // One that ends unasked is started by whoever wants it next.
    void started.exited.then(() => {
      if (running === started) running = null
    })
    return started
  }
  const first = await run()
  // One at a time: two faults of a wave may want the same server.
  let last: Promise<void> = Promise.resolve()
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    last = last.then(work, work)
    return last
  }
  return {
    url: first.url,
    port,
    first,
    stop: how =>
      inTurn(async () => {
        const ending = running
        running = null
        if (ending === null) return
        if (how === 'in order') return ending.stop()
        process.kill(ending.pid, crashSignal)
        await ending.exited
      }),
    start: () =>
      inTurn(async () => {
        if (running === null) await run()
      }),
  }
}
