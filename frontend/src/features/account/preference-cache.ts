import type { KeyValueStore } from '#shared/storage/safe-storage.ts'

/** Which mails a person wants. */
export interface Preferences {
  readonly waitlist: boolean
  readonly marketing: boolean
}

/** Remembers the preferences of a person for five minutes, in which the provider may not know them yet. */
export interface PreferenceCache {
  get(userId: string): Preferences | null
  set(userId: string, preferences: Preferences): void
}

const LIFETIME_MS = 5 * 60_000
const KEY = 'lapwing.preferences'

export function createPreferenceCache(store: KeyValueStore, nowMs: () => number): PreferenceCache {
  return {
    get(userId) {
      try {
        const { of, savedAtMs, waitlist, marketing } = JSON.parse(store.get(KEY) ?? 'null') ?? {}
        const ageMs = nowMs() - savedAtMs
        // A clock that was set back makes the age negative, and the cache worthless.
        if (of !== userId || !(ageMs >= 0 && ageMs < LIFETIME_MS)) return null
        return { waitlist: waitlist === true, marketing: marketing === true }
      } catch {
        return null
      }
    },
    set: (userId, { waitlist, marketing }) =>
      store.set(KEY, JSON.stringify({ of: userId, savedAtMs: nowMs(), waitlist, marketing })),
  }
}
