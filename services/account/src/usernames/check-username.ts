import { checkUsername as judge, TAKEN_SENTENCE, usernameKey } from '@lapwing/usernames'
import type { Deps, HandlerOf } from '../deps.ts'
import { isDefaultOfOther } from './is-default-of-other.ts'
import { findHolder } from './username.repository.ts'

/** Checks a name while a person types. Their own name counts as available. */
export function checkUsername({ db, findPrincipal }: Deps): HandlerOf<'checkUsername'> {
  return async request => {
    const verdict = judge(request.params.username)
    const isListed = 'problem' in verdict && verdict.problem === TAKEN_SENTENCE
    if ('problem' in verdict && !isListed) return { available: false, valid: false, reason: verdict.problem }
    const username = request.params.username.trim()
    const holder = await findHolder(db, usernameKey(username))
    const principal = await findPrincipal(request)
    const isReserved = isListed || isDefaultOfOther(username, principal?.userId ?? null)
    const available = holder === null ? !isReserved : holder === principal?.userId
    return { available, valid: true, reason: available ? '' : TAKEN_SENTENCE }
  }
}
