import { createStore, type Readable } from '#shared/store/store.ts'
import type { After } from '#shared/time/timers.ts'
import type { UsernameAvailability } from './account-api.ts'

/** What is known of the name that is being typed. */
export type UsernameVerdict =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'checking' }
  | { readonly kind: 'available' }
  | { readonly kind: 'problem'; readonly sentence: string }

/** Judges a name while it is typed. */
export interface UsernameCheck extends Readable<UsernameVerdict> {
  type(text: string): void
  /** Forgets what was typed. */
  reset(): void
}

interface UsernameCheckDeps {
  /** The rules of `@lapwing/usernames`: the trimmed name, or what is wrong with it. */
  readonly judge: (text: string) => { readonly username: string } | { readonly problem: string }
  readonly check: (username: string) => Promise<UsernameAvailability>
  readonly after: After
  readonly warn: (sentence: string, error: unknown) => void
}

/** Milliseconds without a key before the server is asked. */
const CHECK_DEBOUNCE_MS = 500

export function createUsernameCheck({ judge, check, after, warn }: UsernameCheckDeps): UsernameCheck {
  const { get, subscribe, set } = createStore<UsernameVerdict>({ kind: 'unknown' })
  let stopTimer = () => {}
  /** Answers to what was typed before are too late. */
  let turn = 0

  async function ask(username: string, asked: number) {
    let next: UsernameVerdict
    try {
      const { available, reason } = await check(username)
      next = available
        ? { kind: 'available' }
        : { kind: 'problem', sentence: reason || 'Username is already taken' }
    } catch (error) {
      // Only a hint: saving the name asks again, and decides.
      warn('The username could not be checked.', error)
      next = { kind: 'unknown' }
    }
    if (asked === turn) set(next)
  }

  return {
    get,
    subscribe,
    type(text) {
      stopTimer()
      const asked = ++turn
      const judged = judge(text)
      if ('problem' in judged) return set({ kind: 'problem', sentence: judged.problem })
      set({ kind: 'checking' })
      stopTimer = after(CHECK_DEBOUNCE_MS, () => void ask(judged.username, asked))
    },
    reset() {
      stopTimer()
      turn++
      set({ kind: 'unknown' })
    },
  }
}
