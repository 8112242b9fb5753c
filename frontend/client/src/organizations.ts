import { type Client, getIfOffered, post } from './client.ts'
import type { BodyOf, DataOf, Organization } from './contract.ts'
import { projectOf } from './project.ts'

/** The options of a sign-in of an organization. Addresses that are left out are the project's own. */
export interface SsoStart {
  readonly login_redirect_url?: string
  readonly signup_redirect_url?: string
  /** The address that the person has typed. */
  readonly login_hint?: string
}

/** Creates the calls about organizations and their own sign-ins. Other providers of the protocol lack most of them. */
export function createOrganizations(client: Client) {
  const { exchange, startUrl } = projectOf(client)
  const pathOf = (id: string) => `/organizations/${encodeURIComponent(id)}`
  return {
    /** Returns the organization that claims the domain of an address, or null as `organization`. */
    discover: (body: BodyOf<'discoverOrganization'>) =>
      post<'discoverOrganization'>(client, '/organizations/discover', body),
    get: (id: string) => client.call<DataOf<'getOrganization'>>('GET', pathOf(id)),
    /** Makes the signed-in person a member, if their sign-in counts there. */
    join: (id: string) => post<'joinOrganization'>(client, `${pathOf(id)}/join`, {}),
    /** Returns the organizations of the signed-in person; none if this deployment knows none. */
    async own(): Promise<readonly Organization[]> {
      return (await getIfOffered<'getOwnOrganizations'>(client, '/users/organizations'))?.organizations ?? []
    },
    searchMember: (body: BodyOf<'searchMember'>) =>
      post<'searchMember'>(client, '/b2b/organizations/members/search', body),
    /** Returns the address that starts the organization's sign-in. It has the PKCE pair of OAuth. */
    startUrl: (connectionId: string, options: SsoStart = {}) =>
      startUrl(`/v1/public/sso/${encodeURIComponent(connectionId)}/start`, { ...options }),
    authenticate: (body: Omit<BodyOf<'authenticateSso'>, 'code_verifier'>) =>
      exchange<'authenticateSso'>('oauth', '/sso/authenticate', body),
  }
}
