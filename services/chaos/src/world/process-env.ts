import { serviceUrl } from '@lapwing/db'
import type { Link, ProcessName } from '../plan/wave-plan.ts'
import type { FaultProxy } from '../proxy/fault-proxy.ts'
import type { Servers } from './servers.ts'

/** Returns the environment of a process; each dependency has the address of its link's proxy. */
export function processEnv(options: {
  readonly name: ProcessName
  readonly port: number
  readonly links: Readonly<Record<Link, FaultProxy>>
  readonly servers: Servers
  readonly internalKey: string
  readonly tempDir: string
  readonly password: string
}): Record<string, string> {
  const { name, port, links, servers, internalKey, tempDir, password } = options
  const service = name.startsWith('worker') ? 'ingest' : name
  const linkTo = (target: string): string | null => {
    const proxy: FaultProxy | undefined = links[`${name} > ${target}` as Link]
    return proxy === undefined ? null : `127.0.0.1:${proxy.port}`
  }
  const database = new URL(servers.postgres.url)
  database.host = linkTo('postgres')!
  return {
    HOST: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'info',
    DRAIN_MS: '2000',
    TMPDIR: tempDir,
    INTERNAL_KEY: internalKey,
    DATABASE_URL: serviceUrl(database.href, { service, password }),
    ...(name.startsWith('worker') ? workerEnv : {}),
    ...address('REDIS_URL', 'redis', linkTo('redis')),
    ...address('UPLOAD_URL', 'http', linkTo('upload')),
    ...address('LEADERBOARD_URL', 'http', linkTo('leaderboard')),
    ...address('S3_ENDPOINT', 'http', linkTo('store')),
    // The address for browsers. The chaos client ignores it and uses its own proxy.
    S3_PUBLIC_ENDPOINT: `http://127.0.0.1:${links['client > store'].port}`,
    S3_BUCKET: servers.store.bucket,
    S3_REGION: servers.store.region,
    S3_ACCESS_KEY_ID: servers.store.accessKeyId,
    S3_SECRET_ACCESS_KEY: servers.store.secretAccessKey,
  }
}

/** Longer than any fault: an attempt that was delayed between series and laps still finds its series. */
export const ORPHAN_MS = 30_000

/** Shorter than in production, so that a fault of seconds outlasts a lease. */
const workerEnv = {
  INGEST_THREADS: '1',
  INGEST_LEASE_MS: '3000',
  INGEST_SWEEP_MS: '1000',
  INGEST_ORPHAN_MS: String(ORPHAN_MS),
}

function address(variable: string, scheme: string, host: string | null): Record<string, string> {
  return host === null ? {} : { [variable]: `${scheme}://${host}` }
}
