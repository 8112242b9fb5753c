import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { connectRedis, logAbsence } from './connect-redis.ts'

/** A Redis that may be away at any moment. Its users must work without it. */
export interface SharedRedis {
  /**
   * Runs a command. Rejects with `RedisUnavailable` if no answer comes within 250 ms, or immediately while
   * Redis is known to be away. Redis may have run a rejected command. It is not sent again.
   */
  readonly run: <Answer>(command: (redis: Redis) => Promise<Answer>) => Promise<Answer>
  readonly isUp: () => boolean
  readonly close: () => void
}

/** Connects in the background and retries until it is closed. */
export function openRedis(url: URL, logger: Logger): SharedRedis {
  const redis = connectRedis(url, logAbsence(logger), {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // For the handshake only: `run` has its own, shorter time-out.
    commandTimeout: 1_000,
    disconnectTimeout: 100,
  })
  let isUp = false
  redis.on('close', () => {
    isUp = false
  })
  redis.on('ready', () => {
    isUp = true
  })

  return {
    async run(command) {
      if (!isUp) throw new RedisUnavailable('redis is away')
      const silence = Promise.withResolvers<never>()
      // After a busy spell of this process its timers are due before it reads the answers that have arrived.
      const timer = setTimeout(
        () => setImmediate(() => silence.reject(new RedisUnavailable(silent))),
        ANSWER_WITHIN_MS,
      )
      try {
        return await Promise.race([command(redis), silence.promise])
      } catch (error) {
        // A connected but silent Redis counts as away. Until the next connection other commands fail
        // immediately.
        if (error instanceof RedisUnavailable && isUp) {
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

const silent = `redis did not answer within ${ANSWER_WITHIN_MS} ms`

/** Redis is away. The same command may succeed later. */
export class RedisUnavailable extends Error {
  override readonly name = 'RedisUnavailable'
}
