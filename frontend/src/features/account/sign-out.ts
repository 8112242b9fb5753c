import type { Account } from './account.ts'
import { authTab } from './auth-tab.ts'

/** Milliseconds for which the toast is visible before the page reloads. */
const RELOAD_DELAY_MS = 300

/**
 * Ends the session, deletes the stored files and reloads the page, so that none of the driver's data stays in
 * memory or on disk. Returns whether the session ended.
 */
export async function signOut(account: Pick<Account, 'session' | 'notify' | 'page'>): Promise<boolean> {
  const { session, notify, page } = account
  try {
    await session.signOut()
  } catch {
    notify.error('Sign out failed.')
    return false
  }
  // Who signs out has an account.
  authTab.set('login')
  await page.forgetOpen()
  notify.success('Signed out')
  page.after(RELOAD_DELAY_MS, page.reload)
  return true
}
