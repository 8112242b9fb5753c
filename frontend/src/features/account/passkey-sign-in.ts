import { IdentityError } from '#shared/session/identity-error.ts'
import { PasskeyError, passkeyBrowser } from '#shared/session/passkey-browser.ts'
import type { Account } from './account.ts'

type Parts = Pick<Account, 'identity' | 'session' | 'notify'>

/**
 * Signs in with a passkey that the driver chooses in the browser's own dialog.
 *
 * @throws IdentityError, IdentityUnreachableError, PasskeyError
 */
export async function signInWithPasskey(account: Parts): Promise<void> {
  await confirmWithPasskey(account)
  account.notify.success('Welcome back!')
}

/** Does the same for a driver who is signed in, and needs no welcome. */
export async function confirmWithPasskey(account: Pick<Parts, 'identity' | 'session'>): Promise<void> {
  await choosePasskey(account, await account.identity.startPasskeySignIn(), { autofill: false })
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
      await choosePasskey(account, options, { autofill: true })
      account.notify.success('Welcome back!')
      events.onDone()
    } catch (error) {
      // Another request for a passkey ends the offer.
      const isEnded = error instanceof PasskeyError && error.isCancelled
      if (isOffered && !isEnded) events.onProblem(error)
    }
  }
  void offer()
  return () => {
    isOffered = false
    passkeyBrowser.cancel()
  }
}

async function choosePasskey(
  { identity, session }: Pick<Parts, 'identity' | 'session'>,
  options: string,
  how: { readonly autofill: boolean },
): Promise<void> {
  const credential = await passkeyBrowser.get(options, how)
  // A passkey is two factors in one, so no second step follows.
  if (!session.adopt(await identity.authenticatePasskey(credential))) {
    throw new IdentityError(401, '', 'Authentication failed.')
  }
}
