import createClient, { type Client } from 'openapi-fetch'
import { readApiError } from './problem.ts'

export interface ApiClientDeps {
  /** Usually of `createApiFetch`. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Where the product API lives (D-2). */
  readonly baseUrl: string
}

/**
 * A client typed by a contract: `createApiClient<paths>(…)` with the `paths` of
 * `@lapwing/contracts/<service>`. Its calls answer `data`; an answer that is not OK is thrown as an
 * `ApiError`.
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
