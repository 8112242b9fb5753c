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
  return redis
}

export interface AbsenceLog {
  readonly onError: (error: Error) => void
  readonly onReady: () => void
}

/**
 * Logs once that Redis is away, and once that it is back. Further errors in between are logged at level
 * `debug`.
 */
export function logAbsence(logger: Logger, what = 'redis'): AbsenceLog {
  let wasAway = false
  return {
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
