import { passkeyBrowser } from '#shared/session/passkey-browser.ts'
import type { Account } from './account.ts'

/**
 * Creates a passkey in the browser and stores it with the account.
 *
 * @throws IdentityError, IdentityUnreachableError, PasskeyError
 */
export async function addPasskey({
  identity,
  session,
  notify,
}: Pick<Account, 'identity' | 'session' | 'notify'>): Promise<void> {
  const options = await identity.startPasskey()
  const credential = await passkeyBrowser.create(options)
  session.adopt(await identity.registerPasskey(credential))
  notify.success('Passkey added')
}
