import { safeStorage } from './safe-storage.ts'

/** Storage that ends with the tab. */
export const sessionStore = safeStorage(() => globalThis.sessionStorage)
