import { integer, readEnv, text } from '@lapwing/config'
import { databaseEnv } from '@lapwing/db'
import { listenEnv } from '@lapwing/http'
import { storeEnv } from '@lapwing/object-store'
import { MAX_FILE_BYTES } from './uploads/upload-limits.ts'

type Env = Readonly<Record<string, string | undefined>>

const database = databaseEnv('upload')

/** Of the migration, which needs nothing else. */
export function loadDatabaseConfig(env: Env) {
  return readEnv(database, env)
}

export type Config = ReturnType<typeof loadConfig>

export function loadConfig(env: Env) {
  return readEnv(
    {
      ...listenEnv(8082),
      ...database,
      poolSize: integer('DATABASE_POOL', {
        min: 1,
        max: 100,
        about: 'Connections to the database.',
        example: '10',
        fallback: 10,
      }),
      ...storeEnv,
      internalKey: text('INTERNAL_KEY', {
        about: 'Secret shared by the gateway and the services, at least 32 characters.',
        example: 'the output of: openssl rand -base64 48',
      }),
      keepDays: integer('KEEP_DAYS', {
        min: 1,
        max: 36_500,
        about: 'Days for which a file is kept after its upload.',
        example: '30',
        fallback: 30,
      }),
      maxKeptBytes: integer('MAX_KEPT_BYTES', {
        // Whoever has nothing kept may send any file there may be.
        min: MAX_FILE_BYTES,
        max: Number.MAX_SAFE_INTEGER,
        about: 'Bytes of uploads that one person may have kept or under way.',
        example: '214748364800',
        // As many files as one drives: a car on the track day and night for a month records less.
        fallback: 200 * 1024 ** 3,
      }),
      sweepSeconds: integer('SWEEP_SECONDS', {
        min: 1,
        max: 86_400,
        about: 'Seconds between two sweeps for what nobody needs any more.',
        example: '60',
        fallback: 60,
      }),
    },
    env,
  )
}
