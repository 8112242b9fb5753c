import { fieldsOf, parseJson, someText } from '../../src/shared/api/shapes.ts'
import type { KeyValueStore } from '../../src/shared/storage/safe-storage.ts'

/** Proves that a sign-in ends in the browser that began it (RFC 7636, S256). */
interface PkcePair {
  readonly codeVerifier: string
  readonly codeChallenge: string
}

const isPair = fieldsOf<PkcePair>({ codeVerifier: someText, codeChallenge: someText })

export type PkceNamespace = 'oauth' | 'passwords' | 'magic_links'

/**
 * Stores the pairs in local storage, because a link from a mail opens in its own tab. Verifiers have the form
 * of the provider's client: 16 random 32-bit values in hexadecimal.
 */
export function createPkceStore(store: KeyValueStore, crypto: Pick<Crypto, 'getRandomValues' | 'subtle'>) {
  const key = (namespace: PkceNamespace) => `lapwing.pkce.${namespace}`
  const stored = (namespace: PkceNamespace) => parseJson(isPair, store.get(key(namespace)))
  return {
    /** Creates a pair and stores it until it is cleared. Returns a stored one again, unless `isNew` is set. */
    async pair(namespace: PkceNamespace, { isNew } = { isNew: false }) {
      const old = isNew ? null : stored(namespace)
      if (old) return old
      const made = await createPkcePair(crypto)
      store.set(key(namespace), JSON.stringify(made))
      return made
    },
    verifier: (namespace: PkceNamespace) => stored(namespace)?.codeVerifier ?? null,
    clear: (namespace: PkceNamespace) => store.remove(key(namespace)),
  }
}

async function createPkcePair(crypto: Pick<Crypto, 'getRandomValues' | 'subtle'>): Promise<PkcePair> {
  const codeVerifier = Array.from(crypto.getRandomValues(new Uint32Array(16)), value =>
    value.toString(16),
  ).join('')
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier))
  return { codeVerifier, codeChallenge: base64Url(new Uint8Array(hash)) }
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
