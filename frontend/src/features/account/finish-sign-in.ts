import { errorText, IdentityError } from '#shared/session/identity-error.ts'
import type { Account } from './account.ts'
import { authTab } from './auth-tab.ts'

/** How the way back from a provider's page ended. */
export type SignInResult =
  | { readonly kind: 'signed-in'; readonly next: '/' | '/#compare=1' }
  | { readonly kind: 'cancelled'; readonly sentence: string }
  | { readonly kind: 'failed'; readonly sentence: string }

const invalidLink = 'Invalid or expired authentication link. Please try again.'
const expiredLink = 'This sign-in link has expired or is invalid. Please try again.'

/** Reads what the provider added to the address, and exchanges its token for a session. */
export async function finishSignIn(
  account: Pick<Account, 'identity' | 'session' | 'tell' | 'returnFlags'>,
  query: URLSearchParams,
): Promise<SignInResult> {
  const first = (...names: string[]) => names.map(name => query.get(name)).find(Boolean) ?? null
  const error = first('error_type', 'error')
  const message = first('error_message', 'message')
  if (error !== null) {
    if (/cancel|denied/i.test(error)) {
      return { kind: 'cancelled', sentence: 'Sign-in was canceled. You can try again.' }
    }
    return { kind: 'failed', sentence: message ?? 'Authentication could not be completed.' }
  }
  const type = first('stytch_token_type', 'token_type')
  const token = first('token')
  if (type !== 'oauth' || token === null) return { kind: 'failed', sentence: invalidLink }

  try {
    const answer = await account.identity.authenticateOAuth(token)
    if (!account.session.adopt(answer)) return { kind: 'failed', sentence: 'Authentication failed.' }
  } catch (error) {
    return {
      kind: 'failed',
      sentence: isSpentLink(error) ? expiredLink : errorText(error, 'Authentication failed.'),
    }
  }
  authTab.set('login')
  account.tell.success('Welcome to Lapwing!')
  return { kind: 'signed-in', next: account.returnFlags.takeCompare() ? '/#compare=1' : '/' }
}

/** The provider words it in several ways. */
function isSpentLink(error: unknown): boolean {
  return error instanceof IdentityError && /expired|invalid|token/i.test(`${error.type} ${error.message}`)
}
