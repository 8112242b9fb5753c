import { createClient } from '@lapwing/identity-client/create-client'
import type { IdentityConfig } from '@lapwing/identity-client/transport'
import { createApiFetch } from '#shared/api/api-fetch.ts'
import { newRequestId } from '#shared/api/request-id.ts'
import type { Notify } from '#shared/notify/notify.ts'
import { createAuthorisedFetch, createOptionalFetch } from '#shared/session/authorised-fetch.ts'
import { localStore } from '#shared/storage/local-store.ts'
import { sessionStore } from '#shared/storage/session-store.ts'
import { after } from '#shared/time/timers.ts'
import type { Account } from './account.ts'
import { createAccountApi } from './account-api.ts'
import { createPreferenceCache } from './preference-cache.ts'
import { createResetEmail } from './reset-email.ts'
import { createReturnFlags } from './return-flags.ts'
import { createUsernameMarks } from './username-marks.ts'

interface AccountEnvironment {
  readonly window: Window & typeof globalThis
  /** Resolves with null if this deployment has no accounts. */
  readonly config: () => Promise<IdentityConfig | null>
  readonly notify: Notify
  readonly keepOpen: () => Promise<void>
  readonly forgetOpen: () => Promise<void>
}

/** Wires accounts together. Other features use `authorised` for calls that need a session. */
export function createAccount(env: AccountEnvironment): {
  readonly account: Account
  readonly authorised: typeof fetch
} {
  const { window, config, notify, keepOpen, forgetOpen } = env
  const { location } = window
  const warn = (sentence: string, ...more: unknown[]) => console.warn(sentence, ...more)
  const { client, session } = createClient({
    window,
    config,
    localStore,
    sessionStore,
    warn,
  })
  const apiFetch = createApiFetch({ fetch: window.fetch.bind(window), newRequestId })
  const authorised = createAuthorisedFetch({ fetch: apiFetch, session })
  const account: Account = {
    client,
    session,
    api: createAccountApi({
      baseUrl: `${location.origin}/api`,
      authorised,
      optional: createOptionalFetch({ fetch: apiFetch, session }),
    }),
    notify,
    usernameMarks: createUsernameMarks(localStore),
    preferenceCache: createPreferenceCache(localStore, Date.now),
    returnFlags: createReturnFlags({ local: localStore, session: sessionStore }),
    resetEmail: createResetEmail(localStore, Date.now),
    page: {
      after,
      leaveFor: url => location.assign(url),
      reload: () => location.reload(),
      keepOpen,
      forgetOpen,
    },
    warn,
  }
  return { account, authorised }
}
