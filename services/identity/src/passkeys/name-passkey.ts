import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { answer } from '../http/answer.ts'
import { requireOwnSession } from '../sessions/require-session.ts'
import { requireComplete } from '../sessions/second-factor.ts'
import { readUser } from '../users/user.ts'
import { namePasskey } from './passkey.repository.ts'

/** Characters of a passkey's name. */
const MAX_NAME_LENGTH = 64

/** Names a passkey, so that its owner knows which one to remove. */
export function updateWebauthn({ change, readClient, limits }: Deps): HandlerOf<'updateWebauthn'> {
  return async request => {
    const client = readClient(request)
    const { id } = request.params
    const name = request.body.name.replace(/\p{C}/gu, '').trim().slice(0, MAX_NAME_LENGTH).toWellFormed()
    if (name === '') throw new IdentityError('empty_webauthn_registration_name')
    await limits.count('factor', client)
    const named = await change(async work => {
      const session = await requireOwnSession(work, client)
      await requireComplete(work, session)
      if (!(await namePasskey(work.trx, session.userId, id, name))) {
        throw new IdentityError('webauthn_registration_not_found')
      }
      const user = await readUser(work.trx, session.userId)
      return user!.webauthn_registrations.find(passkey => passkey.webauthn_registration_id === id)!
    })
    return answer(request, { webauthn_registration: named })
  }
}
