import { integer, optional, readEnv } from '@lapwing/config'
import { internalKeyEnv, poolEnv, serviceUrl } from '@lapwing/config/shared-env'
import { databaseEnv } from '@lapwing/db'
import { listenEnv } from '@lapwing/http/listen-env'
import { storeEnv } from '@lapwing/object-store/store-env'
import { ibtLimits } from '@lapwing/telemetry'

type Env = Readonly<Record<string, string | undefined>>

const database = databaseEnv('upload')

const GIB = 1024 ** 3

function quota(name: string, { about, fallback }: { about: string; fallback?: number }) {
  return integer(name, {
    // The quota must hold at least one file of any size until it is judged.
    min: ibtLimits.MAX_FILE_BYTES,
    max: Number.MAX_SAFE_INTEGER,
    about,
    example: '2147483648',
    ...(fallback !== undefined && { fallback }),
  })
}

/** Reads the variables of the migration, which needs only the database. */
export function loadDatabaseConfig(env: Env) {
  return readEnv(database, env)
}

export type Config = ReturnType<typeof loadConfig>

export function loadConfig(env: Env) {
  return readEnv(
    {
      ...listenEnv(8082),
      ...database,
      ...poolEnv,
      ...storeEnv,
      ...internalKeyEnv,
      keepDays: integer('KEEP_DAYS', {
        min: 1,
        max: 36_500,
        about: 'Days for which a file is stored after its upload.',
        fallback: 30,
      }),
      maxBytesOfAccount: quota('MAX_KEPT_BYTES', {
        about: 'Quota of one account: bytes of its stored files. Above it the oldest are removed first.',
        fallback: 2 * GIB,
      }),
      maxBytesOfNetwork: quota('MAX_KEPT_BYTES_NETWORK', {
        about: 'Quota of all accounts of one IPv4 address or IPv6 /64 together.',
        fallback: 10 * GIB,
      }),
      maxBytesInAll: optional(
        quota('MAX_KEPT_BYTES_TOTAL', {
          about: 'Quota of all accounts together; unlimited without it.',
        }),
      ),
      ingestUrl: optional(
        serviceUrl(
          'INGEST_URL',
          'Address of ingest, which knows the judged files; these stay. Without it no file counts as judged.',
          'http://ingest:8083',
        ),
      ),
      sweepSeconds: integer('SWEEP_SECONDS', {
        min: 1,
        max: 86_400,
        about: 'Seconds between two sweeps, which remove what is no longer needed.',
        fallback: 60,
      }),
    },
    env,
  )
}
