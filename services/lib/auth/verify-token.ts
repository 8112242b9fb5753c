import { errors, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions, jwtVerify } from 'jose'
import { remoteKeySet } from './remote-key-set.ts'

/**
 * Reports a token that is not ours or not valid any more. `reason` is for logs and holds no part of the
 * token.
 */
export class SessionTokenError extends Error {
  readonly reason: string

  constructor(reason: string) {
    super('the session token was refused')
    this.name = 'SessionTokenError'
    this.reason = reason
  }
}

export interface TokenVerifierOptions {
  /** URL of the key set (`remote-key-set.ts`), or the keys themselves. */
  readonly jwks: URL | JWTVerifyGetKey
  readonly issuer: string
  readonly now?: () => Date
  /** Seconds by which the clocks of two machines may differ. */
  readonly clockToleranceS?: number
}

/** What one kind of token must have. */
interface TokenKind extends Required<Pick<JWTVerifyOptions, 'audience' | 'requiredClaims'>> {
  /** Media type of the header; any if left out. */
  readonly typ?: string
  /** Seconds. Longer than identity lets any such token live. */
  readonly oldestS: number
}

/**
 * Returns a function that verifies one kind of token: only RS256, keys of the one key set, issuer, audience and
 * times. `read` returns what the caller needs of its claims. It throws `SessionTokenError` for a token to refuse,
 * and `KeySetError` if the key set cannot be loaded.
 */
export function createTokenVerifier<Claims>(
  options: TokenVerifierOptions,
  { oldestS, ...kind }: TokenKind,
  read: (payload: JWTPayload) => Claims,
): (token: string) => Promise<Claims> {
  const keys = options.jwks instanceof URL ? remoteKeySet(options.jwks) : options.jwks
  return async token => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        ...kind,
        algorithms: ['RS256'],
        issuer: options.issuer,
        currentDate: options.now?.() ?? new Date(),
        clockTolerance: options.clockToleranceS ?? 30,
        // Also refuses a token with an issue date in the future.
        maxTokenAge: oldestS,
      })
      return read(payload)
    } catch (error) {
      if (error instanceof errors.JOSEError) throw new SessionTokenError(error.code)
      throw error
    }
  }
}
