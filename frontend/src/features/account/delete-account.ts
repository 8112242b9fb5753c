import { errorText } from '#shared/session/error-text.ts'
import type { Account } from './account.ts'

/** Milliseconds for which the toast is visible before the page reloads. */
const RELOAD_DELAY_MS = 300

/** Deletes the account and all its data. Returns the error message; null if the account is deleted. */
export async function deleteAccount(
  { api, session, notify, page, warn }: Pick<Account, 'api' | 'session' | 'notify' | 'page' | 'warn'>,
  username: string,
): Promise<string | null> {
  try {
    await api.deleteAccount(username)
  } catch (error) {
    return errorText(error, 'The account could not be deleted. Please try again.')
  }
  try {
    await session.signOut()
  } catch (error) {
    // The session ended with the account. The page notices when it reloads.
    warn('The session could not be ended.', error)
  }
  await page.forgetOpen()
  notify.success('Account deleted')
  page.after(RELOAD_DELAY_MS, page.reload)
  return null
}
