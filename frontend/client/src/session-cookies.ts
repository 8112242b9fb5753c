import { createSessionCookie } from './session-cookie.ts'

/**
 * Stores a session as the provider's own client does, in cookies of the page: `stytch_session` has the opaque
 * token, and `stytch_session_jwt` the signed one. Empty tokens mean that scripts cannot read them.
 */
export function createSessionCookies(page: {
  readonly document: Pick<Document, 'cookie'>
  readonly location: Pick<URL, 'protocol'>
}) {
  const opaque = createSessionCookie(page)
  const signed = createSessionCookie(page, 'stytch_session_jwt')
  return {
    token: opaque.get,
    store({ token, jwt, expiresAt }: StoredSession): void {
      const lifetime = { expiresAtMs: Date.parse(expiresAt), remember: true }
      opaque.set(token, lifetime)
      signed.set(jwt, lifetime)
    },
    clear(): void {
      opaque.clear()
      signed.clear()
    },
  }
}

export type SessionCookies = ReturnType<typeof createSessionCookies>

interface StoredSession {
  readonly token: string
  readonly jwt: string
  /** RFC 3339. */
  readonly expiresAt: string
}
