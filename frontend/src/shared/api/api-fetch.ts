/** What every call to the product API carries, besides its own headers. */
const clientHeaders = {
  'x-requested-with': 'XMLHttpRequest',
  'x-client-version': '1.0.0',
} as const

/** Milliseconds the product API is given for an answer. */
const REQUEST_TIMEOUT_MS = 30_000

interface ApiFetchDeps {
  readonly fetch: typeof globalThis.fetch
  readonly newRequestId: () => string
  readonly timeoutMs?: number
}

/** A call ran longer than it was allowed to. The sentence is the specification's. */
export class RequestTimeoutError extends Error {
  constructor(timeoutMs: number) {
    super(`Request timeout after ${timeoutMs} ms`)
    this.name = 'RequestTimeoutError'
  }
}

/**
 * A `fetch` for the product API: it adds the headers each call carries, a request id by which a
 * problem can be found in the logs, and a time limit that covers the body as well. Fit to be handed
 * to `openapi-fetch`.
 *
 * @throws RequestTimeoutError when the answer's head does not arrive in time
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

/** Bodies are JSON unless they are a form, or say themselves what they are. */
function isJson(request: Request, init: RequestInit | undefined): boolean {
  if (typeof init?.body !== 'string') return false
  return !new Headers(init.headers).has('content-type') && request.body !== null
}
