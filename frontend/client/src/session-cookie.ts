/**
 * The long-lived, opaque session token, which gets new session tokens.
 *
 * If the provider stores it in an HttpOnly cookie, it answers an empty token. Scripts then never see the
 * token, which is safest, and nothing is stored here.
 *
 * Otherwise it goes where the provider's own client stores it: a Lax and Secure cookie of the page's own
 * host. A cookie, unlike local storage, ends by itself with the session, or with the browser if the driver
 * does not want to be remembered. The product's API does not accept it (D-14), so other sites cannot use it.
 */
export type SessionCookie = ReturnType<typeof createSessionCookie>

interface CookieLifetime {
  readonly expiresAtMs: number
  /** If false, the cookie ends with the browser, or earlier. */
  readonly remember: boolean
}

interface CookieDeps {
  readonly document: Pick<Document, 'cookie'>
  /** The page's location. On https the cookie is for TLS only. */
  readonly location: Pick<URL, 'protocol'>
}

/** The cookie name of the provider's own client. */
const NAME = 'stytch_session'

export function createSessionCookie({ document, location }: CookieDeps, name = NAME) {
  // Browsers refuse a Secure cookie on plain http; some do so on localhost, too.
  const attributes = `; Path=/; SameSite=Lax${location.protocol === 'https:' ? '; Secure' : ''}`
  const clear = () => {
    document.cookie = `${name}=${attributes}; Expires=${new Date(0).toUTCString()}`
  }
  return {
    get() {
      const found = document.cookie.split('; ').find(pair => pair.startsWith(`${name}=`))
      if (found === undefined) return null
      return decode(found.slice(name.length + 1)) || null
    },
    /** Stores the token. An empty one means that scripts cannot read it. */
    set(token: string, { expiresAtMs, remember }: CookieLifetime) {
      if (token === '') return clear()
      const end = remember ? `; Expires=${new Date(expiresAtMs).toUTCString()}` : ''
      document.cookie = `${name}=${encodeURIComponent(token)}${attributes}${end}`
    },
    clear,
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
