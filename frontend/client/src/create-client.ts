import { newRequestId } from '../../src/shared/api/request-id.ts'
import type { KeyValueStore } from '../../src/shared/storage/safe-storage.ts'
import { after, wait } from '../../src/shared/time/timers.ts'
import type { Client } from './client.ts'
import { createSessionCookie } from './session-cookie.ts'
import { createSessionKeeper, type SessionKeeper, type TabMessage } from './session-keeper.ts'
import { createTabLink } from './tab-link.ts'
import { createTokenStore } from './token-store.ts'
import { createTransport, type Transport, type TransportDeps } from './transport.ts'

export interface ClientEnvironment extends Pick<TransportDeps, 'config'> {
  readonly window: Window & typeof globalThis
  readonly localStore: KeyValueStore
  /** Ends with the tab. */
  readonly sessionStore: KeyValueStore
  readonly warn: (sentence: string) => void
  readonly sessionMinutes?: number | undefined
  /** Changes how calls are sent. */
  readonly wrap?: (transport: Transport) => Transport
}

/** Minutes that a new session lasts if the page does not say it. */
const SESSION_MINUTES = 60

/** Creates the client and the session of a browser's page. The session restores itself when it is started. */
export function createClient(env: ClientEnvironment): {
  readonly client: Client
  readonly session: SessionKeeper
} {
  const { window, localStore, sessionStore, warn, config, sessionMinutes = SESSION_MINUTES, wrap } = env
  const { document, location, navigator } = window
  const cookie = createSessionCookie({ document, location })
  const transport = createTransport({
    fetch: window.fetch.bind(window),
    config,
    sessionToken: cookie.get,
    pageOrigin: location.origin,
    newId: newRequestId,
    now: () => new Date(),
  })
  const client: Client = {
    ...(wrap ? wrap(transport) : transport),
    pageOrigin: location.origin,
    store: localStore,
    sessionMinutes,
    hasSession: () => session.get().status === 'signed-in',
    warn,
  }
  const session = createSessionKeeper({
    client,
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
    nowMs: Date.now,
    random: Math.random,
    after,
  })
  return { client, session }
}
