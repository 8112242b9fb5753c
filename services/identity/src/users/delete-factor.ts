import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { answer } from '../http/answer.ts'
import { notifyOfWay, type WayChange } from '../mail/notify-of-way.ts'
import { leaveOrganizationOf, leaveOrganizations } from '../organizations/organization.repository.ts'
import { requireOwnSession } from '../sessions/require-session.ts'
import { requireApp } from '../sessions/second-factor.ts'
import { endSessionsOf } from '../sessions/session.repository.ts'
import { dropTokens } from '../tokens/token.ts'
import { removeTotp } from '../totps/totp.repository.ts'
import type { Work } from '../work.ts'
import { readUser } from './user.ts'

/** Removes one way to sign in. Returns false if it does not exist, or the mail that its owner gets about it. */
type Remove = (work: Work, userId: string, id: string) => Promise<boolean | WayChange>

const removeEmail: Remove = async (work, userId, id) => {
  const { trx } = work
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
  if (removed === undefined) return false
  return (await leaveOrganizations(work, userId)) ? 'social_removed' : true
}

const removeRegistration: Remove = async (work, userId, id) => {
  const removed = await work.trx
    .deleteFrom('oauth_registration')
    .where('user_id', '=', userId)
    .where('oauth_user_registration_id', '=', id)
    .returning('provider_type')
    .executeTakeFirst()
  if (removed === undefined) return false
  await leaveOrganizationOf(work, userId, removed.provider_type)
  return 'social_removed'
}

const removeApp: Remove = async ({ trx }, userId, id) => {
  const wasVerified = await removeTotp(trx, userId, id)
  return wasVerified ? 'totp_removed' : wasVerified !== null
}

const removePasskey: Remove = async (work, userId, id) => {
  const removed = await work.trx
    .deleteFrom('webauthn_registration')
    .where('user_id', '=', userId)
    .where('webauthn_registration_id', '=', id)
    .returning('user_id')
    .executeTakeFirst()
  return removed === undefined ? false : 'passkey_removed'
}

const removePhone: Remove = async ({ trx }, userId, id) => {
  const removed = await trx
    .deleteFrom('phone_number')
    .where('user_id', '=', userId)
    .where('phone_id', '=', id)
    .returning('phone_id')
    .executeTakeFirst()
  return removed === undefined ? false : 'phone_removed'
}

const removeWallet: Remove = async ({ trx }, userId, id) => {
  const removed = await trx
    .deleteFrom('crypto_wallet')
    .where('user_id', '=', userId)
    .where('crypto_wallet_id', '=', id)
    .returning('user_id')
    .executeTakeFirst()
  return removed === undefined ? false : 'wallet_removed'
}

/** For kinds that Lapwing does not have. */
const removeNothing: Remove = async () => false

const removers = {
  deleteEmail: removeEmail,
  deleteOAuthRegistration: removeRegistration,
  deletePhoneNumber: removePhone,
  deleteTotp: removeApp,
  deleteCryptoWallet: removeWallet,
  deleteWebauthnRegistration: removePasskey,
  deleteBiometricRegistration: removeNothing,
} as const satisfies Readonly<Record<string, Remove>>

type Remover = HandlerOf<'deleteEmail'>

/**
 * Creates the handlers of the seven calls that remove a way to sign in. The last way cannot be removed.
 * With an authenticator app its code must be in the session.
 * Every other session ends, as after any change of the ways to sign in.
 */
export function deleteFactor(deps: Deps) {
  const { change, readClient, mailSender } = deps
  const handle =
    (remove: Remove): Remover =>
    async request => {
      const client = readClient(request)
      const user = await change(async work => {
        const session = await requireOwnSession(work, client)
        await requireApp(work.trx, session)
        const { userId, sessionId } = session
        // Before an address, number or wallet is deleted, because its tokens, codes and challenges are found by it.
        await dropTokens(work.trx, userId)
        const removed = await remove(work, userId, request.params.id)
        if (removed === false) throw new IdentityError('factor_not_found')
        const remaining = (await readUser(work.trx, userId))!
        // An authenticator app opens nothing alone.
        const { emails, phone_numbers, providers, webauthn_registrations, crypto_wallets } = remaining
        const ways = [emails, phone_numbers, providers, webauthn_registrations, crypto_wallets]
        if (ways.every(of => of.length === 0)) {
          throw new IdentityError('cannot_delete_last_factor')
        }
        await endSessionsOf(work, userId, sessionId)
        if (removed !== true) await notifyOfWay(work, deps, userId, removed)
        return remaining
      })
      mailSender.wake()
      return answer(request, { user_id: user.user_id, __user: user })
    }
  const handlers = Object.entries(removers).map(([id, remove]) => [id, handle(remove)])
  return Object.fromEntries(handlers) as Readonly<Record<keyof typeof removers, Remover>>
}
