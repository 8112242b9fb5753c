import { safeStorage } from './safe-storage.ts'

/** What is gone with the tab. */
export const sessionStore = safeStorage(() => globalThis.sessionStorage)
