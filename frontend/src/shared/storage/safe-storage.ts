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
  /** Remembers the new value of a key if the storage refuses the change. */
  const change = (key: string, value: string | null, use: (storage: Storage) => void) => {
    try {
      use(open())
      memory.delete(key)
    } catch {
      memory.set(key, value)
    }
  }
  return {
    get(key) {
      const held = memory.get(key)
      if (held !== undefined) return held
      try {
        return open().getItem(key)
      } catch {
        return null
      }
    },
    set: (key, value) => change(key, value, storage => storage.setItem(key, value)),
    remove: key => change(key, null, storage => storage.removeItem(key)),
  }
}
