import type { Account } from './account.ts'

export interface SignUpFields {
  readonly username: string
  readonly email: string
  readonly password: string
  readonly confirmation: string
  readonly agreed: boolean
}

/** The first thing that keeps these fields from being sent, in the order of the specification; null where nothing does. */
export function signUpProblem(fields: SignUpFields, usernameProblem: string | null): string | null {
  const { username, email, password, confirmation, agreed } = fields
  if (email.trim() === '' || password === '') return 'Enter email and password'
  if (username.trim() === '') return 'Enter a username'
  if (usernameProblem !== null) return usernameProblem
  if (password !== confirmation) return 'Passwords do not match'
  if (!agreed) return 'Please agree to the terms of service'
  return null
}

/**
 * Makes the account, keeps its session and saves the name. A name that cannot be saved stops nobody:
 * the person has an account with the name they were given, and can choose another.
 *
 * @returns whether the person is signed in
 * @throws IdentityError, IdentityUnreachableError
 */
export async function signUp(
  { identity, session, api, usernameMarks, notify, warn }: Account,
  { email, password, username }: Pick<SignUpFields, 'email' | 'password' | 'username'>,
): Promise<boolean> {
  const answer = await identity.createPassword(email.trim(), password)
  if (!session.adopt(answer)) {
    notify.info('Signed up (no session returned)')
    return false
  }
  try {
    await api.setUsername(username)
    usernameMarks.markChanged(answer.user_id)
  } catch (error) {
    warn('The username could not be saved.', error)
  }
  return true
}
