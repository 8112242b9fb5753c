import { type RawBuilder, sql } from 'kysely'
import { disconnectApps } from '../connected-apps/end-authorizations.ts'
import { newId } from '../crypto/secrets.ts'
import type { Db, Trx } from '../database.ts'
import { forgetOrigins } from '../limits/known-origins.ts'
import type { Limits } from '../limits/limits.ts'
import { notifyOfWay, type WayMailer } from '../mail/notify-of-way.ts'
import { endSessionsOf } from '../sessions/session.repository.ts'
import { dropTokens } from '../tokens/token.ts'
import { removeTotp } from '../totps/totp.repository.ts'
import type { Work } from '../work.ts'
import type { EmailAddress } from './email-address.ts'

export interface Email {
  readonly emailId: string
  readonly userId: string
  readonly address: string
  readonly verified: boolean
}

/** Returns the address with this key, in any spelling; null if no account has it. */
export async function findEmail(db: Db | Trx, key: string): Promise<Email | null> {
  const row = await db
    .selectFrom('email')
    .select(['email_id as emailId', 'user_id as userId', 'address', 'verified'])
    .where('address_key', '=', key)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Creates an account without a way to sign in; the caller adds one in the same change. Throws
 * `too_many_requests` after too many new accounts from the network within the hour.
 */
export async function createUser(
  { trx, now }: Work,
  limits: Pick<Limits, 'countNewAccount'>,
  source: { readonly ipAddress: string },
): Promise<string> {
  await limits.countNewAccount(trx, source, now)
  const userId = newId('user')
  await trx.insertInto('person').values({ user_id: userId, created_at: now, locked_at: null }).execute()
  return userId
}

/** Adds an address. Throws the unique violation `email_address_key` if an account has it. */
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
 * Marks an address as verified. The person who typed it before can have been a stranger. So the first
 * time, all sessions end, the password must be reset, and passkeys, the authenticator app and connected apps are removed. Mails
 * report it, because the owner can have added them. With `isTheirSession` all stay: the browser is signed in to
 * the account, so the same person typed the address and owns the mailbox.
 */
export async function verifyEmail(
  work: Work,
  mailer: WayMailer,
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
  const passkeys = await work.trx
    .deleteFrom('webauthn_registration')
    .where('user_id', '=', email.userId)
    .returning('user_id')
    .execute()
  if (passkeys.length > 0) await notifyOfWay(work, mailer, email.userId, 'passkey_removed')
  if (await removeTotp(work.trx, email.userId)) {
    await notifyOfWay(work, mailer, email.userId, 'totp_removed')
  }
  await endSessionsOf(work, email.userId)
  await disconnectApps(work, email.userId)
  await dropTokens(work.trx, email.userId)
  await forgetOrigins(work.trx, email.userId)
}

/** Locks the person until the change is over. Returns false if the account is locked or does not exist. */
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
 * Selects and locks a row, until the change is over, if the account exists and is not locked. An operator
 * who locks the account meanwhile waits, and then ends the new session.
 */
export function activePersonGuard(userId: string): RawBuilder<unknown> {
  return sql`select user_id, roles, has_totp from person where user_id = ${userId} and locked_at is null for share`
}

export interface Registration {
  readonly registrationId: string
  readonly userId: string
}

/** Returns the registration of a provider's account; null if no account uses it. */
export async function findRegistration(
  db: Db | Trx,
  providerType: string,
  providerSubject: string,
): Promise<Registration | null> {
  const row = await db
    .selectFrom('oauth_registration')
    .select(['oauth_user_registration_id as registrationId', 'user_id as userId'])
    .where('provider_type', '=', providerType)
    .where('provider_subject', '=', providerSubject)
    .executeTakeFirst()
  return row ?? null
}

/** Stores a provider's account as a way to sign in, or updates its picture and locale. */
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
  const details = {
    profile_picture_url: provider.profilePictureUrl.slice(0, 2_048),
    locale: provider.locale.slice(0, 35),
  }
  return trx
    .insertInto('oauth_registration')
    .values({
      oauth_user_registration_id: newId('oauth-user'),
      user_id: userId,
      provider_type: provider.type,
      provider_subject: provider.subject,
      created_at: now,
      ...details,
    })
    .onConflict(conflict => conflict.constraint('oauth_registration_subject').doUpdateSet(details))
    .returning(['oauth_user_registration_id as registrationId', 'user_id as userId'])
    .executeTakeFirstOrThrow()
}
