import { createPasswords } from '@lapwing/identity-client/passwords'
import type { Account } from './account.ts'
import { adoptOrAsk, type PendingSignIn } from './second-factor.ts'

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
 * @returns whether the driver is signed in, or the pending sign-up if it needs a second factor
 * @throws ApiError, UnreachableError
 */
export async function signUp(
  { client, session, api, usernameMarks, notify, warn }: Account,
  { email, password, username }: Pick<SignUpFields, 'email' | 'password' | 'username'>,
): Promise<boolean | PendingSignIn> {
  const answer = await createPasswords(client).create({ email: email.trim(), password })
  const newName = { userId: answer.user_id, username }
  const adopted = adoptOrAsk({ session }, answer)
  if (typeof adopted === 'object') return { ...adopted, newName }
  if (adopted) await saveNewName({ api, usernameMarks, warn }, newName)
  else notify.info('Signed up (no session returned)')
  return adopted
}

/** Saves the name of a new account. If that fails, the account keeps its generated one. */
export async function saveNewName(
  { api, usernameMarks, warn }: Pick<Account, 'api' | 'usernameMarks' | 'warn'>,
  { userId, username }: NonNullable<PendingSignIn['newName']>,
): Promise<void> {
  try {
    await api.setUsername(username)
    usernameMarks.markChanged(userId)
  } catch (error) {
    warn('The username could not be saved.', error)
  }
}
