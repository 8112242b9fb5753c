import { createApiFetch } from '#shared/api/api-fetch.ts'
import { newRequestId } from '#shared/api/request-id.ts'
import type { Notify } from '#shared/notify/notify.ts'
import { createAuthorisedFetch, createOptionalFetch } from '#shared/session/authorised-fetch.ts'
import { createIdentityClient, type IdentityConfig } from '#shared/session/identity-client.ts'
import { createPkceStore } from '#shared/session/pkce.ts'
import { createSessionCookie } from '#shared/session/session-cookie.ts'
import { createSessionKeeper, type TabMessage } from '#shared/session/session-keeper.ts'
import { createTabLink } from '#shared/session/tab-link.ts'
import { createTokenStore } from '#shared/session/token-store.ts'
import { localStore } from '#shared/storage/local-store.ts'
import { sessionStore } from '#shared/storage/session-store.ts'
import { after, wait } from '#shared/time/timers.ts'
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
  const { document, location, navigator } = window
  const browserFetch = window.fetch.bind(window)
  const warn = (sentence: string, ...more: unknown[]) => console.warn(sentence, ...more)
  const nowMs = Date.now

  const cookie = createSessionCookie({ document, location })
  const identity = createIdentityClient({
    fetch: browserFetch,
    config,
    sessionToken: cookie.get,
    pkce: createPkceStore(localStore, window.crypto),
    pageOrigin: location.origin,
    newId: newRequestId,
    now: () => new Date(),
    warn,
  })
  const session = createSessionKeeper({
    identity,
    tokens: createTokenStore(sessionStore),
    cookie,
    store: localStore,
    tabs: createTabLink<TabMessage>({
      name: 'lapwing.session',
      BroadcastChannel: window.BroadcastChannel,
      locks: navigator.locks,
      otherTabs: window,
      delay: ms => wait(after, ms),
    }),
    nowMs,
    random: Math.random,
    after,
    warn,
  })
  const apiFetch = createApiFetch({ fetch: browserFetch, newRequestId })
  const authorised = createAuthorisedFetch({ fetch: apiFetch, session })
  const account: Account = {
    identity,
    session,
    api: createAccountApi({
      baseUrl: `${location.origin}/api`,
      authorised,
      optional: createOptionalFetch({ fetch: apiFetch, session }),
    }),
    notify,
    usernameMarks: createUsernameMarks(localStore),
    preferenceCache: createPreferenceCache(localStore, nowMs),
    returnFlags: createReturnFlags({ local: localStore, session: sessionStore }),
    resetEmail: createResetEmail(localStore, nowMs),
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
