import { isDefaultUsername, usernameKey } from '@lapwing/usernames'
import { defaultNameOf } from '@lapwing/usernames/default-name'

/**
 * Returns true for a generated name that is not this account's own. Boards show the generated name of a driver who
 * has no profile yet, and anyone can derive it from the row. Nobody else may take it before its driver comes.
 */
export function isDefaultOfOther(username: string, userId: string | null): boolean {
  if (!isDefaultUsername(username)) return false
  return userId === null || usernameKey(username) !== defaultNameOf(userId)
}
