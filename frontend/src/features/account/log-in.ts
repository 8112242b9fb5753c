import { createPasswords } from '@lapwing/identity-client/passwords'
import type { Account } from './account.ts'
import { adoptOrAsk, type PendingSignIn } from './second-factor.ts'

interface LogInFields {
  readonly email: string
  readonly password: string
  readonly remember: boolean
}

/** Returns why these fields cannot be sent; null if they can. */
export function logInProblem({ email, password }: Pick<LogInFields, 'email' | 'password'>): string | null {
  return email.trim() === '' || password === '' ? 'Enter email and password' : null
}

/**
 * Signs in with a password.
 *
 * @returns whether the driver is signed in, or the pending sign-in if it needs a second factor
 * @throws ApiError, UnreachableError
 */
export async function logIn(
  { client, session, notify }: Account,
  { email, password, remember }: LogInFields,
): Promise<boolean | PendingSignIn> {
  const answer = await createPasswords(client).authenticate({ email: email.trim(), password })
  const adopted = adoptOrAsk({ session }, answer, { remember })
  if (adopted === false) notify.info('Logged in (no session returned)')
  if (adopted !== true) return adopted
  notify.success('Welcome back!')
  return true
}
