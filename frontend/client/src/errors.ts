/** A failure of a call. Pages recognise it by `name`. `message` is a sentence for the person. */
export class ClientError extends Error {
  /** The `error_type` of the protocol; empty for a failure without an answer. */
  readonly type: string = ''
  /** What a person can read; empty if the server sent no sentence. */
  get sentence(): string {
    return this.message
  }
}

/** An answer of identity that is an error. */
export class ApiError extends ClientError {
  override readonly name = 'ApiError'
  override readonly type: string
  readonly status: number
  readonly url: string
  readonly requestId: string
  /** More about the failure, if the server sent it. */
  readonly details: unknown
  readonly #sentence: string

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    const sentence = textOf(body.error_message) || textOf(body.message)
    super(sentence || 'Something went wrong on our side. Please try again.')
    this.#sentence = sentence
    this.status = status
    this.type = textOf(body.error_type)
    this.url = textOf(body.error_url)
    this.requestId = textOf(body.request_id)
    this.details = body.error_details
  }

  override get sentence(): string {
    return this.#sentence
  }
}

/** No answer arrived: the network, a blocker or a time-out. Or there is no identity service here. */
export class UnreachableError extends ClientError {
  override readonly name = 'UnreachableError'

  constructor(cause: unknown, message = 'Unable to contact our servers.') {
    super(message, { cause })
  }
}

/** Something other than identity answered. */
export class InvalidJsonError extends ClientError {
  override readonly name = 'InvalidJsonError'

  constructor(message = 'Invalid JSON response from our servers.') {
    super(message)
  }
}

/** The server asks for a captcha, and there is none. */
export class CaptchaError extends ClientError {
  override readonly name = 'CaptchaError'

  constructor(cause?: unknown) {
    super('Unable to query captcha and/or dfp telemetry ID', { cause })
  }
}

/** The request does not match the contract. `message` has a line for each wrong member. */
export class SchemaError extends ClientError {
  override readonly name = 'SchemaError'

  constructor(body: Readonly<Record<string, unknown>>) {
    const found = [body.body, body.params, body.query].flat().filter(isEntry)
    const lines = found.map(({ dataPath, message }) => `${dataPath ?? ''}: ${message ?? ''}`)
    super(['Request does not match expected schema', ...lines].join('\n'))
  }

  /** Without the lines, which are for developers. */
  override get sentence(): string {
    return 'Request does not match expected schema.'
  }
}

/** The page uses the client in a wrong way. `message` is for its developer. */
export class UsageError extends ClientError {
  override readonly name = 'UsageError'
}

/** The session may be valid, but identity could not confirm it now, or was asked too often. */
export class SessionUnconfirmedError extends Error {
  override readonly name = 'SessionUnconfirmedError'

  constructor() {
    super('Your session could not be confirmed right now. Please try again in a moment.')
  }
}

/** Types that end the session: no further try can renew it. */
const UNRECOVERABLE: ReadonlySet<string> = new Set([
  'unauthorized_credentials',
  'user_unauthenticated',
  'invalid_secret_authentication',
  'session_not_found',
])

/** Returns whether a refresh or a sign-out failed because the session has ended. */
export function isSessionLost(error: unknown): boolean {
  return error instanceof ApiError && UNRECOVERABLE.has(error.type)
}

interface Entry {
  readonly dataPath?: string
  readonly message?: string
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
