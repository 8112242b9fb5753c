import { createHash } from 'node:crypto'
import {
  ACCESS_TOKEN_TYPE,
  type AccessTokenClaims,
  type Principal,
  type SessionClaims,
  SessionTokenError,
} from '@lapwing/auth'
import { AppError } from '@lapwing/http'
import { decodeProtectedHeader } from 'jose'
import { LRUCache } from 'lru-cache'
import type { GatewayCode } from './errors.ts'

/** A principal whose session is active at this moment. */
export interface SignedIn extends Principal {
  /** Value of the signed header that passes the principal to services. */
  readonly identity: string
  /** The connected app that calls for the person; left out for their own session. */
  readonly clientId?: string
}

/** Returns the key by which limits count a principal. A connected app cannot use up the limits of the person's page. */
export function holderKey({ userId, clientId }: Pick<SignedIn, 'userId' | 'clientId'>): string {
  return clientId === undefined ? `user ${userId}` : `user ${userId} app ${clientId}`
}

/**
 * Finds the principal of an `Authorization` header. Returns null if the header has no valid token of an
 * active session. Rejects with `gateway.upstream_unavailable` if that cannot be checked.
 */
export type FindPrincipal = (authorization: string | undefined) => Promise<SignedIn | null>

export interface FindPrincipalOptions {
  readonly verify: (token: string) => Promise<SessionClaims>
  /** Verifies access tokens of connected apps; null if identity issues none. */
  readonly verifyAccess: ((token: string) => Promise<AccessTokenClaims>) | null
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
export function createFindPrincipal({
  verify,
  verifyAccess,
  sign,
  isRevoked,
  now,
}: FindPrincipalOptions): FindPrincipal {
  const cache = new LRUCache<string, CacheEntry>({ max: 10_000 })

  async function read(token: string): Promise<SignedIn> {
    const digest = createHash('sha256').update(token).digest('base64')
    const nowMs = now().getTime()
    const entry = cache.get(digest)
    // After the clock was set back, the entry would be valid for too long.
    if (entry !== undefined && entry.fromMs <= nowMs && nowMs < entry.untilMs) return entry.signedIn
    const { principal, clientId, expiresAtS } = await readClaims(token)
    const signedIn = {
      ...principal,
      identity: await sign(principal),
      ...(clientId !== undefined && { clientId }),
    }
    cache.set(digest, {
      signedIn,
      fromMs: nowMs,
      untilMs: Math.min(nowMs + CACHE_MS, expiresAtS * 1000),
    })
    return signedIn
  }

  async function readClaims(token: string) {
    if (verifyAccess !== null && isAccessToken(token)) {
      const { userId, authorizationId, clientId, scopes, expiresAtS } = await verifyAccess(token)
      // An app gets none of the person's roles.
      return { principal: { userId, sessionId: authorizationId, roles: [], scopes }, clientId, expiresAtS }
    }
    const { userId, sessionId, roles, expiresAtS } = await verify(token)
    return { principal: { userId, sessionId, roles }, expiresAtS }
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

/** Returns what the header of a token says. Both verifiers check it again. */
function isAccessToken(token: string): boolean {
  try {
    return decodeProtectedHeader(token).typ === ACCESS_TOKEN_TYPE
  } catch {
    return false
  }
}
