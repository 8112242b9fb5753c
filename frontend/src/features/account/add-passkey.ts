import { passkeyBrowser } from '@lapwing/identity-client/passkey-browser'
import { createPasskeys } from '@lapwing/identity-client/passkeys'
import type { Account } from './account.ts'

/**
 * Creates a passkey in the browser and stores it with the account.
 *
 * @throws ApiError, UnreachableError, PasskeyError
 */
export async function addPasskey({
  client,
  session,
  notify,
}: Pick<Account, 'client' | 'session' | 'notify'>): Promise<void> {
  const passkeys = createPasskeys(client)
  const { public_key_credential_creation_options: options } = await passkeys.startRegistration()
  const credential = await passkeyBrowser.create(options)
  session.adopt(await passkeys.register({ public_key_credential: credential }))
  notify.success('Passkey added')
}
