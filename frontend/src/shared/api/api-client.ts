import createClient, { type Client } from 'openapi-fetch'
import { readApiError } from './problem.ts'
import { fit, type Shape } from './shapes.ts'

interface ApiClientDeps {
  /** Usually from `createApiFetch`. */
  readonly fetch: (request: Request) => Promise<Response>
  /** The base URL of the product API (D-2). */
  readonly baseUrl: string
}

/** Dependencies of a signed-in driver's calls. */
export interface SignedInDeps {
  /** The base URL of the product API (D-2). */
  readonly baseUrl: string
  readonly authorised: typeof globalThis.fetch
}

/**
 * Creates a client for a contract: `createApiClient<paths>(…)` with the `paths` of
 * `@lapwing/contracts/<service>`. Its calls resolve to `data`. They reject with an `ApiError` for an answer
 * that is not OK.
 */
export function createApiClient<Paths extends object>({ fetch, baseUrl }: ApiClientDeps): Client<Paths> {
  const client = createClient<Paths>({ baseUrl, fetch })
  client.use({
    async onResponse({ response }) {
      if (!response.ok) throw await readApiError(response)
    },
  })
  return client
}

/**
 * Returns the body of a call if it has the shape of its contract.
 *
 * @param what names the body in the error
 * @throws ApiError, ShapeError
 */
export async function bodyOf<T>(
  call: Promise<{ readonly data?: unknown }>,
  shape: Shape<T>,
  what: string,
): Promise<T> {
  return fit(shape, (await call).data, what)
}
