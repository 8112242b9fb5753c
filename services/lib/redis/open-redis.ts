import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { connectRedis, logAbsence } from './connect-redis.ts'

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
  const redis = connectRedis(url, logAbsence(logger), {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // Of the handshake alone; `run` has a shorter one of its own.
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
      // A process that was busy itself finds its timers due before it has read what came meanwhile.
      const timer = setTimeout(
        () => setImmediate(() => silence.reject(new RedisUnavailable(silent))),
        ANSWER_WITHIN_MS,
      )
      try {
        return await Promise.race([command(redis), silence.promise])
      } catch (error) {
        // Connected and silent is away, too. While it is reached anew, others need not wait for it.
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

/** Redis is away: the same command may go through later. */
export class RedisUnavailable extends Error {
  override readonly name = 'RedisUnavailable'
}
