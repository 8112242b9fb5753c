import type { KeyValueStore } from '#shared/storage/safe-storage.ts'

/** Facts that survive the visit to a provider's page. */
export interface ReturnFlags {
  /** Requests compare mode, or cancels the request. It turns on after the driver has signed in. */
  wantCompare(wanted: boolean): void
  /**
   * Stores whether "I agree to the Terms of Service and Privacy Policy" was checked when the browser left the sign-up
   * form for a provider. Valid in this tab only, until the browser comes back.
   */
  setTermsAgreed(isAgreed: boolean): void
  /** Returns whether compare mode was requested, and clears both flags. */
  takeCompare(): boolean
}

interface ReturnFlagsDeps {
  readonly local: KeyValueStore
  readonly session: KeyValueStore
}

const COMPARE_KEY = 'lapwing.enable-compare'
/** The specification's consent flag. */
const TERMS_AGREED_KEY = 'lapwing.terms-agreed'

export function createReturnFlags({ local, session }: ReturnFlagsDeps): ReturnFlags {
  return {
    wantCompare(wanted) {
      if (wanted) local.set(COMPARE_KEY, '1')
      else local.remove(COMPARE_KEY)
    },
    setTermsAgreed(isAgreed) {
      if (isAgreed) session.set(TERMS_AGREED_KEY, '1')
      else session.remove(TERMS_AGREED_KEY)
    },
    takeCompare() {
      const wanted = local.get(COMPARE_KEY) === '1'
      local.remove(COMPARE_KEY)
      session.remove(TERMS_AGREED_KEY)
      return wanted
    },
  }
}
