import { ApiError, sentenceOf } from '#shared/api/problem.ts'
import type { Account } from './account.ts'

/** Saves the signed-in driver's name and shows the result. Returns the stored name; null if saving failed. */
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

/** Returns the server's message if it refused, else a message about the failed call. */
function failure(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Failed to update username. Please try again.'
  return sentenceOf(error, 'Failed to update username')
}
