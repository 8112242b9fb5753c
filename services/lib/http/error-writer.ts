import type { ErrorTableEntry } from './app-error.ts'
import { PROBLEM_TYPE, toProblem } from './problem.ts'

/**
 * Returns the body of a refusal. Lapwing's services answer problem documents (D-3). A service with another
 * protocol has its own writer and shares everything else.
 */
export type ErrorWriter = (refusal: Refusal) => WrittenError

export interface Refusal {
  /** A code of the service's table, or `<service>.<common error>`. */
  readonly code: string
  readonly entry: ErrorTableEntry
  /** A more exact sentence than the entry's, from the thrown error. */
  readonly detail?: string | undefined
  readonly requestId: string
  /** As the client wrote it; undefined if the request could not be parsed that far. */
  readonly url?: string
  /** The thrown error, for a shape that shows more of a validation than a sentence. */
  readonly error?: unknown
}

export interface WrittenError {
  readonly status: number
  /** Content type of the body. */
  readonly type: string
  readonly body: object
}

export const writeProblem: ErrorWriter = ({ code, entry, detail, requestId }) => ({
  status: entry.status,
  type: PROBLEM_TYPE,
  body: toProblem(code, entry, requestId, detail),
})
