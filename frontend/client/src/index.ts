import { safeStorage } from '../../src/shared/storage/safe-storage.ts'
import type { Readable } from '../../src/shared/store/store.ts'
import { isAuthorized } from './access.ts'
import type { Client } from './client.ts'
import type { IdentityUser } from './contract.ts'
import { createClient } from './create-client.ts'
import { createEventQueue, type UseEvent } from './event-queue.ts'
import { type CaptchaProof, guarded } from './guarded.ts'
import { type Info, sessionInfo, userInfo, viewOf } from './info.ts'
import { createPasswords } from './passwords.ts'
import type { SessionFacts } from './session-facts.ts'
import type { SessionKeeper } from './session-keeper.ts'
import { createSessions } from './sessions.ts'
import { createUsers } from './users.ts'

export type { Client } from './client.ts'
export type { Authenticated, IdentityUser, PasswordStrength } from './contract.ts'
export {
  ApiError,
  CaptchaError,
  ClientError,
  InvalidJsonError,
  isSessionLost,
  SchemaError,
  SessionUnconfirmedError,
  UnreachableError,
  UsageError,
} from './errors.ts'
export type { CaptchaProof } from './guarded.ts'
export type { Info } from './info.ts'
export { lacksSecondFactor } from './second-factor.ts'
export type { SessionFacts } from './session-facts.ts'
export type { SessionKeeper, SessionState } from './session-keeper.ts'

export interface IdentityClientOptions {
  readonly publicToken: string
  /** Origin or domain of identity; the page's own origin if left out. */
  readonly baseUrl?: string
  /** Minutes that a new session lasts: 60 if left out. */
  readonly sessionMinutes?: number
  /** Asks a captcha service, if the server requires it. */
  readonly captcha?: () => Promise<CaptchaProof>
  /** Receives warnings for developers: the console if left out. */
  readonly warn?: (sentence: string) => void
  /** The browser: another one only in tests. */
  readonly window?: Window & typeof globalThis
}

/** The client of a page: the session of this browser, and the calls about sessions, accounts and passwords. */
export interface IdentityClient extends Client {
  readonly session: SessionKeeper
  readonly sessionInfo: Readable<Info<SessionFacts>>
  readonly userInfo: Readable<Info<IdentityUser>>
  readonly sessions: ReturnType<typeof createSessions>
  readonly users: ReturnType<typeof createUsers>
  readonly passwords: ReturnType<typeof createPasswords>
  /** Returns whether the signed-in person may do this, by their roles. */
  isAuthorized(resource: string, action: string): Promise<boolean>
  /** Reports how the page is used. Events are sent 15 at a time, or 800 ms after the first. */
  track(name: string, details?: UseEvent['details']): void
}

/** Creates the client and starts its session. A page has one. */
export function createIdentityClient(options: IdentityClientOptions): IdentityClient {
  const { publicToken, sessionMinutes, captcha, window = globalThis.window } = options
  const warn = options.warn ?? (sentence => console.warn(sentence))
  if (!publicToken.startsWith('public-token-')) {
    warn('The public token should start with "public-token-".')
  }
  const baseUrl = originOf(options.baseUrl ?? '')
  if (baseUrl === null) {
    warn(`"${options.baseUrl}" is not a valid domain. The page’s own origin is used instead.`)
  }
  const { client, session } = createClient({
    window,
    config: async () => ({ baseUrl: baseUrl ?? '', publicToken }),
    wrap: transport => guarded(transport, captcha),
    localStore: safeStorage(() => window.localStorage),
    sessionStore: safeStorage(() => window.sessionStorage),
    warn,
    sessionMinutes,
  })
  const queue = createEventQueue(client.sendEvents, window)
  // The same object, because products find their project by it.
  const identity: IdentityClient = Object.assign(client, {
    session,
    sessionInfo: viewOf(session, sessionInfo),
    userInfo: viewOf(session, userInfo),
    sessions: createSessions(client),
    users: createUsers(client),
    passwords: createPasswords(client),
    async isAuthorized(resource: string, action: string) {
      const state = session.get()
      const roles = state.status === 'signed-in' ? (state.user?.roles ?? []) : []
      return isAuthorized(client, roles, resource, action)
    },
    track: queue.add,
  })
  session.start()
  queue.add('sdk_instance_instantiated')
  return identity
}

/** Returns the origin of an address or a domain; null if it is neither. */
function originOf(address: string): string | null {
  if (address === '') return ''
  const url = URL.parse(/^https?:\/\//.test(address) ? address : `https://${address}`)
  return url !== null && /^(?:localhost|\[.+\]|.+\..+)$/.test(url.hostname) ? url.origin : null
}
