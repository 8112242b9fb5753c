import type { Account } from './account.ts'

interface LogInFields {
  readonly email: string
  readonly password: string
  readonly remember: boolean
}

/** What keeps these fields from being sent; null where nothing does. */
export function logInProblem({ email, password }: Pick<LogInFields, 'email' | 'password'>): string | null {
  return email.trim() === '' || password === '' ? 'Enter email and password' : null
}

/**
 * @returns whether the person is signed in
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
