/** Headers of every call to the product API, besides its own. */
const clientHeaders = {
  'x-requested-with': 'XMLHttpRequest',
  'x-client-version': '1.0.0',
} as const

/** Milliseconds that the product API has to answer. */
const REQUEST_TIMEOUT_MS = 30_000

interface ApiFetchDeps {
  readonly fetch: typeof globalThis.fetch
  readonly newRequestId: () => string
  readonly timeoutMs?: number
}

/** A call took longer than its limit. The sentence is the specification's. */
export class RequestTimeoutError extends Error {
  constructor(timeoutMs: number) {
    super(`Request timeout after ${timeoutMs} ms`)
    this.name = 'RequestTimeoutError'
  }
}

/**
 * Creates a `fetch` for the product API. It adds the common headers, a request id for the logs, and a time
 * limit that includes the body. It fits `openapi-fetch`.
 *
 * @throws RequestTimeoutError if the answer's head does not arrive in time
 */
export function createApiFetch({
  fetch,
  newRequestId,
  timeoutMs = REQUEST_TIMEOUT_MS,
}: ApiFetchDeps): typeof fetch {
  return async (input, init) => {
    const limit = AbortSignal.timeout(timeoutMs)
    const request = new Request(input, init)
    if (isJson(request, init)) request.headers.set('content-type', 'application/json')
    for (const [name, value] of Object.entries(clientHeaders)) request.headers.set(name, value)
    request.headers.set('x-request-id', newRequestId())
    try {
      return await fetch(request, { signal: AbortSignal.any([request.signal, limit]) })
    } catch (error) {
      throw limit.aborted && !request.signal.aborted ? new RequestTimeoutError(timeoutMs) : error
    }
  }
}

/** Returns whether a body is JSON: any body that is no form and has no content type of its own. */
function isJson(request: Request, init: RequestInit | undefined): boolean {
  if (typeof init?.body !== 'string') return false
  return !new Headers(init.headers).has('content-type') && request.body !== null
}
