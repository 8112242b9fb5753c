import { safeStorage } from './safe-storage.ts'

/** What outlives the tab. */
export const localStore = safeStorage(() => globalThis.localStorage)
