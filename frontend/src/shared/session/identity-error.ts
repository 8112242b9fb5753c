/** An answer of the identity provider that is an error. `message` is its sentence. */
export class IdentityError extends Error {
  readonly status: number
  /** A stable type for programs; empty if the answer has none. */
  readonly type: string

  constructor(status: number, type: string, message: string) {
    super(message)
    this.name = 'IdentityError'
    this.status = status
    this.type = type
  }
}

/** The provider could not be reached, or something else answered. */
export class IdentityUnreachableError extends Error {
  override readonly name = 'IdentityUnreachableError'
}

/** The session may be valid, but the provider could not confirm it now, or was asked too often. */
export class SessionUnconfirmedError extends Error {
  constructor() {
    super('Your session could not be confirmed right now. Please try again in a moment.')
    this.name = 'SessionUnconfirmedError'
  }
}

/** Types that end the session: no further try can renew it. */
const UNRECOVERABLE: ReadonlySet<string> = new Set([
  'unauthorized_credentials',
  'user_unauthenticated',
  'invalid_secret_authentication',
  'session_not_found',
])

export function isSessionLost(error: unknown): boolean {
  return error instanceof IdentityError && UNRECOVERABLE.has(error.type)
}

/**
 * Returns the message of a failed call for the driver: the provider's sentence, otherwise the error's own,
 * otherwise ours. The browser's messages about our own mistakes are not for the driver.
 */
export function errorText(error: unknown, fallback: string): string {
  const isOurs = !(error instanceof Error) || error instanceof TypeError || error instanceof SyntaxError
  return (isOurs ? '' : error.message.trim()) || fallback
}
