import { createRemoteJWKSet, customFetch, errors, type FetchImplementation, type JWTVerifyGetKey } from 'jose'

/** Reports that the key set cannot be loaded, so no token can be verified. */
export class KeySetError extends Error {
  constructor(cause: unknown) {
    super('the key set cannot be loaded', { cause })
    this.name = 'KeySetError'
  }
}

/**
 * Returns the keys of a URL. Fetches them again after ten minutes, and for a new key id at most every 30 s; a
 * fetch may take 3 s. If a fetch fails, the last keys stay valid, so that signed-in people do not notice.
 * Throws `KeySetError` if no fetch ever succeeded.
 */
export function remoteKeySet(
  address: URL,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(address, {
    timeoutDuration: 3_000,
    cooldownDuration: 30_000,
    cacheMaxAge: 600_000,
    [customFetch]: orLast(fetch),
  })
  return async (header, token) => {
    try {
      return await keys(header, token)
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) throw error
      throw new KeySetError(error)
    }
  }
}

/** Returns a fetch that repeats its last good answer if a request fails. */
function orLast(fetch: typeof globalThis.fetch): FetchImplementation {
  let last: string | null = null
  return async (address, init) => {
    try {
      const response = await fetch(address, init)
      const body = await response.text()
      if (response.status !== 200 || !holdsKeys(body))
        throw new Error(`the key set answered ${response.status}`)
      last = body
    } catch (error) {
      if (last === null) throw error
    }
    return new Response(last)
  }
}

function holdsKeys(body: string): boolean {
  const { keys } = JSON.parse(body) as { keys?: unknown }
  return Array.isArray(keys) && keys.length > 0
}
