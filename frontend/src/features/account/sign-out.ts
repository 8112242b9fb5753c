import type { Account } from './account.ts'

/** Milliseconds in which the toast is seen before the page starts over. */
const RELOAD_DELAY_MS = 300

/** Ends the session and starts the page over, so that nothing of the person stays: neither in memory nor on disk. Returns whether it ended. */
export async function signOut({
  session,
  tell,
  page,
}: Pick<Account, 'session' | 'tell' | 'page'>): Promise<boolean> {
  try {
    await session.signOut()
  } catch {
    tell.error('Sign out failed.')
    return false
  }
  await page.forgetOpen()
  tell.success('Signed out')
  page.after(RELOAD_DELAY_MS, page.reload)
  return true
}
