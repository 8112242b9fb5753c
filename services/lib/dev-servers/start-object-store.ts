import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type BucketAddress, prepareBucket } from '@lapwing/object-store'
import { freePort } from './free-port.ts'
import { installObjectStore } from './install-object-store.ts'
import { type Child, startChild } from './start-child.ts'

export { isObjectStoreBuilt } from './install-object-store.ts'

export interface ObjectStoreOptions {
  /** A folder for the objects only. */
  readonly dir: string
  /** Folder of the program; it is built there on first use, which takes minutes. */
  readonly toolsDir: string
  /** A free port by default. */
  readonly port?: number
  /** A further address of this machine to listen on, beside the loopback one. */
  readonly host?: string | undefined
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Created if it does not exist; none by default. */
  readonly bucket?: string
  /** Origins of the pages that may post to the bucket. */
  readonly origins?: readonly string[]
  /** Cancels the start while the program is being built. */
  readonly signal?: AbortSignal
}

export interface RunningObjectStore extends Child {
  readonly url: string
  readonly region: string
  readonly port: number
}

/**
 * Starts versitygw on the loopback address: an S3 endpoint over a folder that enforces every condition of a
 * POST policy.
 */
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
  // Used if the file system cannot store the facts of an object in its file.
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
  // If the folder exists, the facts of the existing objects are in it.
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
