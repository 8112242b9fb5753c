import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { freePort } from '@lapwing/dev-servers/free-port'
import { startObjectStore } from '@lapwing/dev-servers/object-store'
import { startPostgres } from '@lapwing/dev-servers/postgres'
import { startValkey } from '@lapwing/dev-servers/valkey'
import { Redis } from 'ioredis'

/** A server of the run that can stop and restart with its data on disk. */
export interface Server {
  readonly port: number
  /** Stops it in order or by a crash; work in progress is lost. */
  stop(how: 'in order' | 'crash'): Promise<void>
  /** Starts it again on the same port; does nothing if it runs. */
  start(): Promise<void>
}

export interface Servers {
  readonly postgres: Server & {
    /** The owner's address, without a proxy. */
    readonly url: string
  }
  readonly redis: Server & {
    readonly url: string
    /** FLUSHALL; does nothing if Redis is down. */
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
 * Starts Postgres, Valkey and versitygw in folders below `dir`. All are as durable as in production, because
 * trials check the data after a kill.
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
    // Redis is down already, which is the harder fault.
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

/**
 * @param crashSignal ends the server like a crash; SIGQUIT makes Postgres end all its processes immediately
 */
async function restartable<R extends Running>(
  start: (port: number) => Promise<R>,
  crashSignal: NodeJS.Signals,
): Promise<Server & { readonly url: string; readonly first: R }> {
  const port = await freePort()
  let running: R | null = null
  const run = async (): Promise<R> => {
    const started = await start(port)
    running = started
    // A server that ends unasked is restarted by the next `start`.
    void started.exited.then(() => {
      if (running === started) running = null
    })
    return started
  }
  const first = await run()
  // One change at a time: two faults of a wave can concern the same server.
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
