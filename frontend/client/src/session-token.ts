import { fieldsOf, finite, parseJson, someText } from '../../src/shared/api/shapes.ts'

/** The claims that a session token (a JWT) must have. Only the server checks its signature. */
interface TokenClaims {
  /** Seconds since 1970. */
  readonly exp: number
  readonly sub: string
}

/** Seconds. A token that is this near its end, or nearer, is exchanged before use. */
const NEAR_EXPIRY_S = 300
/** Seconds. A token that expired longer ago is broken. */
const LONG_EXPIRED_S = 300
/** Seconds. No provider issues tokens for longer, so such a token is broken. */
const FARTHEST_EXPIRY_S = 365 * 24 * 3600

// A build that uses only other functions of this file leaves it out.
const isClaims = /* @__PURE__ */ fieldsOf<TokenClaims>({ exp: finite, sub: someText })

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
 * Returns whether identity issued the token for the second step of a sign-in alone: no service of Lapwing accepts
 * it. Its account has a second factor, or everybody needs one here.
 */
export function isHalfToken(token: string): boolean {
  try {
    // Only the audience has this name in it, so reading the other claims would add nothing.
    return decodeBase64Url(token.split('.')[1] ?? '').includes('/second-factor"')
  } catch {
    return false
  }
}

/**
 * Finds the session token of a provider's answer: `session_jwt`, otherwise the first valid one of `jwt`,
 * `session_token` and `tokens.jwt`. Returns an empty string if there is none.
 */
export function tokenOfAnswer(answer: object): string {
  const { session_jwt, jwt, session_token, tokens } = answer as Readonly<Record<string, unknown>>
  const inner = (tokens ?? {}) as { readonly jwt?: unknown }
  const isToken = (value: unknown): value is string =>
    typeof value === 'string' && readTokenClaims(value) !== null
  return [session_jwt, jwt, session_token, inner.jwt].find(isToken) ?? ''
}

/** Returns whether a token should be exchanged before it is used. */
export function isStaleToken(token: string, nowMs: number): boolean {
  const claims = readTokenClaims(token)
  if (claims === null) return true
  const leftS = claims.exp - nowMs / 1000
  return leftS > FARTHEST_EXPIRY_S || leftS < -LONG_EXPIRED_S || leftS <= NEAR_EXPIRY_S
}

/** Returns whether a server would still accept the token. A stale one can be better than none. */
export function isUsableToken(token: string, nowMs: number): boolean {
  const claims = readTokenClaims(token)
  return claims !== null && claims.exp > nowMs / 1000
}

function decodeBase64Url(text: string): string {
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0))
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}
