import {
  exactly,
  fieldsOf,
  finite,
  flag,
  optional,
  parseJson,
  type Shape,
  text,
} from '../../src/shared/api/shapes.ts'
import type { KeyValueStore } from '../../src/shared/storage/safe-storage.ts'
import { createStore, type Readable } from '../../src/shared/store/store.ts'
import type { After } from '../../src/shared/time/timers.ts'
import { createAttemptLimit } from './attempt-limit.ts'
import type { Client } from './client.ts'
import { clockOffsetMs } from './clock-offset.ts'
import type { Authenticated, IdentityUser } from './contract.ts'
import { isSessionLost, SessionUnconfirmedError } from './errors.ts'
import { backoffMs, REFRESH_EVERY_MS } from './refresh-schedule.ts'
import { lacksSecondFactor } from './second-factor.ts'
import type { SessionCookie } from './session-cookie.ts'
import { hasEnded, isFacts, isValidSession, readSession, type SessionFacts } from './session-facts.ts'
import { isStaleToken, isUsableToken, tokenOfAnswer } from './session-token.ts'
import { createSessions } from './sessions.ts'
import type { TabLink } from './tab-link.ts'
import type { TokenStore } from './token-store.ts'

/** The state of the session. `user` is null until the provider has answered in this tab. */
export type SessionState =
  | { readonly status: 'signed-out' }
  | { readonly status: 'signed-in'; readonly session: SessionFacts; readonly user: IdentityUser | null }

const SIGNED_OUT: SessionState = { status: 'signed-out' }

/** Returns the id of the signed-in driver; null for a visitor. */
export function userIdOf(state: SessionState): string | null {
  return state.status === 'signed-in' ? state.session.userId : null
}

/** Holds the session of this browser and keeps it fresh. */
export interface SessionKeeper extends Readable<SessionState> {
  /** Restores this browser's session, and begins to refresh it in the background. */
  start(): void
  /**
   * Starts the session of a provider's answer. Returns false if the answer has none, or one that lacks its
   * second factor.
   */
  adopt(answer: Authenticated, options?: { readonly remember: boolean }): boolean
  /**
   * Resolves to a token for a call: the current one, or a new one if that is missing or near its end; null
   * without a session. Rejects with `SessionUnconfirmedError` if the session may be valid but no token is
   * available now.
   */
  token(): Promise<string | null>
  /** Resolves to a newer token than the refused one; null without a session. Rejects as `token` does. */
  refreshToken(refused: string): Promise<string | null>
  /** Extends the session and resolves to its token; null if it has ended. Rejects as `token` does. */
  reauthenticate(): Promise<string | null>
  /** @throws if the provider did not end the session; the driver is then still signed in */
  signOut(): Promise<void>
  /** Ends the session as expired. Works once, for any number of calls. */
  expire(): void
  /** Calls back after a session ended without a sign-out. */
  onExpired(listener: () => void): () => void
}

interface SessionKeeperDeps {
  readonly client: Client
  readonly tokens: TokenStore
  readonly cookie: SessionCookie
  /** Storage that all tabs share. */
  readonly store: KeyValueStore
  readonly tabs: TabLink<TabMessage>
  readonly nowMs: () => number
  readonly random: () => number
  readonly after: After
}

/** Sent by a tab that has a newer token, so that other tabs need not request one. */
export interface TabMessage {
  readonly kind: 'fresh'
  readonly session: SessionFacts
  readonly user: IdentityUser
  readonly token: string
  readonly offsetMs?: number | undefined
}

/** Each kind has its own limit, so that one cannot use up the other's attempts. */
type RefreshKind = 'jwt_refresh' | 'session_refresh'
const ATTEMPTS = { max: 10, windowMs: 60_000 } as const

type Outcome =
  | { readonly kind: 'fresh'; readonly token: string | null }
  /** There is no session any more. */
  | { readonly kind: 'ended' }
  /** No token now: too many attempts, or the provider cannot be reached. */
  | { readonly kind: 'failed' }

/** The data that all tabs share, under one key. */
interface Remembered {
  readonly session: SessionFacts
  readonly remember?: boolean | undefined
  /** Whether the opaque token is in a cookie that scripts cannot read. */
  readonly isHidden?: boolean | undefined
  /** Milliseconds by which the provider's clock is ahead of this machine's. */
  readonly offsetMs?: number | undefined
}

export const SESSION_KEY = 'lapwing.session'

export function createSessionKeeper(deps: SessionKeeperDeps): SessionKeeper {
  const { client, tokens, cookie, store, tabs, nowMs, random, after } = deps
  const { warn } = client
  const sessions = createSessions(client)
  const { get, subscribe, set } = createStore<SessionState>(SIGNED_OUT)
  const expiredListeners = new Set<() => void>()
  const mayTry: Record<RefreshKind, () => boolean> = {
    jwt_refresh: createAttemptLimit({ ...ATTEMPTS, nowMs }),
    session_refresh: createAttemptLimit({ ...ATTEMPTS, nowMs }),
  }
  let offsetMs = 0
  /** Returns the provider's time, by which sessions and tokens end. */
  const providerMs = () => nowMs() + offsetMs
  let flight: Promise<Outcome> | null = null
  let stopTimer = () => {}

  const facts = () => {
    const state = get()
    return state.status === 'signed-in' ? state.session : null
  }
  const sessionId = () => facts()?.sessionId ?? null

  const forget = () => {
    stopTimer()
    tokens.clear()
    cookie.clear()
    store.remove(SESSION_KEY)
    set(SIGNED_OUT)
  }
  const expire = () => {
    if (facts() === null) return
    forget()
    warn('The session has ended and could not be renewed; the person must sign in again.')
    for (const listener of expiredListeners) listener()
  }

  /** Follows a change by another tab, so it writes nothing. */
  const followStore = () => {
    const remembered = readRemembered(store)
    const state = get()
    offsetMs = remembered?.offsetMs ?? offsetMs
    if (!remembered || !isValidSession(remembered.session, providerMs())) {
      stopTimer()
      tokens.clear()
      set(SIGNED_OUT)
    } else if (remembered.session.sessionId !== sessionId()) {
      tokens.clear()
      set({ status: 'signed-in', session: remembered.session, user: null })
      // The other tab's token should arrive soon; if not, this tab requests one.
      schedule(MESSAGE_WAIT_MS, 0)
    } else if (state.status === 'signed-in') {
      set({ ...state, session: remembered.session })
    }
  }

  function adopt(answer: Authenticated, options?: { readonly remember: boolean }): boolean {
    const session = readSession(answer.session)
    offsetMs = clockOffsetMs(answer.session, nowMs())
    if (!session || !isValidSession(session, providerMs()) || lacksSecondFactor(answer)) return false
    const before = readRemembered(store)
    const remember =
      options?.remember ??
      (before?.session.sessionId === session.sessionId ? (before.remember ?? false) : true)
    const opaque = answer.session_token
    // The browser ends a cookie by this machine's clock.
    cookie.set(opaque, { expiresAtMs: session.expiresAtMs - offsetMs, remember })
    const token = tokenOfAnswer(answer)
    tokens.set(token)
    const remembered: Remembered = { session, remember, isHidden: opaque === '', offsetMs }
    store.set(SESSION_KEY, JSON.stringify(remembered))
    const user = answer.user
    set({ status: 'signed-in', session, user })
    tabs.post({ kind: 'fresh', session, user, token, offsetMs })
    schedule(REFRESH_EVERY_MS, 0)
    return true
  }

  const hear = (message: unknown) => {
    if (!isTabMessage(message)) return
    const { session, user, token } = message
    offsetMs = message.offsetMs ?? 0
    if (!isValidSession(session, providerMs())) return
    tokens.set(token)
    set({ status: 'signed-in', session, user })
    schedule(REFRESH_EVERY_MS, 0)
  }

  /** Runs one refresh at a time, for any number of waiting calls. */
  function refresh(kind: RefreshKind): Promise<Outcome> {
    flight ??= runRefresh(kind).finally(() => {
      flight = null
    })
    return flight
  }

  async function runRefresh(kind: RefreshKind): Promise<Outcome> {
    for (;;) {
      const before = sessionId()
      if (before === null) return { kind: 'ended' }
      if (!mayTry[kind]()) return { kind: 'failed' }
      const held = tokens.get()
      const outcome = await tabs.exclusively(async hadToWait => {
        const now = tokens.get()
        const isShared = hadToWait && now !== null && now !== held && !isStaleToken(now, providerMs())
        return isShared ? { kind: 'fresh' as const, token: now } : authenticate(kind, before)
      })
      if (outcome.kind !== 'superseded') return outcome
    }
  }

  async function authenticate(
    kind: RefreshKind,
    before: string,
  ): Promise<Outcome | { readonly kind: 'superseded' }> {
    const isSuperseded = () => sessionId() !== before
    try {
      const isExtended = kind === 'session_refresh'
      const answer = await sessions.authenticate(
        isExtended ? { session_duration_minutes: client.sessionMinutes } : {},
      )
      // Ignore the answer if the driver signed out, or another driver signed in, while it was on its way.
      if (isSuperseded()) return { kind: 'superseded' }
      if (adopt(answer)) return { kind: 'fresh', token: tokens.get() }
      expire()
      return { kind: 'ended' }
    } catch (error) {
      if (isSuperseded()) return { kind: 'superseded' }
      if (!isSessionLost(error)) return { kind: 'failed' }
      expire()
      return { kind: 'ended' }
    }
  }

  function schedule(ms: number, failures: number) {
    stopTimer()
    stopTimer = after(ms, () => background(failures))
  }

  async function background(failures: number) {
    const outcome = await refresh('session_refresh')
    // A success has already scheduled the next refresh, and an ended session needs none.
    if (outcome.kind === 'failed') schedule(backoffMs(failures + 1, random), failures + 1)
  }

  /**
   * Returns whether the session can be used, after extending it if necessary. A session that could not be
   * extended can be used until its own end.
   */
  async function hasValidSession(): Promise<boolean> {
    const before = facts()
    if (before === null) return false
    if (isValidSession(before, providerMs())) return true
    const { kind } = await refresh('session_refresh')
    if (kind === 'failed') {
      const now = facts()
      if (now !== null && !hasEnded(now, providerMs())) throw new SessionUnconfirmedError()
      expire()
    }
    return kind === 'fresh'
  }

  async function tokenAfter(kind: RefreshKind): Promise<string | null> {
    const outcome = await refresh(kind)
    if (outcome.kind === 'failed') throw new SessionUnconfirmedError()
    return outcome.kind === 'fresh' ? outcome.token : null
  }

  return {
    get,
    subscribe,
    start() {
      tabs.listen(hear)
      tabs.watch(SESSION_KEY, followStore)
      const remembered = readRemembered(store)
      const hasOpaque = remembered?.isHidden || cookie.get() !== null
      offsetMs = remembered?.offsetMs ?? 0
      if (!remembered || !hasOpaque || !isValidSession(remembered.session, providerMs())) {
        forget()
        return
      }
      set({ status: 'signed-in', session: remembered.session, user: null })
      background(0)
    },
    adopt,
    async token() {
      if (!(await hasValidSession())) return null
      const held = tokens.get()
      if (held !== null && !isStaleToken(held, providerMs())) return held
      const first = await refresh('jwt_refresh')
      if (first.kind === 'ended') return null
      const second = tokens.get()
      // A token cannot outlast its session, so near the session's end the session is extended first.
      const current = facts()
      const endsSoon = current !== null && current.expiresAtMs - providerMs() < SOON_MS
      if (second !== null && isStaleToken(second, providerMs()) && endsSoon) await refresh('session_refresh')
      const best = tokens.get()
      if (best !== null && isUsableToken(best, providerMs())) return best
      if (sessionId() !== null) throw new SessionUnconfirmedError()
      return null
    },
    async refreshToken(refused) {
      const held = tokens.get()
      if (held !== null && held !== refused && !isStaleToken(held, providerMs())) return held
      return tokenAfter('jwt_refresh')
    },
    reauthenticate: () => tokenAfter('session_refresh'),
    async signOut() {
      try {
        await sessions.revoke()
      } catch (error) {
        // The session has ended already, as wanted.
        if (!isSessionLost(error)) throw error
      }
      forget()
    },
    expire,
    onExpired(listener) {
      expiredListeners.add(listener)
      return () => expiredListeners.delete(listener)
    },
  }
}

/** Milliseconds before its end at which a session is extended before its token is used. */
const SOON_MS = 330_000

const MESSAGE_WAIT_MS = 1000

const isRemembered = fieldsOf<Remembered>({
  session: isFacts,
  remember: optional(flag),
  isHidden: optional(flag),
  offsetMs: optional(finite),
})

function readRemembered(store: KeyValueStore): Remembered | null {
  return parseJson(isRemembered, store.get(SESSION_KEY))
}

const isTabMessage = fieldsOf<TabMessage>({
  kind: exactly('fresh'),
  session: isFacts,
  user: fieldsOf<Pick<IdentityUser, 'user_id'>>({ user_id: text }) as Shape<IdentityUser>,
  token: text,
  offsetMs: optional(finite),
})
