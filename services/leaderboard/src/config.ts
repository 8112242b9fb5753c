import { optional, readEnv } from '@lapwing/config'
import { internalKeyEnv, poolEnv, redisEnv } from '@lapwing/config/shared-env'
import { databaseEnv } from '@lapwing/db'
import { listenEnv } from '@lapwing/http'

export type Config = ReturnType<typeof loadConfig>
export type StoreConfig = ReturnType<typeof loadStoreConfig>

type Env = Readonly<Record<string, string | undefined>>

const cacheUse = 'Where windows of boards are cached; without it every read asks the database.'
const stores = {
  ...databaseEnv('leaderboard'),
  redisUrl: optional(redisEnv(cacheUse).redisUrl),
}

/** What the service needs. */
export function loadConfig(env: Env) {
  return readEnv({ ...listenEnv(8084), ...stores, ...poolEnv, ...internalKeyEnv }, env)
}

/** What the commands need. */
export function loadStoreConfig(env: Env) {
  return readEnv(stores, env)
}
