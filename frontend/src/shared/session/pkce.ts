import { fieldsOf, parseJson, someText } from '#shared/api/shapes.ts'
import type { KeyValueStore } from '#shared/storage/safe-storage.ts'

/** Proof that who ends a sign-in is who began it (RFC 7636, S256). */
interface PkcePair {
  readonly codeVerifier: string
  readonly codeChallenge: string
}

const isPair = fieldsOf<PkcePair>({ codeVerifier: someText, codeChallenge: someText })

export type PkceNamespace = 'oauth' | 'passwords'

export interface PkceStore {
  /** Makes a pair and keeps it until it is cleared; a kept one is answered again unless `anew`. */
  pair(namespace: PkceNamespace, options?: { readonly anew: boolean }): Promise<PkcePair>
  verifier(namespace: PkceNamespace): string | null
  clear(namespace: PkceNamespace): void
}

/**
 * Keeps the pairs in local storage, since a link from a mail opens in a tab of its own. Verifiers are
 * written as the provider's client writes them: 16 random 32-bit values in hexadecimal.
 */
export function createPkceStore(
  store: KeyValueStore,
  crypto: Pick<Crypto, 'getRandomValues' | 'subtle'>,
): PkceStore {
  const key = (namespace: PkceNamespace) => `lapwing.pkce.${namespace}`
  const kept = (namespace: PkceNamespace) => parseJson(isPair, store.get(key(namespace)))
  return {
    async pair(namespace, { anew } = { anew: false }) {
      const old = anew ? null : kept(namespace)
      if (old) return old
      const made = await createPkcePair(crypto)
      store.set(key(namespace), JSON.stringify(made))
      return made
    },
    verifier: namespace => kept(namespace)?.codeVerifier ?? null,
    clear: namespace => store.remove(key(namespace)),
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
