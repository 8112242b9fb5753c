import { fieldsOf, finite, flag, parseJson, text } from '#shared/api/shapes.ts'
import type { KeyValueStore } from '#shared/storage/safe-storage.ts'

/** The mails that a driver wants. */
export interface Preferences {
  readonly waitlist: boolean
  readonly marketing: boolean
}

/** Caches saved preferences for five minutes. The provider might not return them before. */
export type PreferenceCache = ReturnType<typeof createPreferenceCache>

const LIFETIME_MS = 5 * 60_000
const KEY = 'lapwing.preferences'
const isEntry = fieldsOf<Preferences & { readonly of: string; readonly savedAtMs: number }>({
  of: text,
  savedAtMs: finite,
  waitlist: flag,
  marketing: flag,
})

export function createPreferenceCache(store: KeyValueStore, nowMs: () => number) {
  return {
    get(userId: string): Preferences | null {
      const entry = parseJson(isEntry, store.get(KEY))
      if (entry?.of !== userId) return null
      const { savedAtMs, waitlist, marketing } = entry
      const ageMs = nowMs() - savedAtMs
      // The age is negative if the clock was set back. The entry is then stale.
      return ageMs >= 0 && ageMs < LIFETIME_MS ? { waitlist, marketing } : null
    },
    set: (userId: string, { waitlist, marketing }: Preferences) =>
      store.set(KEY, JSON.stringify({ of: userId, savedAtMs: nowMs(), waitlist, marketing })),
  }
}
