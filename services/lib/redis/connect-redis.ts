import { watchLevels } from '@lapwing/metrics'
import { Redis, type RedisOptions } from 'ioredis'
import type { Logger } from 'pino'

/** Connects in the background and retries until the connection is closed. */
export function connectRedis(url: URL, log: AbsenceLog, options: Omit<RedisOptions, 'replyMapping'>): Redis {
  const redis = new Redis(url.href, {
    connectTimeout: 1_000,
    // After a failover the former primary is a replica. A new connection reaches the new primary.
    reconnectOnError: error => error.message.startsWith('READONLY'),
    retryStrategy: attempt => Math.min(attempt * 50, 500),
    ...options,
  })
  redis.on('error', log.onError)
  redis.on('ready', log.onReady)
  const { use } = log
  const remove = watchLevels([
    {
      name: 'lapwing_redis_up',
      help: 'Whether the connection to Redis works (1) or not (0).',
      labels: ['use'],
      read: () => [{ labels: { use }, value: redis.status === 'ready' ? 1 : 0 }],
    },
  ])
  redis.once('end', remove)
  return redis
}

/** `cache`: what may be lost. `queue` adds jobs, `jobs` receives them. */
export type RedisUse = 'cache' | 'queue' | 'jobs'

export interface AbsenceLog {
  readonly use: RedisUse
  readonly onError: (error: Error) => void
  readonly onReady: () => void
}

/**
 * Logs once that Redis is away, and once that it is back. Further errors in between are logged at level
 * `debug`.
 */
export function logAbsence(logger: Logger, use: RedisUse = 'cache'): AbsenceLog {
  const what = use === 'cache' ? 'redis' : 'the queue'
  let wasAway = false
  return {
    use,
    onError(error) {
      logger[wasAway ? 'debug' : 'warn']({ err: error }, `${what} cannot be reached`)
      wasAway = true
    },
    onReady() {
      if (wasAway) logger.info(`${what} is back`)
      wasAway = false
    },
  }
}
