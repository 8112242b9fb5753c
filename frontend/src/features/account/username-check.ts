import { createStore } from '#shared/store/store.ts'
import type { After } from '#shared/time/timers.ts'
import type { UsernameAvailability } from './account-api.ts'

/** The result of the check so far. */
export type UsernameVerdict =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'checking' }
  | { readonly kind: 'available' }
  | { readonly kind: 'problem'; readonly sentence: string }

/** Checks a name while the driver types. */
export type UsernameCheck = ReturnType<typeof createUsernameCheck>

interface UsernameCheckDeps {
  /** The rules of `@lapwing/usernames`. Returns the trimmed name or the problem. */
  readonly judge: (text: string) => { readonly username: string } | { readonly problem: string }
  readonly check: (username: string) => Promise<UsernameAvailability>
  readonly after: After
  readonly warn: (sentence: string, error: unknown) => void
}

/** Milliseconds without a key press before the request is sent. */
const CHECK_DEBOUNCE_MS = 500

export function createUsernameCheck({ judge, check, after, warn }: UsernameCheckDeps) {
  const { get, subscribe, set } = createStore<UsernameVerdict>({ kind: 'unknown' })
  let stopTimer = () => {}
  /** Counts requests, so that late answers can be ignored. */
  let turn = 0

  async function ask(username: string, asked: number) {
    let next: UsernameVerdict
    try {
      const { available, reason } = await check(username)
      next = available
        ? { kind: 'available' }
        : { kind: 'problem', sentence: reason || 'Username is already taken' }
    } catch (error) {
      // This check is only a hint. Saving the name checks it again.
      warn('The username could not be checked.', error)
      next = { kind: 'unknown' }
    }
    if (asked === turn) set(next)
  }

  return {
    get,
    subscribe,
    type(text: string) {
      stopTimer()
      const asked = ++turn
      const judged = judge(text)
      if ('problem' in judged) return set({ kind: 'problem', sentence: judged.problem })
      set({ kind: 'checking' })
      stopTimer = after(CHECK_DEBOUNCE_MS, () => void ask(judged.username, asked))
    },
    /** Clears the result and ignores pending answers. */
    reset() {
      stopTimer()
      turn++
      set({ kind: 'unknown' })
    },
  }
}
