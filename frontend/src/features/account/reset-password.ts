import { ApiError } from '@lapwing/identity-client/errors'
import { createPasswords } from '@lapwing/identity-client/passwords'
import { errorText } from '#shared/session/error-text.ts'
import type { Account } from './account.ts'
import { adoptOrAsk } from './second-factor.ts'

const PASSWORD_MIN_LENGTH = 8

interface ResetFields {
  readonly token: string | null
  readonly password: string
  readonly confirmation: string
}

/** Returns why these fields cannot be sent, in the specification's order; null if they can. */
export function resetProblem({ token, password, confirmation }: ResetFields): string | null {
  if (!token) return 'Missing token.'
  if (password.length < PASSWORD_MIN_LENGTH) return 'Password must be at least 8 characters.'
  if (password !== confirmation) return 'Passwords do not match.'
  return null
}

/** Returns why no reset link can be requested; null if it can. */
export function forgotProblem(email: string): string | null {
  return email.trim() === '' ? 'Enter your email' : null
}

/** Requests a reset link. Returns the error message; null if the link was sent. */
export async function sendResetLink(
  { client, notify, resetEmail }: Pick<Account, 'client' | 'notify' | 'resetEmail'>,
  email: string,
): Promise<string | null> {
  try {
    await createPasswords(client).startReset({
      email: email.trim(),
      reset_password_redirect_url: `${client.pageOrigin}/reset`,
    })
    resetEmail.remember(email.trim())
    notify.success('Reset link sent. Check your inbox.')
    return null
  } catch (error) {
    return errorText(error, 'Could not send reset link')
  }
}

/**
 * Returns the address of the account on `/reset`, if this browser knows it: the address for which it requested
 * a link, else the address of the session, else null. The link itself contains no address.
 */
export function emailOfReset({ resetEmail, session }: Pick<Account, 'resetEmail' | 'session'>) {
  const state = session.get()
  const own = state.status === 'signed-in' ? state.user?.emails[0]?.email : undefined
  return resetEmail.recall() ?? own ?? null
}

/**
 * Sets the password and signs in. Returns the failure, or the pending sign-in if it needs a second factor; null
 * if the driver is signed in.
 */
export async function setNewPassword(
  { client, session, resetEmail }: Pick<Account, 'client' | 'session' | 'resetEmail'>,
  { token, password }: { readonly token: string; readonly password: string },
) {
  try {
    const answer = await createPasswords(client).resetByEmail({ token, password })
    const adopted = adoptOrAsk({ session }, answer)
    resetEmail.forget()
    return typeof adopted === 'object' ? { pending: adopted } : null
  } catch (error) {
    return { sentence: errorText(error, 'Reset failed. Please try again.'), isOfTheLink: isOfTheLink(error) }
  }
}

/** The link is spent or belongs to another browser. The provider has several error types for this. */
function isOfTheLink(error: unknown): boolean {
  return error instanceof ApiError && /reset_token|magic_link|pkce/.test(error.type)
}
