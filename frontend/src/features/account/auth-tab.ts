import { localChoice } from '#shared/storage/local-store.ts'

/** Tabs of the auth dialog. The dialog opens on the tab that was used last. */
export type AuthTab = 'signup' | 'login'

export const authTab = localChoice<AuthTab>('lapwing.auth-tab', 'signup', 'login')
