import type { Authenticated } from '@lapwing/identity-client/contract'
import { ApiError } from '@lapwing/identity-client/errors'
import { createMagicLinks } from '@lapwing/identity-client/mail'
import { createOAuth } from '@lapwing/identity-client/oauth'
import { createOrganizations } from '@lapwing/identity-client/organizations'
import { createSessions } from '@lapwing/identity-client/sessions'
import { errorText } from '#shared/session/error-text.ts'
import type { Account } from './account.ts'
import { authTab } from './auth-tab.ts'
import { adoptOrAsk, type PendingSignIn } from './second-factor.ts'

/** How a sign-in with a provider or a mailed link ended. */
export type SignInResult =
  | { readonly kind: 'signed-in'; readonly next: string; readonly sentence?: string }
  /** The account has a second factor; `welcome` follows it. */
  | { readonly kind: 'second-factor'; readonly pending: PendingSignIn }
  /** Another page handles this link. */
  | { readonly kind: 'elsewhere'; readonly to: string }
  | { readonly kind: 'cancelled'; readonly sentence: string }
  | { readonly kind: 'failed'; readonly sentence: string }

const INVALID_LINK = 'Invalid or expired authentication link. Please try again.'
const EXPIRED_ADDING = 'This request has expired. Please sign in and add the account again.'
const EXPIRED_LINK = 'This sign-in link has expired or is invalid. Please try again.'

/**
 * Reads the query that a provider or a mailed link adds to the address, and exchanges its token for a session. A
 * driver who left to add a provider's account keeps the session.
 */
export async function finishSignIn(
  account: Pick<Account, 'client' | 'session' | 'notify' | 'returnFlags'>,
  query: URLSearchParams,
): Promise<SignInResult> {
  const first = (...names: string[]) => names.map(name => query.get(name)).find(Boolean) ?? null
  const isAdding = account.returnFlags.takeAdding()
  const error = first('error_type', 'error')
  const message = first('error_message', 'message')
  if (error !== null) {
    if (/cancel|denied/i.test(error)) {
      const what = isAdding ? 'Nothing was added.' : 'Sign-in was canceled.'
      return { kind: 'cancelled', sentence: `${what} You can try again.` }
    }
    return { kind: 'failed', sentence: providersWords(message) ?? 'Authentication could not be completed.' }
  }
  const type = first('stytch_token_type', 'token_type')
  const token = first('token')
  if (type === 'reset_password' && token !== null) {
    return { kind: 'elsewhere', to: `/reset?${new URLSearchParams({ token })}` }
  }
  const { client } = account
  const exchange = new Map<string, (token: string) => Promise<Authenticated>>([
    ['oauth', token => createOAuth(client).authenticate({ token })],
    // From the sign-in of an organization.
    ['sso', token => createOrganizations(client).authenticate({ token })],
    ['magic_links', token => createMagicLinks(client).authenticate({ token })],
    // From a reset mail, for a driver who keeps the old password.
    ['login', token => createMagicLinks(client).authenticate({ token })],
    // From an operator's command line.
    ['impersonation', token => createSessions(client).impersonate({ impersonation_token: token })],
  ]).get(type ?? '')
  if (exchange === undefined || token === null) return { kind: 'failed', sentence: INVALID_LINK }

  const isImpersonating = type === 'impersonation'
  try {
    const answer = await exchange(token)
    // An operator's browser forgets the driver when it is closed.
    const adopted = adoptOrAsk(account, answer, isImpersonating ? { remember: false } : undefined)
    if (typeof adopted === 'object') return { kind: 'second-factor', pending: adopted }
    if (!adopted) return { kind: 'failed', sentence: 'Authentication failed.' }
  } catch (error) {
    return {
      kind: 'failed',
      sentence: isSpentLink(error)
        ? isAdding
          ? EXPIRED_ADDING
          : EXPIRED_LINK
        : errorText(error, 'Authentication failed.'),
    }
  }
  if (isImpersonating)
    return { kind: 'signed-in', next: '/', sentence: 'You see Lapwing as the driver does.' }
  if (isAdding) {
    account.notify.success('Social account added')
    return { kind: 'signed-in', next: '/', sentence: 'The account was added.' }
  }
  return welcome(account)
}

/** Greets a driver whose session has begun, and says where to go. */
export function welcome({
  notify,
  returnFlags,
}: Pick<Account, 'notify' | 'returnFlags'>): Extract<SignInResult, { kind: 'signed-in' }> {
  authTab.set('login')
  notify.success('Welcome to Lapwing!')
  const consent = returnFlags.takeConsent()
  const home = returnFlags.takeCompare() ? '/#compare=1' : '/'
  return { kind: 'signed-in', next: consent ?? home }
}

const WORDS_MAX_LENGTH = 200

/**
 * Marks the message in the address as the provider's (D-30). An attacker can write any address, so the
 * message must not look like the page's own. Returns null if there is no message.
 */
function providersWords(message: string | null): string | null {
  // Control and format characters could hide words or reverse their order.
  const plain = (message ?? '').replace(/[\p{C}\s]+/gu, ' ').trim()
  if (plain === '') return null
  const isCut = plain.length > WORDS_MAX_LENGTH
  // Does not cut a surrogate pair in two.
  const words = isCut ? `${plain.slice(0, WORDS_MAX_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…` : plain
  return `The sign-in provider says: ${words}`
}

/** The provider has several messages for this. */
function isSpentLink(error: unknown): boolean {
  return error instanceof ApiError && /expired|invalid|token/i.test(`${error.type} ${error.message}`)
}
