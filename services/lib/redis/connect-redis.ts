import { Redis, type RedisOptions } from 'ioredis'
import type { Logger } from 'pino'

/** Connects in the background and retries for as long as it is open. */
export function connectRedis(url: URL, log: AbsenceLog, options: Omit<RedisOptions, 'replyMapping'>): Redis {
  const redis = new Redis(url.href, {
    connectTimeout: 1_000,
    // What was the primary is a replica now.
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

/** Warns once when Redis goes away, and says once that it is back; what fails in between is at level `debug`. */
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
