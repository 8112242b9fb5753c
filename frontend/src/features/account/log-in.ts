import type { Account } from './account.ts'

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
 * @returns whether the driver is signed in
 * @throws IdentityError, IdentityUnreachableError
 */
export async function logIn(
  { identity, session, notify }: Account,
  { email, password, remember }: LogInFields,
): Promise<boolean> {
  const answer = await identity.authenticatePassword(email.trim(), password)
  if (!session.adopt(answer, { remember })) {
    notify.info('Logged in (no session returned)')
    return false
  }
  notify.success('Welcome back!')
  return true
}
