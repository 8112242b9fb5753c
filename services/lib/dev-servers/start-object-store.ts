import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type BucketAddress, prepareBucket } from '@lapwing/object-store'
import { freePort } from './free-port.ts'
import { installObjectStore } from './install-object-store.ts'
import { type Child, startChild } from './start-child.ts'

export interface ObjectStoreOptions {
  /** Folder of its own for the objects. */
  readonly dir: string
  /** Where the program is kept; it is built there on first use, which takes minutes. */
  readonly toolsDir: string
  /** A free one is taken when left out. */
  readonly port?: number
  /** A further address of this machine to listen on, beside the loopback one. */
  readonly host?: string | undefined
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Made when it is not there; none when left out. */
  readonly bucket?: string
  /** Whose pages may post to the bucket. */
  readonly origins?: readonly string[]
  /** Gives the start up while the program is being built. */
  readonly signal?: AbortSignal
}

export interface RunningObjectStore {
  readonly url: string
  readonly region: string
  readonly port: number
  readonly pid: number
  readonly exited: Promise<void>
  stop(): Promise<void>
  /** As a crash would. */
  kill(): Promise<void>
}

/** versitygw on the loopback address: an S3 endpoint over a folder that enforces every condition of a POST policy. */
export async function startObjectStore(options: ObjectStoreOptions): Promise<RunningObjectStore> {
  const command = await installObjectStore(options.toolsDir, options.signal)
  const port = options.port ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const child = await start(command, options, port)
  try {
    await untilHealthy(url, child)
    if (options.bucket !== undefined) {
      const { bucket, accessKeyId, secretAccessKey, origins = [] } = options
      const address: BucketAddress = { endpoint: url, region: REGION, bucket, accessKeyId, secretAccessKey }
      await prepareBucket(address, { origins })
    }
  } catch (error) {
    await child.kill()
    throw error
  }
  return { ...child, port, url, region: REGION }
}

const REGION = 'us-east-1'

async function start(command: string, options: ObjectStoreOptions, port: number): Promise<Child> {
  const objects = join(options.dir, 'objects')
  // Beside the objects, where their folder cannot hold what is known of each.
  const facts = join(options.dir, 'facts')
  mkdirSync(objects, { recursive: true })
  const child = (backend: readonly string[]) =>
    startChild({
      command,
      args: [
        ...['127.0.0.1', ...(options.host === undefined ? [] : [options.host])].flatMap(host => [
          '--port',
          `${host}:${port}`,
        ]),
        ...['--region', REGION, '--health', '/health'],
        ...['posix', ...backend, objects],
      ],
      env: { ROOT_ACCESS_KEY_ID: options.accessKeyId, ROOT_SECRET_ACCESS_KEY: options.secretAccessKey },
      logFile: join(options.dir, 'versitygw.log'),
      ready: /service listening/,
      readyWithinMs: 15_000,
    })
  const beside = async () => {
    mkdirSync(facts, { recursive: true })
    return child(['--sidecar', facts])
  }
  // Once beside, always beside: the facts of the objects that are there already are in that folder.
  if (existsSync(facts)) return beside()
  try {
    return await child([])
  } catch (error) {
    if (/xattrs are not supported/.test(String(error))) return beside()
    throw error
  }
}

async function untilHealthy(url: string, child: Child): Promise<void> {
  let isOver = false
  void child.exited.then(() => {
    isOver = true
  })
  const givenUp = AbortSignal.timeout(15_000)
  while (!isOver && !givenUp.aborted) {
    const answer = await fetch(`${url}/health`, { signal: givenUp }).catch(() => null)
    await answer?.body?.cancel()
    if (answer?.ok) return
    await delay(20)
  }
  throw new Error('The object store does not answer.')
}
