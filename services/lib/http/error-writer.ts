import type { ErrorTableEntry } from './app-error.ts'
import { PROBLEM_TYPE, toProblem } from './problem.ts'

/**
 * Gives a refusal its shape. Lapwing's services answer problem documents (D-3); a service that
 * speaks another protocol brings a writer of its own and shares everything else.
 */
export type ErrorWriter = (refusal: Refusal) => WrittenError

export interface Refusal {
  /** Of the service's table, or `<service>.<common error>`. */
  readonly code: string
  readonly entry: ErrorTableEntry
  /** What the place that refused says more exactly than the entry. */
  readonly detail?: string | undefined
  readonly requestId: string
  /** As the client wrote it; undefined where the request could not be read as far as that. */
  readonly url?: string
  /** What was thrown, for a shape that shows more of a validation than a sentence. */
  readonly error?: unknown
}

export interface WrittenError {
  readonly status: number
  /** Its content type. */
  readonly type: string
  readonly body: object
}

export const writeProblem: ErrorWriter = ({ code, entry, detail, requestId }) => ({
  status: entry.status,
  type: PROBLEM_TYPE,
  body: toProblem(code, entry, requestId, detail),
})
