import { createHash } from 'node:crypto'
import { type Principal, type SessionClaims, SessionTokenError } from '@lapwing/auth'
import { AppError } from '@lapwing/http'
import { LRUCache } from 'lru-cache'
import type { GatewayCode } from './errors.ts'

/** A principal whose session is active at this moment. */
export interface SignedIn extends Principal {
  /** Value of the signed header that passes the principal to services. */
  readonly identity: string
  /** Whether an operator acts for the person. Such a session only reads. */
  readonly isImpersonated: boolean
}

/**
 * Finds the principal of an `Authorization` header. Returns null if the header has no valid token of an
 * active session. Rejects with `gateway.upstream_unavailable` if that cannot be checked.
 */
export type FindPrincipal = (authorization: string | undefined) => Promise<SignedIn | null>

export interface FindPrincipalOptions {
  readonly verify: (token: string) => Promise<SessionClaims>
  readonly sign: (principal: Principal) => Promise<string>
  /** Called for each request. Its answer must not be older than a second. */
  readonly isRevoked: (sessionId: string) => Promise<boolean>
  readonly now: () => Date
}

/**
 * Caches verified tokens and signed principals for 30 s, and never past the token's end. Verifying and
 * signing cost twenty times as much as a lookup. The signed header is valid for three times as long. The key
 * is the digest of the whole token, because anything shorter can be equal for two tokens.
 */
export function createFindPrincipal({ verify, sign, isRevoked, now }: FindPrincipalOptions): FindPrincipal {
  const cache = new LRUCache<string, CacheEntry>({ max: 10_000 })

  async function read(token: string): Promise<SignedIn> {
    const digest = createHash('sha256').update(token).digest('base64')
    const nowMs = now().getTime()
    const entry = cache.get(digest)
    // After the clock was set back, the entry would be valid for too long.
    if (entry !== undefined && entry.fromMs <= nowMs && nowMs < entry.untilMs) return entry.signedIn
    const { userId, sessionId, roles, isImpersonated, expiresAtS } = await verify(token)
    const principal = { userId, sessionId, roles }
    const signedIn = { ...principal, identity: await sign(principal), isImpersonated }
    cache.set(digest, {
      signedIn,
      fromMs: nowMs,
      untilMs: Math.min(nowMs + CACHE_MS, expiresAtS * 1000),
    })
    return signedIn
  }

  return async authorization => {
    const token = bearer.exec(authorization ?? '')?.[1]
    if (token === undefined) return null
    try {
      const signedIn = await read(token)
      return (await isRevoked(signedIn.sessionId)) ? null : signedIn
    } catch (error) {
      if (error instanceof SessionTokenError) return null
      throw new AppError<GatewayCode>('gateway.upstream_unavailable', {
        cause: error,
        headers: { 'retry-after': '5' },
      })
    }
  }
}

interface CacheEntry {
  readonly signedIn: SignedIn
  readonly fromMs: number
  readonly untilMs: number
}

const CACHE_MS = 30_000

/** Matches RFC 6750, and only tokens that have the three parts of a JWT. */
const bearer = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i
