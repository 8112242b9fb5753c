import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { answer } from '../http/answer.ts'
import { requireOwnSession } from '../sessions/require-session.ts'
import { endSessionsOf } from '../sessions/session.repository.ts'
import { dropTokens } from '../tokens/token.ts'
import type { Work } from '../work.ts'
import { readUser } from './user.ts'

/** Removes one way to sign in. Returns false if it does not exist. */
type Remove = (work: Work, userId: string, id: string) => Promise<boolean>

const removeEmail: Remove = async ({ trx }, userId, id) => {
  const removed = await trx
    .deleteFrom('email')
    .where('user_id', '=', userId)
    .where('email_id', '=', id)
    .returning('email_id')
    .executeTakeFirst()
  // A password works only together with an address.
  await trx
    .deleteFrom('password')
    .where('user_id', '=', userId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('email').select('email_id').where('email.user_id', '=', userId))),
    )
    .execute()
  return removed !== undefined
}

const removeRegistration: Remove = async ({ trx }, userId, id) => {
  const removed = await trx
    .deleteFrom('oauth_registration')
    .where('user_id', '=', userId)
    .where('oauth_user_registration_id', '=', id)
    .returning('user_id')
    .executeTakeFirst()
  return removed !== undefined
}

/** For kinds that Lapwing does not have. */
const removeNothing: Remove = async () => false

const removers = {
  deleteEmail: removeEmail,
  deleteOAuthRegistration: removeRegistration,
  deletePhoneNumber: removeNothing,
  deleteTotp: removeNothing,
  deleteCryptoWallet: removeNothing,
  deleteWebauthnRegistration: removeNothing,
  deleteBiometricRegistration: removeNothing,
} as const satisfies Readonly<Record<string, Remove>>

type Remover = HandlerOf<'deleteEmail'>

/**
 * Creates the handlers of the seven calls that remove a way to sign in. The last way cannot be removed.
 * Every other session ends, as after any change of the ways to sign in.
 */
export function deleteFactor({ change, readClient }: Deps) {
  const handle =
    (remove: Remove): Remover =>
    async request => {
      const client = readClient(request)
      const user = await change(async work => {
        const { userId, sessionId } = await requireOwnSession(work, client)
        // Before the address is deleted, because its tokens are found by it.
        await dropTokens(work.trx, userId)
        if (!(await remove(work, userId, request.params.id))) throw new IdentityError('factor_not_found')
        const remaining = (await readUser(work.trx, userId))!
        if (remaining.emails.length + remaining.providers.length === 0) {
          throw new IdentityError('cannot_delete_last_factor')
        }
        await endSessionsOf(work, userId, sessionId)
        return remaining
      })
      return answer(request, { user_id: user.user_id, __user: user })
    }
  const handlers = Object.entries(removers).map(([id, remove]) => [id, handle(remove)])
  return Object.fromEntries(handlers) as Readonly<Record<keyof typeof removers, Remover>>
}
