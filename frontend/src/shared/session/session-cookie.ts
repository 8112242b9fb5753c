/**
 * The long-lived, opaque session token, by which new session tokens are had.
 *
 * Where the provider keeps it in an HttpOnly cookie (it then answers an empty token) scripts never
 * see it, which is the safest, and nothing is stored here. Otherwise it goes where the provider's own
 * client keeps it: a cookie of the page's own host, Lax and Secure. A cookie rather than local storage,
 * because it ends by itself when the session does, or with the browser where the person does not want
 * to be remembered. The product's API is never opened by it (D-14), so it cannot be used across sites.
 */
export interface SessionCookie {
  get(): string | null
  /** An empty token means that the browser holds it out of reach of scripts. */
  set(token: string, lifetime: CookieLifetime): void
  clear(): void
}

interface CookieLifetime {
  readonly expiresAtMs: number
  /** False: it ends with the browser, if not before. */
  readonly remember: boolean
}

interface CookieDeps {
  /** `document`, of which only the cookies are used. */
  readonly document: { cookie: string }
  /** Of the page; decides whether the cookie is for TLS alone. */
  readonly location: Pick<URL, 'protocol'>
}

/** The name the provider's own client uses. */
const NAME = 'stytch_session'

export function createSessionCookie({ document, location }: CookieDeps): SessionCookie {
  // A cookie marked Secure is refused on plain http, also on localhost by some browsers.
  const attributes = `; Path=/; SameSite=Lax${location.protocol === 'https:' ? '; Secure' : ''}`
  const clear = () => {
    document.cookie = `${NAME}=${attributes}; Expires=${new Date(0).toUTCString()}`
  }
  return {
    get() {
      const found = document.cookie.split('; ').find(pair => pair.startsWith(`${NAME}=`))
      if (found === undefined) return null
      return decode(found.slice(NAME.length + 1)) || null
    },
    set(token, { expiresAtMs, remember }) {
      if (token === '') return clear()
      const end = remember ? `; Expires=${new Date(expiresAtMs).toUTCString()}` : ''
      document.cookie = `${NAME}=${encodeURIComponent(token)}${attributes}${end}`
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
