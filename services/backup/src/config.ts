import { base64Key, integer, optional, readEnv, text, url, type Variable } from '@lapwing/config'
import type { BucketAddress } from '@lapwing/object-store'
import { bucketAddress, storeEnv } from '@lapwing/object-store/store-env'
import { BOARD_SCHEMAS, type Schema } from './schemas.ts'

type Env = Readonly<Record<string, string | undefined>>

/** What an installation stores, and where. */
export interface Installation {
  /** Address of each schema that exists, with the role of its service. */
  readonly databases: ReadonlyMap<Schema, URL>
  /** Null without boards. */
  readonly bucket: BucketAddress | null
  readonly keyEncryptionKey: Buffer
}

export type Config = ReturnType<typeof loadConfig>

/** Reads the variables of `backup.ts` and `restore.ts`. Without the databases of boards there are no boards. */
export function loadConfig(env: Env) {
  const { identity, account, keyEncryptionKey, redisUrl, queueRedisUrl, ...config } = readEnv(
    { ...accountsEnv, ...eachOptional(boardsEnv) },
    env,
  )
  const accounts: readonly [Schema, URL][] = [
    ['identity', identity],
    ['account', account],
  ]
  const { dir, keep, timeoutMinutes, version } = config
  return {
    dir,
    keep,
    timeoutMinutes,
    version,
    redisUrls: [redisUrl, queueRedisUrl].filter(address => address !== null),
    installation: { keyEncryptionKey, ...withBoards(accounts, env) } satisfies Installation,
  }
}

/** Reads the variables of `restore.ts --check`, which needs no server. */
export function loadCheckConfig(env: Env) {
  return readEnv({ dir: accountsEnv.dir, keyEncryptionKey: optional(keyEncryptionKey) }, env)
}

function withBoards(accounts: readonly [Schema, URL][], env: Env) {
  if (BOARD_SCHEMAS.every(schema => !env[boardsEnv[schema].name])) {
    return { databases: new Map(accounts), bucket: null }
  }
  const boards = readEnv(boardsEnv, env)
  const databases = new Map([...accounts, ...BOARD_SCHEMAS.map(schema => [schema, boards[schema]] as const)])
  return { databases, bucket: bucketAddress(boards) }
}

const databaseUrl = (schema: Schema) =>
  url(`${schema.toUpperCase()}_DATABASE_URL`, {
    schemes: ['postgres:', 'postgresql:'],
    about: `The database, with the role of ${schema}.`,
    example: `postgres://${schema}:secret@postgres:5432/lapwing`,
  })

const redisUrl = (name: string, what: string) =>
  optional(
    url(name, {
      schemes: ['redis:', 'rediss:'],
      about: `The Redis of ${what}, which a restore empties.`,
      example: 'redis://redis:6379',
    }),
  )

const keyEncryptionKey = base64Key('KEY_ENCRYPTION_KEY', {
  about: 'The key of identity, 32 bytes in base64. A backup holds its name and never the key.',
  example: 'the output of: openssl rand -base64 32',
})

const accountsEnv = {
  dir: text('BACKUP_DIR', { about: 'Folder with one folder for each backup.', example: '/backups' }),
  keep: integer('KEEP_BACKUPS', {
    min: 1,
    max: 1_000,
    about: 'Number of whole backups that stay; older ones are deleted.',
    fallback: 14,
  }),
  timeoutMinutes: integer('TIMEOUT_MINUTES', {
    min: 1,
    max: 10_080,
    about: 'Minutes after which a backup or a restore is given up.',
    fallback: 720,
  }),
  version: text('LAPWING_VERSION', {
    about: 'Version of Lapwing, for the manifest.',
    example: '0.1.0',
    fallback: 'unknown',
  }),
  identity: databaseUrl('identity'),
  account: databaseUrl('account'),
  keyEncryptionKey,
  redisUrl: redisUrl('REDIS_URL', 'the caches'),
  queueRedisUrl: redisUrl('QUEUE_REDIS_URL', 'the queue'),
}

/** All or none of them. */
const boardsEnv = {
  upload: databaseUrl('upload'),
  ingest: databaseUrl('ingest'),
  leaderboard: databaseUrl('leaderboard'),
  ...storeEnv,
}

function eachOptional<Spec extends Readonly<Record<string, Variable<unknown>>>>(spec: Spec) {
  return Object.fromEntries(Object.entries(spec).map(([name, variable]) => [name, optional(variable)]))
}
