import { fieldsOf, finite, parseJson, text } from '#shared/api/shapes.ts'
import type { KeyValueStore } from '#shared/storage/safe-storage.ts'

/** The address that this browser last asked a reset link for; the link may be opened in another tab. */
export interface ResetEmail {
  remember(email: string): void
  /** Returns the address for as long as a link can be good; null after that. */
  recall(): string | null
  forget(): void
}

const KEY = 'lapwing.reset-email'
const isEntry = fieldsOf<{ readonly email: string; readonly askedMs: number }>({
  email: text,
  askedMs: finite,
})
/** Milliseconds; no reset link is good for longer. */
export const RESET_EMAIL_MS = 60 * 60_000

export function createResetEmail(store: KeyValueStore, nowMs: () => number): ResetEmail {
  return {
    remember: email => store.set(KEY, JSON.stringify({ email, askedMs: nowMs() })),
    recall() {
      const entry = parseJson(isEntry, store.get(KEY))
      if (entry && Math.abs(nowMs() - entry.askedMs) < RESET_EMAIL_MS) return entry.email
      store.remove(KEY)
      return null
    },
    forget: () => store.remove(KEY),
  }
}
