import { ApiError } from '#shared/api/problem.ts'
import type { Account } from './account.ts'

/** Saves the name of the person who is signed in, and tells how it went. Answers the name that stands, null where it failed. */
export async function saveUsername(
  { api, usernameMarks, notify }: Pick<Account, 'api' | 'usernameMarks' | 'notify'>,
  userId: string,
  text: string,
): Promise<string | null> {
  if (text.trim() === '') {
    notify.error('Please enter a username')
    return null
  }
  try {
    const { username } = await api.setUsername(text)
    usernameMarks.markChanged(userId)
    notify.success('Username updated successfully!')
    return username
  } catch (error) {
    notify.error(failure(error))
    return null
  }
}

/** The server's own sentence where it refused; that of a call that did not arrive otherwise. */
function failure(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Failed to update username. Please try again.'
  return error.isSentence ? error.message : 'Failed to update username'
}
