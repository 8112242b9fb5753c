import type { Reference } from '@lapwing/telemetry/compare'
import type { SignedInDeps } from '#shared/api/api-client.ts'
import { readApiError } from '#shared/api/problem.ts'

interface FetchReferenceDeps extends SignedInDeps {
  /** Decodes the packed form. Throws if the bytes are anything else. */
  readonly decode: (bytes: Uint8Array) => Reference | Promise<Reference>
}

/** Loads a lap of a board in its packed form. @throws ApiError, or the errors of `fetch` and `decode` */
export function createFetchReference({ baseUrl, authorised, decode }: FetchReferenceDeps) {
  return async (lapId: string): Promise<Reference> => {
    const address = `${baseUrl}/laps/${encodeURIComponent(lapId)}/reference`
    const response = await authorised(address, { headers: { accept: 'application/x-protobuf' } })
    if (!response.ok) throw await readApiError(response)
    const reference = await decode(new Uint8Array(await response.arrayBuffer()))
    if (reference.facts.lapId !== lapId) throw new Error('The answer is another lap.')
    return reference
  }
}
