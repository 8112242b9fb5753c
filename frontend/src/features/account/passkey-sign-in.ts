import { ApiError } from '@lapwing/identity-client/errors'
import { PasskeyError, passkeyBrowser } from '@lapwing/identity-client/passkey-browser'
import { createPasskeys } from '@lapwing/identity-client/passkeys'
import type { Account } from './account.ts'

type Parts = Pick<Account, 'client' | 'session' | 'notify'>

/**
 * Signs in with a passkey that the driver chooses in the browser's own dialog.
 *
 * @throws ApiError, UnreachableError, PasskeyError
 */
export async function signInWithPasskey(account: Parts): Promise<void> {
  await confirmWithPasskey(account)
  account.notify.success('Welcome back!')
}

/** Does the same for a driver who is signed in, and needs no welcome. */
export async function confirmWithPasskey(account: Pick<Parts, 'client' | 'session'>): Promise<void> {
  await choosePasskey(account, await startPasskey(account), { autofill: false })
}

/**
 * Offers passkeys inside the field of the address, if the browser can. Returns a function that ends the
 * offer.
 */
export function offerPasskeys(
  account: Parts & Pick<Account, 'warn'>,
  events: { readonly onDone: () => void; readonly onProblem: (error: unknown) => void },
): () => void {
  const { warn } = account
  let isOffered = true
  const offer = async () => {
    if (!passkeyBrowser.isSupported() || !(await passkeyBrowser.canAutofill())) return
    // Without options there is no offer: the driver has asked for nothing yet.
    const options = await startPasskey(account).catch((error: unknown) => {
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

async function startPasskey({ client }: Pick<Parts, 'client'>): Promise<string> {
  return (await createPasskeys(client).start()).public_key_credential_request_options
}

async function choosePasskey(
  { client, session }: Pick<Parts, 'client' | 'session'>,
  options: string,
  how: { readonly autofill: boolean },
): Promise<void> {
  const credential = await passkeyBrowser.get(options, how)
  // A passkey is two factors in one, so no second step follows.
  const answer = await createPasskeys(client).authenticate({ public_key_credential: credential })
  if (!session.adopt(answer)) {
    throw new ApiError(401, { error_message: 'Authentication failed.' })
  }
}
