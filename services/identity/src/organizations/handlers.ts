import type { Deps } from '../deps.ts'
import { createRoundTrips } from '../oauth/handlers.ts'
import { discoverOrganization, getOrganization, getOwnOrganizations } from './get-organization.ts'
import { joinOrganization } from './join-organization.ts'
import { searchMember } from './search-member.ts'
import { authenticateSso, finishSso, startSso } from './sso.ts'

/** Creates the handlers of organizations. */
export function organizationHandlers(deps: Deps) {
  const { cookies, finish } = createRoundTrips(deps)
  return {
    searchMember: searchMember(deps),
    discoverOrganization: discoverOrganization(deps),
    getOrganization: getOrganization(deps),
    getOwnOrganizations: getOwnOrganizations(deps),
    joinOrganization: joinOrganization(deps),
    startSso: startSso(deps, cookies),
    finishSso: finishSso(deps, finish),
    authenticateSso: authenticateSso(deps),
  }
}
