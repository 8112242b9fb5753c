import { IdentityError } from '#shared/session/identity-error.ts'
import { PasskeyError, passkeyBrowser } from '#shared/session/passkey-browser.ts'
import type { Account } from './account.ts'

type Parts = Pick<Account, 'identity' | 'session' | 'notify'>

/**
 * Signs in with a passkey that the driver chooses in the browser's own dialog.
 *
 * @returns whether the driver is signed in; false if no passkey was chosen
 * @throws IdentityError, IdentityUnreachableError, PasskeyError
 */
export async function signInWithPasskey(account: Parts): Promise<boolean> {
  return choosePasskey(account, await account.identity.startPasskeySignIn(), { autofill: false })
}

/**
 * Offers passkeys inside the field of the address, if the browser can. Returns a function that ends the
 * offer.
 */
export function offerPasskeys(
  account: Parts & Pick<Account, 'warn'>,
  events: { readonly onDone: () => void; readonly onProblem: (error: unknown) => void },
): () => void {
  const { identity, warn } = account
  let isOffered = true
  const offer = async () => {
    if (!passkeyBrowser.isSupported() || !(await passkeyBrowser.canAutofill())) return
    // Without options there is no offer: the driver has asked for nothing yet.
    const options = await identity.startPasskeySignIn().catch((error: unknown) => {
      warn('Passkeys cannot be offered.', error)
      return null
    })
    if (options === null || !isOffered) return
    try {
      if (await choosePasskey(account, options, { autofill: true })) events.onDone()
    } catch (error) {
      if (isOffered) events.onProblem(error)
    }
  }
  void offer()
  return () => {
    isOffered = false
    passkeyBrowser.cancel()
  }
}

async function choosePasskey(
  { identity, session, notify }: Parts,
  options: string,
  how: { readonly autofill: boolean },
): Promise<boolean> {
  let credential: string
  try {
    credential = await passkeyBrowser.get(options, how)
  } catch (error) {
    if (error instanceof PasskeyError && error.isCancelled) return false
    throw error
  }
  // A passkey is two factors in one, so no second step follows.
  if (!session.adopt(await identity.authenticatePasskey(credential))) {
    throw new IdentityError(401, '', 'Authentication failed.')
  }
  notify.success('Welcome back!')
  return true
}
