import { REVOCATIONS_COMPLETE, REVOKED_SESSIONS_KEY } from '@lapwing/auth'
import type { SharedRedis } from '@lapwing/redis'
import { LRUCache } from 'lru-cache'

export interface RevocationOptions {
  /** Null where there is none. */
  readonly redis: SharedRedis | null
  /** Whether the session stands, by identity's own word. */
  readonly askIdentity: (sessionId: string) => Promise<boolean>
}

/**
 * Whether a session was ended before its token. Redis holds the list; while it is away, or not sure
 * of being complete, identity is asked. Rejects where neither can say. An answer serves all requests
 * of half a second, so that an end is seen everywhere within one (D-13).
 */
export function createIsRevoked({
  redis,
  askIdentity,
}: RevocationOptions): (sessionId: string) => Promise<boolean> {
  const answers = new LRUCache<string, boolean>({ max: 10_000, ttl: 500, fetchMethod: lookUp })

  async function lookUp(sessionId: string): Promise<boolean> {
    const listed = await readList(sessionId).catch(() => null)
    return listed ?? !(await askIdentity(sessionId))
  }

  async function readList(sessionId: string): Promise<boolean | null> {
    if (redis === null) return null
    const [revoked, complete] = await redis.run(client =>
      client.zmscore(REVOKED_SESSIONS_KEY, sessionId, REVOCATIONS_COMPLETE),
    )
    if (revoked !== null) return true
    return complete === null ? null : false
  }

  return async sessionId => {
    const revoked = await answers.fetch(sessionId)
    if (revoked === undefined) throw new Error('the look-up was given up')
    return revoked
  }
}
