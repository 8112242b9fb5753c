import { localStore } from '#shared/storage/local-store.ts'
import { createPreference, oneOf } from '#shared/storage/preference.ts'

/** Tabs of the auth dialog; the one used last is opened again. */
export type AuthTab = 'signup' | 'login'

export const authTab = createPreference<AuthTab>({
  key: 'lapwing.auth-tab',
  store: localStore,
  ...oneOf(['signup', 'login']),
  otherTabs: globalThis.window,
})
