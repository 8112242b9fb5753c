import type { KeyValueStore } from '#shared/storage/safe-storage.ts'

/** Returns a storage that tests can look into. */
export function memoryStore(content: Map<string, string> = new Map()): KeyValueStore {
  return {
    get: key => content.get(key) ?? null,
    set: (key, value) => void content.set(key, value),
    remove: key => void content.delete(key),
  }
}
