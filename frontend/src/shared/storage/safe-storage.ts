/** The part of `localStorage` that Lapwing uses. */
export interface KeyValueStore {
  get(key: string): string | null
  set(key: string, value: string): void
  remove(key: string): void
}

/**
 * A store over `localStorage` or `sessionStorage` that never throws. Browsers refuse storage in some
 * private modes and when a site's data is blocked, and a full disk refuses single writes; what
 * cannot be kept is remembered until the page is closed, so that a choice at least holds that long.
 */
export function safeStorage(open: () => Storage): KeyValueStore {
  const memory = new Map<string, string | null>()
  const attempt = <T>(use: (storage: Storage) => T, otherwise: T): T => {
    try {
      return use(open())
    } catch {
      return otherwise
    }
  }
  return {
    get(key) {
      const held = memory.get(key)
      return held === undefined ? attempt(storage => storage.getItem(key), null) : held
    },
    set(key, value) {
      const kept = attempt(storage => {
        storage.setItem(key, value)
        return true
      }, false)
      if (kept) memory.delete(key)
      else memory.set(key, value)
    },
    remove(key) {
      const removed = attempt(storage => {
        storage.removeItem(key)
        return true
      }, false)
      if (removed) memory.delete(key)
      else memory.set(key, null)
    },
  }
}
