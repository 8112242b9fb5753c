import type { components } from '@lapwing/contracts/identity'
import { type ExpressionBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Cipher } from '../crypto/cipher.ts'
import { newId } from '../crypto/secrets.ts'
import type { Database, Db, Trx } from '../database.ts'
import type { RemoteClient } from '../oauth/config.ts'
import type { Work } from '../work.ts'
import type { AuthMethod } from './auth-method.ts'

/** An organization that is turned on. */
export interface Organization {
  readonly organizationId: string
  readonly name: string
  readonly allowedMethods: readonly AuthMethod[]
  readonly domains: readonly string[]
  readonly connections: readonly { readonly connectionId: string; readonly displayName: string }[]
}

/** Returns the organization; null if it is unknown or turned off. */
export async function findOrganization(db: Db | Trx, organizationId: string): Promise<Organization | null> {
  const row = await selectOrganizations(db).where('organization_id', '=', organizationId).executeTakeFirst()
  return row ?? null
}

/** Returns the organization that claims exactly this domain; null without one. */
export async function findOrganizationOfDomain(db: Db, domain: string): Promise<Organization | null> {
  const row = await selectOrganizations(db)
    .where('organization_id', 'in', eb =>
      eb.selectFrom('organization_domain').select('organization_id').where('domain', '=', domain),
    )
    .executeTakeFirst()
  return row ?? null
}

/** Returns the organizations whose member the person is, by name. */
export function findOrganizationsOf(db: Db, userId: string): Promise<readonly Organization[]> {
  return selectOrganizations(db)
    .where('organization_id', 'in', eb =>
      eb.selectFrom('organization_member').select('organization_id').where('user_id', '=', userId),
    )
    .orderBy('name')
    .orderBy('organization_id')
    .execute()
}

/**
 * Does the same as `findOrganization`. An operator who changes the organization waits until the change is over.
 * Call it before the person is locked: an operator locks the organization first, too.
 */
export async function lockOrganization(trx: Trx, organizationId: string): Promise<Organization | null> {
  await trx
    .selectFrom('organization')
    .select('organization_id')
    .where('organization_id', '=', organizationId)
    .forShare()
    .execute()
  // Another statement, because the first one can have waited and its snapshot is older.
  return findOrganization(trx, organizationId)
}

function selectOrganizations(db: Db | Trx) {
  return db
    .selectFrom('organization')
    .select(eb => [
      'organization_id as organizationId',
      'name',
      'allowed_methods as allowedMethods',
      sql<string[]>`array(select domain from organization_domain
        where organization_domain.organization_id = organization.organization_id order by domain)`.as(
        'domains',
      ),
      jsonArrayFrom(selectConnections(eb)).as('connections'),
    ])
    .where('disabled_at', 'is', null)
}

function selectConnections(eb: ExpressionBuilder<Database, 'organization'>) {
  return eb
    .selectFrom('sso_connection')
    .select(['connection_id as connectionId', 'display_name as displayName'])
    .whereRef('sso_connection.organization_id', '=', 'organization.organization_id')
    .where(sql<boolean>`'sso' = any(organization.allowed_methods)`)
    .orderBy('display_name')
    .orderBy('connection_id')
}

/** Returns the organization as everybody may see it. */
export function organizationView({
  organizationId,
  name,
  allowedMethods,
  connections,
}: Organization): components['schemas']['Organization'] {
  return {
    organization_id: organizationId,
    organization_name: name,
    allowed_auth_methods: [...allowedMethods],
    sso_connections: connections.map(({ connectionId, displayName }) => ({
      connection_id: connectionId,
      display_name: displayName,
    })),
  }
}

/** An organization's own sign-in, which it allows. */
export interface Connection {
  readonly connectionId: string
  readonly organization: Organization
  /** Lapwing as its client. */
  readonly client: RemoteClient
}

/** Algorithms of ID tokens: asymmetric ones only. */
const ID_TOKEN_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
]

/** Returns the connection; null if it is unknown, or its organization is turned off or does not allow it. */
export async function findConnection(
  db: Db | Trx,
  cipher: Cipher,
  connectionId: string,
): Promise<Connection | null> {
  const row = await db
    .selectFrom('sso_connection')
    .select([
      'organization_id',
      'issuer',
      'client_id',
      'secret_sealed',
      'client_auth',
      'authorize_url',
      'token_url',
      'keys_url',
      'profile_url',
    ])
    .where('connection_id', '=', connectionId)
    .executeTakeFirst()
  const organization = row === undefined ? null : await findOrganization(db, row.organization_id)
  if (row === undefined || !organization?.allowedMethods.includes('sso')) return null
  return {
    connectionId,
    organization,
    client: {
      title: organization.name,
      clientId: row.client_id,
      clientSecret: cipher.open(row.secret_sealed, secretLabel(connectionId)),
      apple: null,
      issuer: row.issuer,
      authorizeUrl: row.authorize_url,
      tokenUrl: row.token_url,
      keysUrl: row.keys_url,
      profileUrl: row.profile_url,
      idTokenAlgorithms: ID_TOKEN_ALGORITHMS,
      ...(row.client_auth === 'basic' && { clientAuth: 'encoded-basic' }),
      scopes: ['openid', 'email'],
      pkce: true,
      claims: {
        subject: 'sub',
        email: 'email',
        // Microsoft Entra sends this claim instead, if the organization's administrator asks for it.
        verified: ({ email_verified, xms_edov }) => email_verified ?? xms_edov,
      },
    },
  }
}

/** Returns the label under which the secret of a connection is sealed. */
export function secretLabel(connectionId: string): string {
  return `secret of ${connectionId}`
}

/** Makes a person a member. Returns whether they were none before. */
export async function addMember(work: Work, organizationId: string, userId: string): Promise<boolean> {
  const added = await work.trx
    .insertInto('organization_member')
    .values({ organization_id: organizationId, user_id: userId, joined_at: work.now })
    .onConflict(conflict => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (added === undefined) return false
  await recordOrganizationEvent(work, 'member_joined', organizationId, { userId })
  return true
}

/** Returns whether the account has a proved address in a domain of the organization. */
export async function hasOwnAddress(trx: Trx, organizationId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`select from email join organization_domain
      on domain = split_part(address_key, '@', 2)
    where email.user_id = ${userId} and verified and organization_id = ${organizationId} limit 1`.execute(trx)
  return rows.length > 0
}

/**
 * Ends what rests on an address of an organization that the person has no more: memberships, and sign-ins of
 * organizations. Returns whether a sign-in was removed.
 */
export async function leaveOrganizations({ trx }: Work, userId: string): Promise<boolean> {
  const claimed = sql`(select organization_id from organization_domain
    where domain in (select split_part(address_key, '@', 2) from email where user_id = ${userId} and verified))`
  await sql`delete from organization_member
    where user_id = ${userId} and organization_id not in ${claimed}`.execute(trx)
  const { rows } = await sql`delete from oauth_registration using sso_connection
    where user_id = ${userId} and provider_type = connection_id and organization_id not in ${claimed}
    returning user_id`.execute(trx)
  return rows.length > 0
}

/** Ends the membership that came from a connection; does nothing for other providers. */
export async function leaveOrganizationOf(
  { trx }: Work,
  userId: string,
  providerType: string,
): Promise<void> {
  await sql`delete from organization_member using sso_connection
    where user_id = ${userId} and connection_id = ${providerType}
      and organization_member.organization_id = sso_connection.organization_id`.execute(trx)
}

/** What is recorded for the operator. */
export type OrganizationEventKind =
  | 'organization_created'
  | 'organization_changed'
  | 'organization_disabled'
  | 'organization_enabled'
  | 'connection_saved'
  | 'connection_removed'
  | 'member_joined'

/** Records an event as part of the change. */
export async function recordOrganizationEvent(
  { trx, now }: Work,
  kind: OrganizationEventKind,
  organizationId: string,
  {
    userId = null,
    details = {},
  }: { readonly userId?: string | null; readonly details?: Readonly<Record<string, unknown>> } = {},
): Promise<void> {
  await trx
    .insertInto('organization_event')
    .values({
      event_id: newId('organization-event'),
      happened_at: now,
      kind,
      organization_id: organizationId,
      user_id: userId,
      details: JSON.stringify(details),
    })
    .execute()
}
