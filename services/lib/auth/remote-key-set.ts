import { createRemoteJWKSet, customFetch, errors, type FetchImplementation, type JWTVerifyGetKey } from 'jose'

/** The key set cannot be had, so nothing can be said of any token. */
export class KeySetError extends Error {
  constructor(cause: unknown) {
    super('the key set cannot be had', { cause })
    this.name = 'KeySetError'
  }
}

/**
 * Keys from an address: fetched again after ten minutes, and when a new key id appears, at most every
 * 30 s, within 3 s. While the address does not answer well, the keys it gave last go on, so that
 * people who are signed in do not notice. Throws `KeySetError` where it never gave any.
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

/** Answers what was answered last where there is no good answer. */
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
