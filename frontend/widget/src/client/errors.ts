/** A failure of a call. Pages recognise it by `name`. `message` is a sentence for the person. */
export class WidgetError extends Error {
  /** The `error_type` of the protocol; empty for a failure without an answer. */
  readonly type: string = ''
}

/** An answer of identity that is an error. */
export class ApiError extends WidgetError {
  override readonly name = 'ApiError'
  override readonly type: string
  readonly status: number
  readonly url: string
  readonly requestId: string

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    super(textOf(body.error_message) || 'Something went wrong on our side. Please try again.')
    this.status = status
    this.type = textOf(body.error_type)
    this.url = textOf(body.error_url)
    this.requestId = textOf(body.request_id)
  }
}

/** No answer arrived: the network, a blocker or a time-out. */
export class UnreachableError extends WidgetError {
  override readonly name = 'UnreachableError'

  constructor(cause: unknown) {
    super('Unable to contact our servers.', { cause })
  }
}

/** Something other than identity answered. */
export class InvalidJsonError extends WidgetError {
  override readonly name = 'InvalidJsonError'

  constructor() {
    super('Invalid JSON response from our servers.')
  }
}

/** The server asks for a captcha. identity has none, so this is another provider of the protocol. */
export class CaptchaError extends WidgetError {
  override readonly name = 'CaptchaError'

  constructor() {
    super('Unable to query captcha and/or dfp telemetry ID')
  }
}

/** The request does not match the contract. */
export class SchemaError extends WidgetError {
  override readonly name = 'SchemaError'

  constructor(body: Readonly<Record<string, unknown>>) {
    const found = [body.body, body.params, body.query].flat().filter(isEntry)
    const lines = found.map(({ dataPath, message }) => `${dataPath ?? ''}: ${message ?? ''}`)
    super(['Request does not match expected schema', ...lines].join('\n'))
  }
}

/** The page uses the widget in a wrong way. `message` is for its developer. */
export class UsageError extends WidgetError {
  override readonly name = 'UsageError'
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
