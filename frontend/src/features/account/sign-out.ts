import type { Account } from './account.ts'

/** Milliseconds in which the toast is seen before the page starts over. */
const RELOAD_DELAY_MS = 300

/** Ends the session and starts the page over, so that nothing of the person stays: neither in memory nor on disk. Returns whether it ended. */
export async function signOut({
  session,
  notify,
  page,
}: Pick<Account, 'session' | 'notify' | 'page'>): Promise<boolean> {
  try {
    await session.signOut()
  } catch {
    notify.error('Sign out failed.')
    return false
  }
  await page.forgetOpen()
  notify.success('Signed out')
  page.after(RELOAD_DELAY_MS, page.reload)
  return true
}
