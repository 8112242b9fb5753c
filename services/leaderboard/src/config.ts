import { optional, readEnv } from '@lapwing/config'
import { internalKeyEnv, poolEnv, redisEnv } from '@lapwing/config/shared-env'
import { databaseEnv } from '@lapwing/db'
import { listenEnv } from '@lapwing/http/listen-env'

export type Config = ReturnType<typeof loadConfig>

type Env = Readonly<Record<string, string | undefined>>

const cacheUse = 'The Redis that caches windows of boards; without it every read asks the database.'
const stores = {
  ...databaseEnv('leaderboard'),
  redisUrl: optional(redisEnv(cacheUse).redisUrl),
}

/** Reads the variables of the service. */
export function loadConfig(env: Env) {
  return readEnv({ ...listenEnv(8084), ...stores, ...poolEnv, ...internalKeyEnv }, env)
}

/** Reads the variables of the operator's commands. */
export function loadStoreConfig(env: Env) {
  return readEnv(stores, env)
}
