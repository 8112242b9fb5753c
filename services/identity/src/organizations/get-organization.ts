import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { answer } from '../http/answer.ts'
import { readSession } from '../sessions/require-session.ts'
import { requireCompleteToRead } from '../sessions/second-factor.ts'
import { domainOf } from './auth-method.ts'
import {
  findOrganization,
  findOrganizationOfDomain,
  findOrganizationsOf,
  organizationView,
} from './organization.repository.ts'

/** Returns the organization that claims the domain of an address. Reads nothing about a person. */
export function discoverOrganization({ db, readClient, limits }: Deps): HandlerOf<'discoverOrganization'> {
  return async request => {
    const client = readClient(request)
    const domain = domainOf(request.body.email_address)
    await limits.count('organization', client)
    const organization = await findOrganizationOfDomain(db, domain)
    return answer(request, { organization: organization && organizationView(organization) })
  }
}

/** Returns the name of an organization and its ways to sign in, which are public. */
export function getOrganization({ db, readClient, limits }: Deps): HandlerOf<'getOrganization'> {
  return async request => {
    await limits.count('organization', readClient(request))
    const organization = await findOrganization(db, request.params.id)
    if (organization === null) throw new IdentityError('organization_not_found')
    return answer(request, { organization: organizationView(organization) })
  }
}

/** Lists the organizations whose member the person is. */
export function getOwnOrganizations({
  db,
  readClient,
  now,
  settings,
}: Deps): HandlerOf<'getOwnOrganizations'> {
  return async request => {
    const session = await readSession(db, readClient(request), now())
    await requireCompleteToRead({ trx: db, ...settings }, session)
    const organizations = await findOrganizationsOf(db, session.userId)
    return answer(request, { organizations: organizations.map(organizationView) })
  }
}
