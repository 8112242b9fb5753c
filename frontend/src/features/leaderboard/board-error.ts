import type { ApiError } from '#shared/api/problem.ts'

/** An answer of the leaderboard service that is not OK. Its message is status code and status text. */
export class BoardError extends Error {
  readonly status: number
  readonly code: string | null
  /** Seconds to wait before another try; null if the server does not say. */
  readonly retryAfterS: number | null

  constructor({ status, statusLine, code, retryAfterS }: ApiError) {
    super(statusLine)
    this.name = 'BoardError'
    this.status = status
    this.code = code
    this.retryAfterS = retryAfterS
  }
}
