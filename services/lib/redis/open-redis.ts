import { Redis } from 'ioredis'
import type { Logger } from 'pino'

/** A Redis that may be away at any moment, used by those who can do without it. */
export interface SharedRedis {
  /**
   * Runs a command. Rejects when no answer came within 250 ms, and at once while Redis is known to
   * be away. A command that was rejected may still have been carried out; it is not sent again.
   */
  readonly run: <Answer>(command: (redis: Redis) => Promise<Answer>) => Promise<Answer>
  readonly isUp: () => boolean
  readonly close: () => void
}

/** Connects in the background and goes on trying for as long as it is open. */
export function openRedis(url: URL, logger: Logger): SharedRedis {
  const redis = new Redis(url.href, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // Of the handshake alone; `run` has a shorter one of its own.
    commandTimeout: 1_000,
    connectTimeout: 1_000,
    disconnectTimeout: 100,
    // What was the primary is a replica now.
    reconnectOnError: error => error.message.startsWith('READONLY'),
    retryStrategy: attempt => Math.min(attempt * 50, 500),
  })
  let isUp = false
  let wasAway = false
  redis.on('error', error => {
    if (!wasAway) logger.warn({ err: error }, 'redis cannot be reached')
    wasAway = true
  })
  redis.on('close', () => {
    isUp = false
  })
  redis.on('ready', () => {
    if (wasAway) logger.info('redis is back')
    isUp = true
    wasAway = false
  })

  return {
    async run(command) {
      if (!isUp) throw new Error('redis is away')
      const silence = Promise.withResolvers<never>()
      // A process that was busy itself finds its timers due before it has read what came meanwhile.
      const timer = setTimeout(() => setImmediate(() => silence.reject(new SilenceError())), ANSWER_WITHIN_MS)
      try {
        return await Promise.race([command(redis), silence.promise])
      } catch (error) {
        // Connected and silent is away, too. While it is reached anew, others need not wait for it.
        if (error instanceof SilenceError && isUp) {
          isUp = false
          redis.disconnect(true)
        }
        throw error
      } finally {
        clearTimeout(timer)
      }
    },
    isUp: () => isUp,
    close: () => redis.disconnect(),
  }
}

const ANSWER_WITHIN_MS = 250

class SilenceError extends Error {
  constructor() {
    super(`redis did not answer within ${ANSWER_WITHIN_MS} ms`)
    this.name = 'SilenceError'
  }
}
