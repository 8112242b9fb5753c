import { checkUsername as judge, TAKEN_SENTENCE, usernameKey } from '@lapwing/usernames'
import type { Deps, HandlerOf } from '../deps.ts'
import { findHolder } from './username.repository.ts'

/** Checks a name while a person types. Their own name counts as available. */
export function checkUsername({ db, findPrincipal }: Deps): HandlerOf<'checkUsername'> {
  return async request => {
    const verdict = judge(request.params.username)
    const isReserved = 'problem' in verdict && verdict.problem === TAKEN_SENTENCE
    if ('problem' in verdict && !isReserved)
      return { available: false, valid: false, reason: verdict.problem }
    const holder = await findHolder(db, usernameKey(request.params.username.trim()))
    const principal = await findPrincipal(request)
    const available = holder === null ? !isReserved : holder === principal?.userId
    return { available, valid: true, reason: available ? '' : TAKEN_SENTENCE }
  }
}
