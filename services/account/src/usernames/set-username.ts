import { acquireAccountLock, isUniqueViolation } from '@lapwing/db'
import { AppError } from '@lapwing/http'
import { checkUsername, TAKEN_SENTENCE, usernameKey } from '@lapwing/usernames'
import { refuseDeleted } from '../accounts/refuse-deleted.ts'
import type { Deps, HandlerOf } from '../deps.ts'
import { ensureProfile } from './ensure-profile.ts'
import { isDefaultOfOther } from './is-default-of-other.ts'
import { updateUsername } from './username.repository.ts'

function refusal(problem: string): AppError {
  return problem === TAKEN_SENTENCE
    ? new AppError('account.username_taken')
    : new AppError('account.username_invalid', { detail: problem })
}

/**
 * Sets the username. If two people choose one name at the same time, the unique index accepts one of
 * them.
 */
export function setUsername({ db, requirePrincipal, now, publish, events }: Deps): HandlerOf<'setUsername'> {
  return async request => {
    const { userId } = await requirePrincipal(request)
    const verdict = checkUsername(request.body.username)
    const profile = await ensureProfile(db, userId, { publish })
    const username = request.body.username.trim()
    // A driver may keep a name that is older than the rule it breaks.
    const isOwnName = usernameKey(profile.username) === usernameKey(username)
    if ('problem' in verdict && !isOwnName) throw refusal(verdict.problem)
    if (!isOwnName && isDefaultOfOther(username, userId)) throw refusal(TAKEN_SENTENCE)

    try {
      await db.transaction().execute(async trx => {
        await acquireAccountLock(trx, userId)
        await refuseDeleted(trx, userId)
        await updateUsername(trx, userId, username, usernameKey(username), now())
        await publish(trx, { case: 'usernameChanged', value: { userId, username } })
      })
    } catch (error) {
      if (isUniqueViolation(error, 'profile_username_key')) throw new AppError('account.username_taken')
      throw error
    }
    events.wake()
    return { username, is_default: false }
  }
}
