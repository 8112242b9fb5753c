import type { KeyValueStore } from '#shared/storage/safe-storage.ts'

/** Facts that survive the visit to a provider's page. */
export type ReturnFlags = ReturnType<typeof createReturnFlags>

interface ReturnFlagsDeps {
  readonly local: KeyValueStore
  readonly session: KeyValueStore
}

const COMPARE_KEY = 'lapwing.enable-compare'
const CONSENT_KEY = 'lapwing.consent-request'
/** The specification's consent flag. */
const TERMS_AGREED_KEY = 'lapwing.terms-agreed'

export function createReturnFlags({ local, session }: ReturnFlagsDeps) {
  const setFlag = (store: KeyValueStore, key: string, isSet: boolean) =>
    isSet ? store.set(key, '1') : store.remove(key)
  return {
    /** Requests compare mode, or cancels the request. It turns on after the driver has signed in. */
    wantCompare: (isWanted: boolean) => setFlag(local, COMPARE_KEY, isWanted),
    /**
     * Stores whether "I agree to the Terms of Service and Privacy Policy" was checked when the browser left the
     * sign-up form for a provider. Valid in this tab only, until the browser comes back.
     */
    setTermsAgreed: (isAgreed: boolean) => setFlag(session, TERMS_AGREED_KEY, isAgreed),
    /** Stores the query of a consent page that a visitor signs in for; null clears it. Valid in this tab only. */
    wantConsent(query: string | null) {
      if (query === null) session.remove(CONSENT_KEY)
      else session.set(CONSENT_KEY, query)
    },
    /** Returns the address of the consent page that a visitor signs in for; null without one. Clears it. */
    takeConsent() {
      const query = session.get(CONSENT_KEY)
      session.remove(CONSENT_KEY)
      return query === null ? null : `/consent?${query}`
    },
    /** Returns whether compare mode was requested, and clears both flags. */
    takeCompare() {
      const wanted = local.get(COMPARE_KEY) === '1'
      local.remove(COMPARE_KEY)
      session.remove(TERMS_AGREED_KEY)
      return wanted
    },
  }
}
