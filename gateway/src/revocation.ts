import { REVOCATIONS_COMPLETE, REVOKED_SESSIONS_KEY } from '@lapwing/auth'
import type { SharedRedis } from '@lapwing/redis'
import { LRUCache } from 'lru-cache'

export interface RevocationOptions {
  /** Null if the deployment has none. */
  readonly redis: SharedRedis | null
  /** Asks identity whether the session is active. */
  readonly askIdentity: (sessionId: string) => Promise<boolean>
}

/**
 * Returns a function that checks whether a session ended before its token expires. Redis holds the list of
 * ended sessions. If Redis is down or its list may be incomplete, it asks identity. Rejects if neither
 * answers. One answer serves all requests of half a second, so that an end is seen everywhere within a second
 * (D-13).
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
    if (revoked === undefined) throw new Error('the lookup was aborted')
    return revoked
  }
}
