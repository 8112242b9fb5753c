import { integer, optional, readEnv, text, url } from '@lapwing/config'
import { databaseEnv } from '@lapwing/db'
import { listenEnv } from '@lapwing/http'

export type Config = ReturnType<typeof loadConfig>
export type StoreConfig = ReturnType<typeof loadStoreConfig>

type Env = Readonly<Record<string, string | undefined>>

const stores = {
  ...databaseEnv('leaderboard'),
  redisUrl: optional(
    url('REDIS_URL', {
      schemes: ['redis:', 'rediss:'],
      about: 'Where windows of boards are cached; without it every read asks the database.',
      example: 'redis://redis:6379',
    }),
  ),
}

/** What the service needs. */
export function loadConfig(env: Env) {
  return readEnv(
    {
      ...listenEnv(8084),
      ...stores,
      poolSize: integer('DATABASE_POOL', {
        min: 1,
        max: 100,
        about: 'Connections to the database.',
        example: '10',
        fallback: 10,
      }),
      internalKey: text('INTERNAL_KEY', {
        about: 'Secret shared by the gateway and the services, at least 32 characters.',
        example: 'the output of: openssl rand -base64 48',
      }),
    },
    env,
  )
}

/** What the commands need. */
export function loadStoreConfig(env: Env) {
  return readEnv(stores, env)
}
