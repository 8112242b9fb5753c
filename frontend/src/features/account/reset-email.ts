import { fieldsOf, finite, parseJson, text } from '#shared/api/shapes.ts'
import type { KeyValueStore } from '#shared/storage/safe-storage.ts'

/** Remembers the address for which this browser last requested a reset link. Another tab can open the link. */
export type ResetEmail = ReturnType<typeof createResetEmail>

const KEY = 'lapwing.reset-email'
const isEntry = fieldsOf<{ readonly email: string; readonly askedMs: number }>({
  email: text,
  askedMs: finite,
})
/** Milliseconds for which a reset link is valid, at most. */
export const RESET_EMAIL_MS = 60 * 60_000

export function createResetEmail(store: KeyValueStore, nowMs: () => number) {
  return {
    remember: (email: string) => store.set(KEY, JSON.stringify({ email, askedMs: nowMs() })),
    /** Returns the address while a link can be valid; null after that. */
    recall() {
      const entry = parseJson(isEntry, store.get(KEY))
      if (entry && Math.abs(nowMs() - entry.askedMs) < RESET_EMAIL_MS) return entry.email
      store.remove(KEY)
      return null
    },
    forget: () => store.remove(KEY),
  }
}
