import type { Client } from '@lapwing/identity-client/client'
import { createPasswords } from '@lapwing/identity-client/passwords'
import { createSessionCookie } from '@lapwing/identity-client/session-cookie'
import { createSessionKeeper, type TabMessage } from '@lapwing/identity-client/session-keeper'
import type { TabLink } from '@lapwing/identity-client/tab-link'
import { createTokenStore } from '@lapwing/identity-client/token-store'
import { createTransport } from '@lapwing/identity-client/transport'
import { createCookieJar } from './cookie-jar.ts'
import { createFakeIdentity } from './fake-identity.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'
import { memoryStore } from './memory-store.ts'

const driver = { email: 'driver@lapwing.test', password: 'correct horse' }

/** Returns one browser: a clock, a provider, and what its tabs share. */
export function aBrowser() {
  const clock = createManualClock()
  /** Milliseconds by which the provider's clock is ahead of this browser's. */
  const provider = { aheadMs: 0 }
  const identity = createFakeIdentity({ nowMs: () => clock.nowMs() + provider.aheadMs })
  identity.addUser(driver)
  const document = createCookieJar(clock.nowMs)
  const local = new Map<string, string>()
  const links: { hear: ((message: unknown) => void)[]; changed: Map<string, () => void> }[] = []
  let lock = Promise.resolve()

  /** Delivers storage events and messages to the other tabs only. */
  function linkTab(): TabLink<TabMessage> {
    const own = { hear: [] as ((message: unknown) => void)[], changed: new Map<string, () => void>() }
    links.push(own)
    return {
      post(message) {
        const copy = structuredClone(message)
        for (const other of links)
          if (other !== own) for (const hear of other.hear) queueMicrotask(() => hear(copy))
      },
      listen: onMessage => void own.hear.push(onMessage),
      watch: (key, onChange) => void own.changed.set(key, onChange),
      exclusively(work) {
        const before = lock
        let isFree = false
        void before.then(() => {
          isFree = true
        })
        const done = Promise.resolve()
          .then(() => isFree)
          .then(async wasFree => {
            await before
            return work(!wasFree)
          })
        lock = done.then(
          () => {},
          () => {},
        )
        return done
      },
    }
  }

  /** Opens a tab, as after a reload. It shares cookies and local storage, and has its own session storage. */
  function openTab({ session = new Map<string, string>() } = {}) {
    const tabs = linkTab()
    const own = links.at(-1)!
    const store = memoryStore(local)
    const cookie = createSessionCookie({ document, location: { protocol: 'https:' } })
    const warnings: string[] = []
    const client: Client = {
      ...createTransport({
        fetch: (input, init) => identity.handle(new Request(input, init)),
        config: async () => ({ baseUrl: 'https://lapwing.test', publicToken: 'public-token-test-1' }),
        sessionToken: cookie.get,
        pageOrigin: 'https://lapwing.test',
        newId: () => 'id',
        now: () => new Date(clock.nowMs()),
      }),
      pageOrigin: 'https://lapwing.test',
      store,
      sessionMinutes: 60,
      hasSession: () => keeper.get().status === 'signed-in',
      warn: sentence => void warnings.push(sentence),
    }
    const tokens = createTokenStore(memoryStore(session))
    const keeper = createSessionKeeper({
      client,
      tokens,
      cookie,
      store: {
        ...store,
        set(key, value) {
          store.set(key, value)
          for (const other of links) if (other !== own) other.changed.get(key)?.()
        },
        remove(key) {
          if (!local.has(key)) return
          store.remove(key)
          for (const other of links) if (other !== own) other.changed.get(key)?.()
        },
      },
      tabs,
      nowMs: clock.nowMs,
      random: () => 0.5,
      after: clock.after,
    })
    let expired = 0
    keeper.onExpired(() => expired++)
    return { keeper, client, tokens, warnings, session, expired: () => expired }
  }

  return { clock, provider, identity, document, local, openTab, driver }
}

export type Browser = ReturnType<typeof aBrowser>
export type Tab = ReturnType<Browser['openTab']>
export type { ManualClock }

/** Returns a tab in which the driver has signed in. */
export async function signedIn(browser: Browser, options?: { readonly remember: boolean }): Promise<Tab> {
  const tab = browser.openTab()
  tab.keeper.start()
  const { email, password } = browser.driver
  tab.keeper.adopt(await createPasswords(tab.client).authenticate({ email, password }), options)
  return tab
}
