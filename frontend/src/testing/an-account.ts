import type { Account } from '#features/account/account.ts'
import { createAccountApi } from '#features/account/account-api.ts'
import { createPreferenceCache } from '#features/account/preference-cache.ts'
import { createResetEmail } from '#features/account/reset-email.ts'
import { createReturnFlags } from '#features/account/return-flags.ts'
import { createUsernameMarks } from '#features/account/username-marks.ts'
import { createAuthorisedFetch, createOptionalFetch } from '#shared/session/authorised-fetch.ts'
import { aBrowser } from './a-session.ts'
import { createFakeAccount } from './fake-account.ts'
import { memoryStore } from './memory-store.ts'

/** Returns the account code of one tab, over a provider and an account service in memory. */
export function anAccount() {
  const browser = aBrowser()
  const tab = browser.openTab()
  tab.keeper.start()
  const service = createFakeAccount(browser.identity)
  const stored = new Map<string, string>()
  const store = memoryStore(stored)
  const notices: string[] = []
  const warnings: string[] = []
  const marks = createUsernameMarks(store)
  let reloads = 0
  let forgotten = 0
  const fetch = (input: RequestInfo | URL, init?: RequestInit) => service.handle(new Request(input, init))
  const account: Account = {
    client: tab.client,
    session: tab.keeper,
    api: createAccountApi({
      baseUrl: 'https://lapwing.test/api',
      authorised: createAuthorisedFetch({ fetch, session: tab.keeper }),
      optional: createOptionalFetch({ fetch, session: tab.keeper }),
    }),
    notify: {
      success: sentence => void notices.push(`success: ${sentence}`),
      info: sentence => void notices.push(`info: ${sentence}`),
      error: sentence => void notices.push(`error: ${sentence}`),
    },
    usernameMarks: marks,
    preferenceCache: createPreferenceCache(store, browser.clock.nowMs),
    returnFlags: createReturnFlags({ local: store, session: store }),
    resetEmail: createResetEmail(store, browser.clock.nowMs),
    page: {
      after: browser.clock.after,
      leaveFor: () => {},
      reload: () => void reloads++,
      keepOpen: async () => {},
      forgetOpen: async () => void forgotten++,
    },
    warn: sentence => void warnings.push(sentence),
  }
  return {
    account,
    identity: browser.identity,
    clock: browser.clock,
    cookies: browser.document,
    calls: () => service.calls,
    answerNext: service.answerNext,
    notices,
    warnings,
    marks,
    stored,
    reloads: () => reloads,
    /** Returns how often all stored files were deleted. */
    forgotten: () => forgotten,
  }
}
