import { type RawBuilder, sql } from 'kysely'
import type { Cipher } from '../crypto/cipher.ts'
import { newId } from '../crypto/secrets.ts'
import type { Trx } from '../database.ts'
import { recordEnded } from '../sessions/session.repository.ts'
import type { Work } from '../work.ts'
import type { AuthMethod } from './auth-method.ts'
import { OperatorError } from './operator-error.ts'
import { recordOrganizationEvent, secretLabel } from './organization.repository.ts'
import type { IssuerMetadata } from './read-issuer.ts'

/** What an operator says about an organization. */
export interface OrganizationDetails {
  readonly name: string
  /** In the form of `readClaimedDomain`. */
  readonly domains: readonly string[]
  readonly methods: readonly AuthMethod[]
}

/**
 * Creates an organization, or changes the one with this id: its domains and methods are replaced.
 *
 * @param organizationId null for a new one
 * @returns its id
 * @throws OperatorError if there is no such organization, or another one claims a domain
 */
export async function saveOrganization(
  work: Work,
  { name, domains, methods }: OrganizationDetails,
  organizationId: string | null,
): Promise<string> {
  const { trx, now } = work
  const id = organizationId ?? newId('organization')
  const changing = { name, allowed_methods: [...methods] }
  if (organizationId === null) {
    await trx
      .insertInto('organization')
      .values({ ...changing, organization_id: id, created_at: now, disabled_at: null })
      .execute()
  } else {
    await updateOrganization(trx, id, changing)
  }
  await trx.deleteFrom('organization_domain').where('organization_id', '=', id).execute()
  // In one order, so that two operators who claim the same domains do not deadlock.
  for (const domain of [...new Set(domains)].toSorted()) {
    const claimed = await trx
      .insertInto('organization_domain')
      .values({ domain, organization_id: id })
      .onConflict(conflict => conflict.doNothing())
      .returning('domain')
      .executeTakeFirst()
    if (claimed === undefined) throw new OperatorError(await claimedSentence(trx, domain))
  }
  await recordOrganizationEvent(
    work,
    organizationId === null ? 'organization_created' : 'organization_changed',
    id,
    { details: { name, domains, methods } },
  )
  return id
}

async function claimedSentence(trx: Trx, domain: string): Promise<string> {
  const owner = await trx
    .selectFrom('organization_domain')
    .innerJoin('organization', 'organization.organization_id', 'organization_domain.organization_id')
    .select(['organization.name', 'organization.organization_id'])
    .where('domain', '=', domain)
    .executeTakeFirst()
  const by = owner === undefined ? 'another organization' : `${owner.name} (${owner.organization_id})`
  return `${domain} is claimed by ${by} already. A domain belongs to one organization.`
}

/** Turns an organization off, which ends the sessions that its sign-in opened, or on again. */
export async function turnOrganization(work: Work, organizationId: string, isOn: boolean): Promise<void> {
  await updateOrganization(work.trx, organizationId, { disabled_at: isOn ? null : work.now })
  if (!isOn) await endSsoSessions(work, { organization_id: organizationId })
  await recordOrganizationEvent(work, isOn ? 'organization_enabled' : 'organization_disabled', organizationId)
}

async function updateOrganization(
  trx: Trx,
  organizationId: string,
  changing: {
    readonly name?: string
    readonly allowed_methods?: AuthMethod[]
    readonly disabled_at?: Date | null
  },
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('organization')
    .set(changing)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw noOrganization(organizationId)
}

function noOrganization(organizationId: string): OperatorError {
  return new OperatorError(`There is no organization ${organizationId}.`)
}

/** What an operator says about an organization's own sign-in. */
export interface ConnectionDetails {
  readonly displayName: string
  readonly metadata: IssuerMetadata
  readonly clientId: string
  readonly clientSecret: string
}

/**
 * Adds a sign-in to an organization, or changes the one with this id. Its issuer and client id never change,
 * because only both together say whom a `sub` names.
 *
 * @param connectionId null for a new one
 * @returns its id
 * @throws OperatorError
 */
export async function saveConnection(
  work: Work,
  cipher: Cipher,
  organizationId: string,
  { displayName, metadata, clientId, clientSecret }: ConnectionDetails,
  connectionId: string | null,
): Promise<string> {
  const { trx, now } = work
  const id = connectionId ?? newId('sso-connection')
  const changing = {
    display_name: displayName,
    secret_sealed: cipher.seal(clientSecret, secretLabel(id)),
    client_auth: metadata.clientAuth,
    authorize_url: metadata.authorizeUrl,
    token_url: metadata.tokenUrl,
    keys_url: metadata.keysUrl,
    profile_url: metadata.profileUrl,
  }
  const organization = await trx
    .selectFrom('organization')
    .select('organization_id')
    .where('organization_id', '=', organizationId)
    .forUpdate()
    .executeTakeFirst()
  if (organization === undefined) throw noOrganization(organizationId)
  if (connectionId === null) {
    await trx
      .insertInto('sso_connection')
      .values({
        ...changing,
        connection_id: id,
        organization_id: organizationId,
        issuer: metadata.issuer,
        client_id: clientId,
        created_at: now,
      })
      .execute()
  } else {
    const { numUpdatedRows } = await trx
      .updateTable('sso_connection')
      .set(changing)
      .where('connection_id', '=', id)
      .where('organization_id', '=', organizationId)
      .where('issuer', '=', metadata.issuer)
      .where('client_id', '=', clientId)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) {
      throw new OperatorError(`The organization has no connection ${id} with this issuer and client id.`)
    }
  }
  await recordOrganizationEvent(work, 'connection_saved', organizationId, {
    details: { connectionId: id, issuer: metadata.issuer, clientId },
  })
  return id
}

/**
 * Removes a sign-in of an organization. It opens no account any more, and the sessions that it opened end. Its
 * people keep their other ways in, such as a code to their address. Throws if there is none.
 */
export async function removeConnection(work: Work, connectionId: string): Promise<void> {
  const { trx } = work
  // A sign-in that is under way ends first, so that it leaves neither a session nor a way in.
  await trx
    .selectFrom('organization')
    .select('organization_id')
    .where('organization_id', 'in', eb =>
      eb.selectFrom('sso_connection').select('organization_id').where('connection_id', '=', connectionId),
    )
    .forUpdate()
    .execute()
  const removed = await trx
    .deleteFrom('sso_connection')
    .where('connection_id', '=', connectionId)
    .returning('organization_id')
    .executeTakeFirst()
  if (removed === undefined) throw new OperatorError(`There is no connection ${connectionId}.`)
  // Sessions first, as in every change of an account, to prevent deadlocks.
  await endSsoSessions(work, { connection_id: connectionId })
  await trx.deleteFrom('oauth_registration').where('provider_type', '=', connectionId).execute()
  await recordOrganizationEvent(work, 'connection_removed', removed.organization_id, {
    details: { connectionId },
  })
}

/** Ends the sessions with a factor of this organization or connection. */
async function endSsoSessions(
  work: Work,
  sso_factor: { readonly organization_id: string } | { readonly connection_id: string },
): Promise<void> {
  const contains: RawBuilder<boolean> = sql`factors @> ${JSON.stringify([{ type: 'sso', sso_factor }])}::jsonb`
  const rows = await work.trx
    .deleteFrom('session')
    .where(contains)
    .returning(['session_id', 'jwt_expires_at'])
    .execute()
  await recordEnded(work, rows)
}
