/**
 * An error with a stable code, a sentence for the person and an internal cause, each separate. Domain code
 * throws it; only the error handler knows HTTP.
 */
export class AppError<Code extends string = string> extends Error {
  readonly code: Code
  /** Sentence for the person; by default that of the table. */
  readonly detail: string | undefined
  /** Headers of the answer, such as `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: Code,
    options: { detail?: string; headers?: Readonly<Record<string, string>>; cause?: unknown } = {},
  ) {
    super(code, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.detail = options.detail
    this.headers = options.headers ?? {}
  }
}

export interface ErrorTableEntry {
  readonly status: number
  /** Short, the same each time. */
  readonly title: string
  /** Sentence for the person, if the thrown error has none of its own. */
  readonly detail: string
}

/** One table for each service: all of its error codes. A test compares it with the contract's `x-codes`. */
export type ErrorTable<Code extends string = string> = Readonly<Record<Code, ErrorTableEntry>>
