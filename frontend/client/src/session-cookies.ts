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
  const attributes = `; Path=/; SameSite=Lax${page.location.protocol === 'https:' ? '; Secure' : ''}`
  const setJwt = (value: string, expires: Date) => {
    page.document.cookie = `stytch_session_jwt=${value}${attributes}; Expires=${expires.toUTCString()}`
  }
  return {
    token: opaque.get,
    store({ token, jwt, expiresAt }: StoredSession): void {
      const expires = new Date(expiresAt)
      opaque.set(token, { expiresAtMs: expires.getTime(), remember: true })
      setJwt(jwt, jwt === '' ? new Date(0) : expires)
    },
    clear(): void {
      opaque.clear()
      setJwt('', new Date(0))
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
