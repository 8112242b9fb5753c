/** The part of `localStorage` that Lapwing uses. */
export interface KeyValueStore {
  get(key: string): string | null
  set(key: string, value: string): void
  remove(key: string): void
}

/**
 * Creates a store over `localStorage` or `sessionStorage` that never throws. Browsers refuse storage in some
 * private modes, for blocked sites, and on a full disk. Values that cannot be stored are remembered until the
 * page closes.
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
