import type { KeyValueStore } from '../../src/shared/storage/safe-storage.ts'
import { readTokenClaims } from './session-token.ts'

const KEY = 'lapwing.session-jwt'

/** The session token (a JWT) of this tab, in session storage, which ends with the tab. */
export type TokenStore = ReturnType<typeof createTokenStore>

export function createTokenStore(store: KeyValueStore) {
  return {
    /** Returns null if there is none. Deletes an invalid one. */
    get() {
      const token = store.get(KEY)
      if (token === null || readTokenClaims(token) !== null) return token
      store.remove(KEY)
      return null
    },
    /** Stores a token; an invalid one deletes what is stored. */
    set(token: string) {
      if (readTokenClaims(token) === null) store.remove(KEY)
      else store.set(KEY, token)
    },
    clear: () => store.remove(KEY),
  }
}
