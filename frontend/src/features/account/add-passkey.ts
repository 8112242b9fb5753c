import { PasskeyError, passkeyBrowser } from '#shared/session/passkey-browser.ts'
import type { Account } from './account.ts'

/**
 * Creates a passkey in the browser and stores it with the account. Does nothing if the driver cancels.
 *
 * @throws IdentityError, IdentityUnreachableError, PasskeyError
 */
export async function addPasskey({
  identity,
  session,
  notify,
}: Pick<Account, 'identity' | 'session' | 'notify'>): Promise<void> {
  const options = await identity.startPasskey()
  let credential: string
  try {
    credential = await passkeyBrowser.create(options)
  } catch (error) {
    if (error instanceof PasskeyError && error.isCancelled) return
    throw error
  }
  session.adopt(await identity.registerPasskey(credential))
  notify.success('Passkey added')
}
