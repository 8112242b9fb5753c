import { fieldsOf, parseJson, someText, text } from './shapes.ts'

/** The fields of the product API's problem documents (RFC 9457) that the page reads (D-3). */
interface Problem {
  /** A sentence for the driver. */
  readonly detail: string
  /** A stable code for programs. */
  readonly code: string
}

const isProblem = fieldsOf<Problem>({ detail: someText, code: text })

/** An answer that is not OK. `message` is the problem's sentence, otherwise status code and status text. */
export class ApiError extends Error {
  readonly status: number
  /** Status code and status text, such as "503 Service Unavailable". */
  readonly statusLine: string
  readonly code: string | null
  /** The body as it came, cut to the length of a log line. */
  readonly text: string
  /** Whether `message` is a sentence for the driver. */
  readonly isSentence: boolean
  /** Seconds to wait before another try; null if the server does not say. */
  readonly retryAfterS: number | null

  constructor(
    response: Pick<Response, 'status' | 'statusText' | 'headers'>,
    problem: Problem | null,
    text = '',
  ) {
    const statusLine = `${response.status} ${response.statusText}`.trim()
    super(problem?.detail ?? statusLine)
    this.name = 'ApiError'
    this.status = response.status
    this.statusLine = statusLine
    this.text = text
    this.code = problem?.code ?? null
    this.isSentence = problem !== null
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
    this.retryAfterS = Number.isFinite(wait) && wait >= 0 ? wait : null
  }
}

/** Returns the server's sentence for the driver; `otherwise` if the error has none. */
export function sentenceOf<T>(error: unknown, otherwise: T): string | T {
  return error instanceof ApiError && error.isSentence ? error.message : otherwise
}

const MAX_TEXT_LENGTH = 2000

/** Reads a failed answer. Only a problem document has a sentence. */
export async function readApiError(response: Response): Promise<ApiError> {
  const body = await response.text().catch(() => '')
  const type = response.headers.get('content-type') ?? ''
  const problem = type.startsWith('application/problem+json') ? parseJson(isProblem, body) : null
  return new ApiError(response, problem, body.slice(0, MAX_TEXT_LENGTH))
}
