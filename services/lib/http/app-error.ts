/**
 * An error with a stable code, a sentence for the person and an internal cause, kept apart. Domain
 * code throws it; only the error handler knows HTTP.
 */
export class AppError<Code extends string = string> extends Error {
  readonly code: Code
  /** A sentence for the person; left out, the table's own is used. */
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
  /** Short, the same for each occurrence. */
  readonly title: string
  /** What the person is told when the place that throws says nothing more exact. */
  readonly detail: string
}

/** One table a service: every code it can answer. A test keeps it equal to the contract's `x-codes`. */
export type ErrorTable<Code extends string = string> = Readonly<Record<Code, ErrorTableEntry>>
