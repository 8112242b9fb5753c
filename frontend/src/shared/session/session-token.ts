import { fieldsOf, finite, parseJson, someText } from '#shared/api/shapes.ts'

/** What a session token (a JWT) must say to be one. Its signature is the server's business. */
interface TokenClaims {
  /** Seconds since 1970. */
  readonly exp: number
  readonly sub: string
}

/** Seconds. A token this near its end, or nearer, is not handed out. */
const NEAR_EXPIRY_S = 300
/** Seconds. A token this long past its end is of another time. */
const LONG_EXPIRED_S = 300
/** Seconds. No provider issues tokens for longer, so such a one is broken. */
const FARTHEST_EXPIRY_S = 365 * 24 * 3600

const isClaims = fieldsOf<TokenClaims>({ exp: finite, sub: someText })

/**
 * Reads a session token: three parts, and a payload with an expiry and a subject.
 *
 * @returns null for anything else
 */
export function readTokenClaims(token: string): TokenClaims | null {
  const parts = token.split('.')
  const payload = parts[1]
  if (parts.length !== 3 || !payload || parts.some(part => part === '')) return null
  try {
    return parseJson(isClaims, decodeBase64Url(payload))
  } catch {
    return null
  }
}

/**
 * The session token of a provider's answer: its `session_jwt`, else the first of `jwt`, `session_token` and
 * `tokens.jwt` that is one; empty where none is.
 */
export function tokenOfAnswer(answer: object): string {
  const { session_jwt, jwt, session_token, tokens } = answer as Readonly<Record<string, unknown>>
  const inner = (tokens ?? {}) as { readonly jwt?: unknown }
  const isToken = (value: unknown): value is string =>
    typeof value === 'string' && readTokenClaims(value) !== null
  return [session_jwt, jwt, session_token, inner.jwt].find(isToken) ?? ''
}

/** Whether a token should be exchanged for a new one before it is used. */
export function isStaleToken(token: string, nowMs: number): boolean {
  const claims = readTokenClaims(token)
  if (claims === null) return true
  const leftS = claims.exp - nowMs / 1000
  return leftS > FARTHEST_EXPIRY_S || leftS < -LONG_EXPIRED_S || leftS <= NEAR_EXPIRY_S
}

/** Whether a server would still take the token; a stale one may be better than none. */
export function isUsableToken(token: string, nowMs: number): boolean {
  const claims = readTokenClaims(token)
  return claims !== null && claims.exp > nowMs / 1000
}

function decodeBase64Url(text: string): string {
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0))
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}
