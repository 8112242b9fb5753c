import { createHash } from 'node:crypto'
import { type Principal, type SessionClaims, SessionTokenError } from '@lapwing/auth'
import { AppError } from '@lapwing/http'
import { LRUCache } from 'lru-cache'
import type { GatewayCode } from './errors.ts'

/** Somebody whose session stands at this moment. */
export interface SignedIn extends Principal {
  /** The signed header that tells services so. */
  readonly identity: string
}

/**
 * Who sends this `Authorization` header: null where it is no bearer, or one that must be refused.
 * Throws `gateway.upstream_unavailable` where that cannot be said.
 */
export type FindPrincipal = (authorization: string | undefined) => Promise<SignedIn | null>

export interface FindPrincipalOptions {
  readonly verify: (token: string) => Promise<SessionClaims>
  readonly sign: (principal: Principal) => Promise<string>
  /** Asked for each request: what it says must not be older than a second. */
  readonly isRevoked: (sessionId: string) => Promise<boolean>
  readonly now: () => Date
}

/**
 * Verifying a token and signing a caller cost twenty times what looking them up does, so both are
 * remembered for half a minute, a third of the life of what was signed, and never past the
 * token's end. The key is the digest of the whole token: nothing shorter tells two tokens apart.
 */
export function createFindPrincipal({ verify, sign, isRevoked, now }: FindPrincipalOptions): FindPrincipal {
  const known = new LRUCache<string, Known>({ max: 10_000 })

  async function read(token: string): Promise<SignedIn> {
    const digest = createHash('sha256').update(token).digest('base64')
    const nowMs = now().getTime()
    const found = known.get(digest)
    // A clock that was set back would make it last longer.
    if (found !== undefined && found.fromMs <= nowMs && nowMs < found.untilMs) return found.signedIn
    const { userId, sessionId, roles, expiresAtS } = await verify(token)
    const principal = { userId, sessionId, roles }
    const signedIn = { ...principal, identity: await sign(principal) }
    known.set(digest, {
      signedIn,
      fromMs: nowMs,
      untilMs: Math.min(nowMs + REMEMBERED_MS, expiresAtS * 1000),
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

interface Known {
  readonly signedIn: SignedIn
  readonly fromMs: number
  readonly untilMs: number
}

const REMEMBERED_MS = 30_000

/** RFC 6750, and of its tokens those with the three parts of a JWT. */
const bearer = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i
