import type { Account } from './account.ts'

export interface SignUpFields {
  readonly username: string
  readonly email: string
  readonly password: string
  readonly confirmation: string
  readonly agreed: boolean
}

/** Returns the first reason why these fields cannot be sent, in the specification's order; null if they can. */
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
 * Creates the account, stores its session and saves the name. If the name cannot be saved, the account keeps its
 * generated name and the driver can choose another later.
 *
 * @returns whether the driver is signed in
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
