import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { provision, serviceUrl } from '@lapwing/db'
import { freePort } from '@lapwing/dev-servers/free-port'
import type { Addresses } from '../client/driver-client.ts'
import { LINKS, type Link, PROCESSES, type ProcessName } from '../plan/wave-plan.ts'
import { type FaultProxy, startFaultProxy } from '../proxy/fault-proxy.ts'
import { processEnv } from './process-env.ts'
import { runToEnd } from './run-to-end.ts'
import { type Servers, startServers } from './servers.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'

/** The environment of a wave: real servers, the real services, and a proxy on every link between them. */
export interface World {
  readonly servers: Servers
  readonly links: Readonly<Record<Link, FaultProxy>>
  readonly processes: Readonly<Record<ProcessName, ServiceProcess>>
  /** Addresses for a driver's client, through the proxies. */
  readonly addresses: Addresses
  /** Addresses of the processes without the proxies. */
  readonly direct: Readonly<Record<ProcessName, string>>
  readonly internalKey: Uint8Array
  /** Where the worker stores fetched files. */
  readonly tempDirs: readonly string[]
  readonly rootDir: string
  /** Password of every service's database role. */
  readonly rolePassword: string
  /** Logs of every part; kept until the world ends. */
  readonly logDir: string
  /** Environment of a process, to run its other commands with. */
  env(process: ProcessName): Readonly<Record<string, string>>
  /** Resolves when every process answers that it is ready. */
  ready(signal: AbortSignal): Promise<void>
  stop(): Promise<void>
}

const rootDir = join(import.meta.dirname, '../../../..')

/** Password of every service's role; the database is deleted with the world. */
const password = 'chaos'

const entries: Readonly<Record<ProcessName, string>> = {
  upload: 'services/upload/src/main.ts',
  ingest: 'services/ingest/src/main.ts',
  'worker-a': 'services/ingest/src/worker.ts',
  'worker-b': 'services/ingest/src/worker.ts',
  leaderboard: 'services/leaderboard/src/main.ts',
}

const schemas = ['upload', 'ingest', 'leaderboard']

export async function startWorld({
  say,
  extra = {},
}: {
  readonly say: (line: string) => void
  /** Further variables of single processes. */
  readonly extra?: Readonly<Partial<Record<ProcessName, Readonly<Record<string, string>>>>>
}): Promise<World> {
  const dir = mkdtempSync(join(tmpdir(), 'lapwing-chaos-'))
  const logDir = join(dir, 'logs')
  mkdirSync(logDir)
  const started: { stop(): Promise<void> }[] = []
  const stop = async () => {
    for (const part of started.toReversed()) await part.stop()
    rmSync(dir, { recursive: true, force: true })
  }
  try {
    const servers = await startServers(dir, join(rootDir, '.tools'))
    started.push(servers)
    await provision(
      servers.postgres.url,
      schemas.map(service => ({ service, password })),
    )

    const ports = Object.fromEntries(
      await Promise.all(PROCESSES.map(async name => [name, await freePort()] as const)),
    ) as Record<ProcessName, number>
    const targets: Readonly<Record<string, number>> = {
      ...ports,
      postgres: servers.postgres.port,
      redis: servers.redis.port,
      store: servers.store.port,
    }
    const links = Object.fromEntries(
      await Promise.all(
        LINKS.map(async link => [link, await startFaultProxy(targets[link.split(' > ')[1]!]!)] as const),
      ),
    ) as Record<Link, FaultProxy>
    started.push({
      stop: async () => void (await Promise.all(Object.values(links).map(link => link.close()))),
    })

    const internalKey = 'the key that all parts of a chaos world share'
    const tempDir = (name: ProcessName) => join(dir, 'tmp', name)
    const env = (name: ProcessName) => ({
      ...processEnv({
        name,
        port: ports[name],
        links,
        servers,
        internalKey,
        tempDir: tempDir(name),
        password,
      }),
      ...extra[name],
    })
    for (const name of PROCESSES) mkdirSync(tempDir(name), { recursive: true })
    for (const name of ['upload', 'ingest', 'leaderboard'] as const) {
      const owner = new URL(servers.postgres.url)
      await runToEnd(join(rootDir, `services/${name}/src/migrate.ts`), {
        ...env(name),
        DATABASE_URL: serviceUrl(owner.href, { service: name, password }),
      })
    }

    const direct = Object.fromEntries(
      PROCESSES.map(name => [name, `http://127.0.0.1:${ports[name]}`]),
    ) as Record<ProcessName, string>
    const processes = Object.fromEntries(
      PROCESSES.map(name => {
        const entry = join(rootDir, entries[name])
        return [name, startServiceProcess({ name, entry, env: env(name), url: direct[name], logDir, say })]
      }),
    ) as unknown as Record<ProcessName, ServiceProcess>
    started.push({
      stop: async () => void (await Promise.all(Object.values(processes).map(one => one.stop()))),
    })
    const world: World = {
      servers,
      links,
      processes,
      direct,
      addresses: {
        upload: `http://127.0.0.1:${links['client > upload'].port}`,
        ingest: `http://127.0.0.1:${links['client > ingest'].port}`,
        leaderboard: `http://127.0.0.1:${links['client > leaderboard'].port}`,
        store: `http://127.0.0.1:${links['client > store'].port}`,
      },
      internalKey: new TextEncoder().encode(internalKey),
      tempDirs: PROCESSES.map(tempDir),
      rootDir,
      rolePassword: password,
      logDir,
      env,
      ready: async signal => {
        await Promise.all(Object.values(processes).map(one => one.ready(signal)))
      },
      stop,
    }
    await world.ready(AbortSignal.timeout(60_000))
    return world
  } catch (error) {
    await stop()
    throw error
  }
}
