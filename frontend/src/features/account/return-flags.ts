import type { KeyValueStore } from '#shared/storage/safe-storage.ts'

/** What must be known when the browser comes back from a provider's page. */
export interface ReturnFlags {
  /** Compare mode is turned on after signing in; it was what the person wanted when they had to. */
  wantCompare(wanted: boolean): void
  /**
   * Notes whether the box "I agree to the Terms of Service and Privacy Policy" was ticked when the browser left the
   * sign-up form for a provider. For this tab only, until the browser comes back.
   */
  setTermsAgreed(isAgreed: boolean): void
  /** Answers whether compare mode was wanted, and forgets both. */
  takeCompare(): boolean
}

interface ReturnFlagsDeps {
  readonly local: KeyValueStore
  readonly session: KeyValueStore
}

const COMPARE_KEY = 'lapwing.enable-compare'
/** The consent flag of the specification. */
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
