import { createSessionCookie } from './session-cookie.ts'

/** Minutes for which a sign-in that lacks its second factor can be continued. */
const MINUTES = 10
const NAME = 'stytch_intermediate_session_token'

/**
 * Stores the token of a session that lacks its second factor, so that a reload continues the sign-in. The
 * cookie ends after 10 minutes, or when it is cleared.
 */
export function createIntermediateCookie(page: {
  readonly document: Pick<Document, 'cookie'>
  readonly location: Pick<URL, 'protocol'>
  readonly nowMs: () => number
}) {
  const cookie = createSessionCookie(page, NAME)
  return {
    get: cookie.get,
    set: (token: string) =>
      cookie.set(token, { expiresAtMs: page.nowMs() + MINUTES * 60_000, remember: true }),
    clear: cookie.clear,
  }
}
