/**
 * `make backup` and `make restore`: copies what `make run` stores into a folder, and back. A backup works beside a running
 * Lapwing; a restore needs it stopped. If nothing runs, the servers are started for this time.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SCHEMAS } from '@lapwing/backup/schemas'
import { openSecrets } from '@lapwing/config/secrets'
import { provision } from '@lapwing/db'
import { acquireRunLock } from '../run-lock.ts'
import { readRunOptions } from '../run-options.ts'
import { backupEnv, databaseEnv, type RuntimeEnvironment, serverParts } from '../stack.ts'
import { startStack } from '../start-stack.ts'
import { stopOnSignal } from '../stop-on-signal.ts'

const rootDir = join(import.meta.dirname, '../../..')
const say = (line: string) => console.log(line)
const signal = stopOnSignal(process, code => process.exit(code))

const COMMANDS = { backup: ['backup.ts'], restore: ['restore.ts'], check: ['restore.ts', '--check'] } as const

try {
  process.exitCode = await run(process.argv[2], process.argv.slice(3))
} catch (error) {
  if (!signal.aborted) console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function run(command: string | undefined, args: readonly string[]): Promise<number> {
  const { DIR } = process.env
  if (command === undefined || !Object.hasOwn(COMMANDS, command) || !DIR) {
    console.error('Name the folder of the backups: make backup DIR=../backups')
    return 2
  }
  const [file, ...flags] = COMMANDS[command as keyof typeof COMMANDS]
  const BACKUP_DIR = resolve(DIR)
  const runFile = (env: Readonly<Record<string, string | undefined>>) =>
    runToEnd([join(rootDir, 'services/backup/src', file), ...flags, ...args], { ...env, BACKUP_DIR })
  if (command === 'check') return runFile(process.env)

  const { dataDir } = readRunOptions(process.env, rootDir)
  mkdirSync(dataDir, { recursive: true })
  const lock = acquireRunLock(join(dataDir, 'run.lock'), {
    pid: process.pid,
    command: 'services/local/backup/main.ts',
  })
  if ('heldBy' in lock) {
    if (command === 'backup') return runFile({ ...process.env, ...backupEnv(environmentOf(dataDir)) })
    throw new Error(`Lapwing runs from this folder (process ${lock.heldBy.pid}). Stop it first.`)
  }
  try {
    const servers = await startStack({
      parts: serverParts,
      rootDir,
      dataDir,
      publicPort: 0,
      publicHost: '127.0.0.1',
      env: process.env,
      say,
      signal,
    })
    try {
      await servers.late
      const environment = environmentOf(dataDir)
      const owner = databaseEnv(environment, 'identity').DATABASE_OWNER_URL
      const roles = SCHEMAS.map(service => ({
        service,
        password: environment.secret(`${service} database password`),
      }))
      if (command === 'restore') await provision(owner, roles)
      return await runFile({ ...process.env, ...backupEnv(environment) })
    } finally {
      await servers.stop()
    }
  } finally {
    lock.release()
  }
}

/** The addresses and secrets of the servers that run from this folder. */
function environmentOf(dataDir: string): RuntimeEnvironment {
  return {
    rootDir,
    dataDir,
    urls: {},
    ports: JSON.parse(readFileSync(join(dataDir, 'ports.json'), 'utf8')),
    publicUrl: 'http://localhost',
    env: process.env,
    secret: openSecrets(join(dataDir, 'secrets.json')),
  }
}

/** Runs a command in this terminal. Returns its exit code. */
async function runToEnd(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: 'inherit' })
  const stop = () => child.kill('SIGTERM')
  signal.addEventListener('abort', stop)
  const [code] = (await once(child, 'exit')) as [number | null]
  signal.removeEventListener('abort', stop)
  return code ?? 1
}
