import type { components } from '@lapwing/contracts/identity'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { DEFAULT_ROLE } from '../project/rbac-policy.ts'

/** An account in the protocol's shape. */
export type User = components['schemas']['User']

/** Returns the account with all its ways to sign in; null if it does not exist. */
export async function readUser(db: Db | Trx, userId: string): Promise<User | null> {
  const { rows } = await selectUser(userId).execute(db)
  return rows[0] === undefined ? null : toUser(rows[0])
}

/** Selects the account with all its ways to sign in, or no row. */
export function selectUser(userId: string): RawBuilder<UserRow> {
  return sql`
    select person.user_id, person.created_at, person.first_name, person.middle_name, person.last_name,
      person.roles, person.trusted_metadata, person.untrusted_metadata, person.locked_at,
      password.password_id, password.requires_reset,
      (select coalesce(json_agg(json_build_object(
          'email_id', email_id, 'email', address, 'verified', verified) order by created_at, email_id), '[]')
        from email where email.user_id = person.user_id) as emails,
      (select coalesce(json_agg(json_build_object(
          'phone_id', phone_id, 'phone_number', number, 'verified', true) order by created_at, phone_id), '[]')
        from phone_number where phone_number.user_id = person.user_id) as phones,
      (select coalesce(json_agg(json_build_object(
          'oauth_user_registration_id', oauth_user_registration_id, 'provider_subject', provider_subject,
          'provider_type', provider_type, 'profile_picture_url', profile_picture_url, 'locale', locale)
          order by created_at, oauth_user_registration_id), '[]')
        from oauth_registration where oauth_registration.user_id = person.user_id) as providers,
      (select coalesce(json_agg(json_build_object('totp_id', totp_id, 'verified', verified)), '[]')
        from totp where totp.user_id = person.user_id) as totps,
      (select coalesce(json_agg(json_build_object(
          'webauthn_registration_id', webauthn_registration_id, 'domain', domain, 'user_agent', user_agent,
          'authenticator_type', authenticator_type, 'verified', true, 'name', name)
          order by created_at, webauthn_registration_id), '[]')
        from webauthn_registration where webauthn_registration.user_id = person.user_id) as passkeys,
      (select coalesce(json_agg(json_build_object(
          'crypto_wallet_id', crypto_wallet_id, 'crypto_wallet_address', address,
          'crypto_wallet_type', wallet_type, 'verified', true) order by created_at, crypto_wallet_id), '[]')
        from crypto_wallet where crypto_wallet.user_id = person.user_id) as wallets
    from person left join password on password.user_id = person.user_id
    where person.user_id = ${userId}`
}

export function toUser(row: UserRow): User {
  return {
    user_id: row.user_id,
    created_at: row.created_at.toISOString(),
    status: 'active',
    name: { first_name: row.first_name, middle_name: row.middle_name, last_name: row.last_name },
    emails: row.emails,
    phone_numbers: row.phones,
    providers: row.providers,
    password:
      row.password_id === null
        ? null
        : { password_id: row.password_id, requires_reset: row.requires_reset ?? false },
    totps: row.totps,
    crypto_wallets: row.wallets,
    webauthn_registrations: row.passkeys,
    biometric_registrations: [],
    trusted_metadata: row.trusted_metadata as never,
    untrusted_metadata: row.untrusted_metadata as never,
    roles: [DEFAULT_ROLE, ...row.roles.filter(role => role !== DEFAULT_ROLE)],
    is_locked: row.locked_at !== null,
  }
}

export interface UserRow {
  readonly user_id: string
  readonly created_at: Date
  readonly first_name: string
  readonly middle_name: string
  readonly last_name: string
  readonly roles: string[]
  readonly trusted_metadata: object
  readonly untrusted_metadata: object
  readonly locked_at: Date | null
  readonly password_id: string | null
  readonly requires_reset: boolean | null
  readonly emails: User['emails']
  readonly phones: User['phone_numbers']
  readonly providers: User['providers']
  readonly totps: User['totps']
  readonly passkeys: User['webauthn_registrations']
  readonly wallets: User['crypto_wallets']
}
