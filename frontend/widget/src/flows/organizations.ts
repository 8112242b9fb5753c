import type { Client } from '@lapwing/identity-client/client'
import type { Authenticated, Organization as FoundOrganization } from '@lapwing/identity-client/contract'
import { ApiError } from '@lapwing/identity-client/errors'
import { createOrganizations } from '@lapwing/identity-client/organizations'
import type { Event, Organization } from '../machine/machine.ts'

/** Most organizations that a person chooses from. */
const MAX_CHOICE = 20

/** Finds and joins organizations. Another provider of the protocol has none of these calls. */
export function createOrganizationFlow(client: Client) {
  const calls = createOrganizations(client)
  const get = async (id: string) => organizationOf((await calls.get(id)).organization)
  /** Returns the organization that claims the domain of an address; null if none does. */
  const discover = async (email: string): Promise<Organization | null> => {
    const { organization } = await calls.discover({ email_address: email })
    return organization && organizationOf(organization)
  }
  /** Makes the signed-in person a member. Returns false if their sign-in does not count there. */
  const join = async (id: string): Promise<boolean> => {
    try {
      await calls.join(id)
      return true
    } catch (error) {
      if (error instanceof ApiError && error.type === 'cannot_join_org_due_to_auth_policy') return false
      throw error
    }
  }
  return {
    get,
    discover,
    join,
    /** Joins the organization. Returns what its policy still asks; null if the session counts. */
    async enter(organization: Organization): Promise<Event | null> {
      return (await join(organization.id)) ? null : { type: 'joinRefused', organization }
    },
    /** Returns the organizations of the person, and that of their address. */
    async ofPerson({ user }: Authenticated): Promise<readonly Organization[]> {
      const email = user.emails.find(({ verified }) => verified)?.email
      const [own, claiming] = await Promise.all([calls.own(), email === undefined ? null : discover(email)])
      const all = [...own.map(organizationOf), ...(claiming === null ? [] : [claiming])]
      return [...new Map(all.map(found => [found.id, found])).values()].slice(0, MAX_CHOICE)
    },
  }
}

function organizationOf(found: FoundOrganization): Organization {
  return {
    id: found.organization_id,
    name: found.organization_name,
    methods: found.allowed_auth_methods,
    connections: found.sso_connections.map(({ connection_id: id, display_name: name }) => ({ id, name })),
  }
}
