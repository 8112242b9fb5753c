import type { KeyValueStore } from '#shared/storage/safe-storage.ts'

/** The address that this browser last asked a reset link for; the link may be opened in another tab. */
export interface ResetEmail {
  remember(email: string): void
  /** Returns the address for as long as a link can be good; null after that. */
  recall(): string | null
  forget(): void
}

const KEY = 'lapwing.reset-email'
/** Milliseconds; no reset link is good for longer. */
export const RESET_EMAIL_MS = 60 * 60_000

export function createResetEmail(store: KeyValueStore, nowMs: () => number): ResetEmail {
  return {
    remember: email => store.set(KEY, JSON.stringify({ email, askedMs: nowMs() })),
    recall() {
      try {
        const { email, askedMs } = JSON.parse(store.get(KEY) ?? 'null') ?? {}
        const isGood = typeof askedMs === 'number' && Math.abs(nowMs() - askedMs) < RESET_EMAIL_MS
        if (typeof email === 'string' && isGood) return email
      } catch {
        // Not what `remember` wrote.
      }
      store.remove(KEY)
      return null
    },
    forget: () => store.remove(KEY),
  }
}
