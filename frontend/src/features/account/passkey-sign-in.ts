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
  await enterWith(account, await passkeyBrowser.get(await startPasskey(account), { autofill: false }))
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
    const credential = await untilPicked().catch((error: unknown) => {
      // Another request for a passkey ends the offer. The driver reads of no failure: they have asked for nothing yet.
      if (!(error instanceof PasskeyError && error.isCancelled)) warn('Passkeys cannot be offered.', error)
      return null
    })
    if (credential === null) return
    try {
      await enterWith(account, credential)
      account.notify.success('Welcome back!')
      events.onDone()
    } catch (error) {
      if (isOffered) events.onProblem(error)
    }
  }
  /** Resolves to null if the offer has ended before it began. */
  const untilPicked = async () => {
    if (!passkeyBrowser.isSupported() || !(await passkeyBrowser.canAutofill())) return null
    const options = await startPasskey(account)
    return isOffered ? passkeyBrowser.get(options, { autofill: true }) : null
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

async function enterWith(
  { client, session }: Pick<Parts, 'client' | 'session'>,
  credential: string,
): Promise<void> {
  // A passkey is two factors in one, so no second step follows.
  const answer = await createPasskeys(client).authenticate({ public_key_credential: credential })
  if (!session.adopt(answer)) {
    throw new ApiError(401, { error_message: 'Authentication failed.' })
  }
}
