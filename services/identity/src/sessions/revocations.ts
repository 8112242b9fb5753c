import { REVOCATIONS_COMPLETE, REVOKED_SESSIONS_KEY } from '@lapwing/auth/revoked-sessions'
import { connectRedis, logAbsence } from '@lapwing/redis'
import type { Logger } from 'pino'
import type { Db } from '../database.ts'

export interface EndedSession {
  readonly sessionId: string
  /** Expiry of its last JWT. After it the session needs no announcement. */
  readonly jwtExpiresAt: Date
}

/** Announces to the gateway the sessions that ended before their JWTs expired. */
export interface Revocations {
  /**
   * Announces ended sessions. Never throws or blocks for long: failed announcements are repeated from
   * the database.
   */
  announce(ended: readonly EndedSession[]): Promise<void>
  isConnected(): boolean
  close(): Promise<void>
}

/** Announces nothing, in an installation without Redis. The gateway then asks for each session. */
const noRevocations: Revocations = {
  announce: async () => {},
  isConnected: () => false,
  close: async () => {},
}

export function createRevocations(options: {
  /** Null without Redis. */
  readonly redisUrl: URL | null
  readonly db: Db
  readonly now: () => Date
  readonly logger: Logger
}): Revocations {
  const { db, now, logger } = options
  if (options.redisUrl === null) return noRevocations
  const redis = connectRedis(options.redisUrl, logAbsence(logger), {
    // Commands fail immediately while Redis is down. `sendAll` repeats them when it is back.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    commandTimeout: 500,
  })
  redis.on('ready', () => void sendAll())
  // Restores entries that Redis has lost.
  const timer = setInterval(() => void sendAll(), 30_000)
  timer.unref()

  async function send(ended: readonly EndedSession[]): Promise<void> {
    if (ended.length === 0) return
    const members = ended.flatMap(({ sessionId, jwtExpiresAt }) => [
      // A minute longer than the JWT, for clocks that differ.
      jwtExpiresAt.getTime() + 60_000,
      sessionId,
    ])
    await redis.zadd(REVOKED_SESSIONS_KEY, ...members)
  }

  async function sendAll(): Promise<void> {
    if (redis.status !== 'ready') return
    try {
      const rows = await db
        .selectFrom('revoked_session')
        .select(['session_id as sessionId', 'jwt_expires_at as jwtExpiresAt'])
        .where('jwt_expires_at', '>', now())
        .execute()
      for (let from = 0; from < rows.length; from += 1_000) {
        await send(rows.slice(from, from + 1_000))
      }
      await redis.zadd(REVOKED_SESSIONS_KEY, '+inf', REVOCATIONS_COMPLETE)
      await redis.zremrangebyscore(REVOKED_SESSIONS_KEY, '-inf', now().getTime())
    } catch (error) {
      logger.warn({ err: error }, 'the list of ended sessions could not be sent; it will be retried')
    }
  }

  return {
    async announce(ended) {
      try {
        await send(ended)
      } catch {
        // The list is incomplete until `sendAll` has run, so readers must not rely on it.
        await redis.zrem(REVOKED_SESSIONS_KEY, REVOCATIONS_COMPLETE).catch(() => {})
        setTimeout(() => void sendAll(), 200).unref()
      }
    },
    isConnected: () => redis.status === 'ready',
    async close() {
      clearInterval(timer)
      redis.disconnect()
    },
  }
}
