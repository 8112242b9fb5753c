/** An answer of the identity provider that is an error. `message` is its sentence. */
export class IdentityError extends Error {
  readonly status: number
  /** Stable; what code looks at. Empty where the answer has none. */
  readonly type: string

  constructor(status: number, type: string, message: string) {
    super(message)
    this.name = 'IdentityError'
    this.status = status
    this.type = type
  }
}

/** The provider could not be reached, or what answered is not it. */
export class IdentityUnreachableError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'IdentityUnreachableError'
  }
}

/** The session may still last: the provider could not confirm it now, or was asked too often. */
export class SessionUnconfirmedError extends Error {
  constructor() {
    super('Your session could not be confirmed right now. Please try again in a moment.')
    this.name = 'SessionUnconfirmedError'
  }
}

/** There is no session any more, and no further try will bring one. */
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
 * What a person is shown of a failed call: the provider's sentence, else the error's own, else ours.
 * What the browser says of our own mistakes means nothing to them.
 */
export function errorText(error: unknown, fallback: string): string {
  const isOurs = !(error instanceof Error) || error instanceof TypeError || error instanceof SyntaxError
  return (isOurs ? '' : error.message.trim()) || fallback
}
