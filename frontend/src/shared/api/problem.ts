/** An RFC 9457 problem document of the product API (D-3). */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  /** A sentence for the person. */
  readonly detail: string
  /** Stable; what code looks at. */
  readonly code: string
  readonly request_id: string
}

/** An answer that is not OK. `message` is the problem's sentence, else status code and status text. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string | null
  /** Whether `message` is a sentence meant for the person. */
  readonly isSentence: boolean
  /** Seconds to wait before another try, where the server says so. */
  readonly retryAfterS: number | null

  constructor(response: Pick<Response, 'status' | 'statusText' | 'headers'>, problem: Problem | null) {
    super(problem?.detail ?? `${response.status} ${response.statusText}`.trim())
    this.name = 'ApiError'
    this.status = response.status
    this.code = problem?.code ?? null
    this.isSentence = problem !== null
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
    this.retryAfterS = Number.isFinite(wait) && wait >= 0 ? wait : null
  }
}

/** Reads what a failed answer says; anything that is no problem document is left unread. */
export async function readApiError(response: Response): Promise<ApiError> {
  const type = response.headers.get('content-type') ?? ''
  if (!type.startsWith('application/problem+json')) return new ApiError(response, null)
  const problem: unknown = await response.json().catch(() => null)
  return new ApiError(response, isProblem(problem) ? problem : null)
}

function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false
  const { detail, code } = value as Partial<Record<keyof Problem, unknown>>
  return typeof detail === 'string' && detail !== '' && typeof code === 'string'
}
