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
    commandTimeout: commandTimeoutMs,
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
      const sent = performance.now()
      try {
        return await command(redis)
      } catch (error) {
        // Connected and silent is away, too. While it is reached anew, others need not wait for it.
        if (isUp && performance.now() - sent >= commandTimeoutMs - 1) {
          isUp = false
          redis.disconnect(true)
        }
        throw error
      }
    },
    isUp: () => isUp,
    close: () => redis.disconnect(),
  }
}

const commandTimeoutMs = 250
