import { type RawBuilder, sql } from 'kysely'
import { newId } from '../crypto/secrets.ts'
import type { Db, Trx } from '../database.ts'
import { forgetOrigins } from '../limits/known-origins.ts'
import type { Limits } from '../limits/limits.ts'
import { endSessionsOf } from '../sessions/session.repository.ts'
import { dropTokens } from '../tokens/token.ts'
import type { Work } from '../work.ts'
import type { EmailAddress } from './email-address.ts'

export interface Email {
  readonly emailId: string
  readonly userId: string
  readonly address: string
  readonly verified: boolean
}

/** Who has an address, in whatever spelling; null where nobody does. */
export async function findEmail(db: Db | Trx, key: string): Promise<Email | null> {
  const row = await db
    .selectFrom('email')
    .select(['email_id', 'user_id', 'address', 'verified'])
    .where('address_key', '=', key)
    .executeTakeFirst()
  return row === undefined
    ? null
    : { emailId: row.email_id, userId: row.user_id, address: row.address, verified: row.verified }
}

/**
 * Makes a person without any way to sign in; the caller adds one in the same change. Throws
 * `too_many_requests` if too many accounts came from that network within the hour.
 */
export async function createUser(
  { trx, now }: Work,
  limits: Pick<Limits, 'takeNewAccount'>,
  source: { readonly ipAddress: string },
): Promise<string> {
  await limits.takeNewAccount(trx, source, now)
  const userId = newId('user')
  await trx
    .insertInto('person')
    .values({
      user_id: userId,
      created_at: now,
      locked_at: null,
    })
    .execute()
  return userId
}

/** Throws the unique violation `email_address_key` when somebody has the address. */
export async function addEmail(
  { trx, now }: Work,
  userId: string,
  email: EmailAddress,
  { verified }: { readonly verified: boolean },
): Promise<Email> {
  const emailId = newId('email')
  await trx
    .insertInto('email')
    .values({
      email_id: emailId,
      user_id: userId,
      address: email.address,
      address_key: email.key,
      verified,
      created_at: now,
    })
    .execute()
  return { emailId, userId, address: email.address, verified }
}

/**
 * Remembers that a person has shown that a mailbox is theirs. The first time, whoever typed the
 * address before may have been somebody else: their sessions end and the password they chose must be
 * reset before it opens the account again. Not so where the same browser is signed in to the account:
 * whoever typed the address and whoever has the mailbox are then one.
 */
export async function verifyEmail(
  work: Work,
  email: Email,
  { isTheirSession = false }: { readonly isTheirSession?: boolean } = {},
): Promise<void> {
  if (email.verified) return
  await work.trx.updateTable('email').set({ verified: true }).where('email_id', '=', email.emailId).execute()
  if (isTheirSession) return
  await work.trx
    .updateTable('password')
    .set({ requires_reset: true })
    .where('user_id', '=', email.userId)
    .execute()
  await endSessionsOf(work, email.userId)
  await dropTokens(work.trx, email.userId)
  await forgetOrigins(work.trx, email.userId)
}

/** Held until the change is over; false where the person does not exist (any more) or is locked. */
export async function lockActiveUser(trx: Trx, userId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('person')
    .select('locked_at')
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined && row.locked_at === null
}

/**
 * Selects a row, held until the change is over, if the person exists and is not locked. An operator who
 * locks the person meanwhile waits, and then ends what was written.
 */
export function personStands(userId: string): RawBuilder<unknown> {
  return sql`select user_id, roles from person where user_id = ${userId} and locked_at is null for share`
}

export interface Registration {
  readonly registrationId: string
  readonly userId: string
}

/** Who signs in with this account of a provider; null where nobody does. */
export async function findRegistration(
  db: Db | Trx,
  providerType: string,
  providerSubject: string,
): Promise<Registration | null> {
  const row = await db
    .selectFrom('oauth_registration')
    .select(['oauth_user_registration_id', 'user_id'])
    .where('provider_type', '=', providerType)
    .where('provider_subject', '=', providerSubject)
    .executeTakeFirst()
  return row === undefined ? null : { registrationId: row.oauth_user_registration_id, userId: row.user_id }
}

/** Writes a provider's account as a way to sign in; one that is known is brought up to date. */
export async function saveRegistration(
  { trx, now }: Work,
  userId: string,
  provider: {
    readonly type: string
    readonly subject: string
    readonly profilePictureUrl: string
    readonly locale: string
  },
): Promise<Registration> {
  const shown = {
    profile_picture_url: provider.profilePictureUrl.slice(0, 2_048),
    locale: provider.locale.slice(0, 35),
  }
  const row = await trx
    .insertInto('oauth_registration')
    .values({
      oauth_user_registration_id: newId('oauth-user'),
      user_id: userId,
      provider_type: provider.type,
      provider_subject: provider.subject,
      created_at: now,
      ...shown,
    })
    .onConflict(conflict => conflict.constraint('oauth_registration_subject').doUpdateSet(shown))
    .returning(['oauth_user_registration_id', 'user_id'])
    .executeTakeFirstOrThrow()
  return { registrationId: row.oauth_user_registration_id, userId: row.user_id }
}
