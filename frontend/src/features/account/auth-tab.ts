import { localChoice } from '#shared/storage/local-store.ts'

/** Tabs of the auth dialog; the one used last is opened again. */
export type AuthTab = 'signup' | 'login'

export const authTab = localChoice<AuthTab>('lapwing.auth-tab', 'signup', 'login')
