import type { Notify } from '#shared/notify/notify.ts'
import type { IdentityClient } from '#shared/session/identity-client.ts'
import type { SessionKeeper } from '#shared/session/session-keeper.ts'
import type { After } from '#shared/time/timers.ts'
import type { AccountApi } from './account-api.ts'
import type { PreferenceCache } from './preference-cache.ts'
import type { ResetEmail } from './reset-email.ts'
import type { ReturnFlags } from './return-flags.ts'
import type { UsernameMarks } from './username-marks.ts'

/** What everything about accounts stands on; made once, in `src/app/create-page-deps.ts`. */
export interface Account {
  readonly identity: IdentityClient
  readonly session: SessionKeeper
  readonly api: AccountApi
  readonly notify: Notify
  readonly usernameMarks: UsernameMarks
  readonly preferenceCache: PreferenceCache
  readonly returnFlags: ReturnFlags
  readonly resetEmail: ResetEmail
  readonly page: AccountPage
  readonly warn: (sentence: string, error: unknown) => void
}

/** What of the browser is used. */
interface AccountPage {
  readonly after: After
  /** Leaves the page, for an address of this or another site. */
  readonly leaveFor: (url: string) => void
  readonly reload: () => void
  /** Resolves when what is open is kept for when the browser comes back, or soon if it cannot be. */
  readonly keepOpen: () => Promise<void>
  /** Forgets the open files that this browser keeps, of all tabs. Resolves soon, and never rejects. */
  readonly forgetOpen: () => Promise<void>
}
