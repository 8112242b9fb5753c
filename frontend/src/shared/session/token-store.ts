import type { KeyValueStore } from '#shared/storage/safe-storage.ts'
import { readTokenClaims } from './session-token.ts'

const KEY = 'lapwing.session-jwt'

/** The session token (a JWT) of this tab, in session storage, which ends with the tab. */
export interface TokenStore {
  /** Returns null if there is none. Deletes an invalid one. */
  get(): string | null
  /** Ignores an invalid token. */
  set(token: string): void
  clear(): void
}

export function createTokenStore(store: KeyValueStore): TokenStore {
  const get = () => {
    const token = store.get(KEY)
    if (token === null || readTokenClaims(token) !== null) return token
    store.remove(KEY)
    return null
  }
  return {
    get,
    set(token) {
      if (readTokenClaims(token) === null) store.remove(KEY)
      else store.set(KEY, token)
    },
    clear: () => store.remove(KEY),
  }
}
