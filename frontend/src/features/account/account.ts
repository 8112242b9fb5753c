import type { Client } from '@lapwing/identity-client/client'
import type { SessionKeeper } from '@lapwing/identity-client/session-keeper'
import type { Notify } from '#shared/notify/notify.ts'
import type { After } from '#shared/time/timers.ts'
import type { AccountApi } from './account-api.ts'
import type { PreferenceCache } from './preference-cache.ts'
import type { ResetEmail } from './reset-email.ts'
import type { ReturnFlags } from './return-flags.ts'
import type { UsernameMarks } from './username-marks.ts'

/** Everything that accounts need. Created once, in `src/app/create-page-deps.ts`. */
export interface Account {
  /** Of identity. Each part of the dialogs creates the calls that it needs. */
  readonly client: Client
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

/** The parts of the browser that accounts use. */
interface AccountPage {
  readonly after: After
  /** Leaves the page for an address of this or another site. */
  readonly leaveFor: (url: string) => void
  readonly reload: () => void
  /** Resolves when the open file is stored, so that it is open again when the browser comes back. Never waits long. */
  readonly keepOpen: () => Promise<void>
  /** Deletes the stored open files of all tabs. Resolves soon and never rejects. */
  readonly forgetOpen: () => Promise<void>
}
