import type { Readable } from '../../src/shared/store/store.ts'
import type { IdentityUser } from './contract.ts'
import type { SessionFacts } from './session-facts.ts'
import type { SessionState } from './session-keeper.ts'

/** A value of the session, and how far it can be trusted. */
export interface Info<Value> {
  /** Null if nobody is signed in, or the value is not known yet. */
  readonly value: Value | null
  /** Whether the value is known. Until then a page shows neither a sign-in nor an account. */
  readonly isInitialized: boolean
  /** Whether the value is what this browser remembers, and identity has not confirmed it yet. */
  readonly fromCache: boolean
}

/** Returns the session that a page may assume. */
export function sessionInfo(state: SessionState): Info<SessionFacts> {
  return state.status === 'signed-in'
    ? { value: state.session, isInitialized: true, fromCache: state.user === null }
    : { value: null, isInitialized: true, fromCache: false }
}

/** Returns the account. The browser stores none, so it is known after the first answer. */
export function userInfo(state: SessionState): Info<IdentityUser> {
  const value = state.status === 'signed-in' ? state.user : null
  return { value, isInitialized: value !== null || state.status === 'signed-out', fromCache: false }
}

/** Makes a readable of another. Returns the same object until the state changes, as React's stores require. */
export function viewOf<State, Value>(of: Readable<State>, read: (state: State) => Value): Readable<Value> {
  let last: { readonly state: State; readonly value: Value } | null = null
  return {
    get() {
      const state = of.get()
      if (last?.state !== state) last = { state, value: read(state) }
      return last.value
    },
    subscribe: of.subscribe,
  }
}
