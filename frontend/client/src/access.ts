import type { Client } from './client.ts'
import type { Bootstrap } from './contract.ts'
import { projectOf } from './project.ts'

type Policy = Bootstrap['rbac_policy']

/** Returns whether one of the roles may do this. The action `*` of a role allows every action on the resource. */
export function isAllowed(
  { roles }: Pick<Policy, 'roles'>,
  own: readonly string[],
  resource: string,
  action: string,
): boolean {
  return roles
    .filter(({ role_id }) => own.includes(role_id))
    .flatMap(({ permissions }) => permissions)
    .some(
      ({ resource_id, actions }) =>
        resource_id === resource && (actions.includes(action) || actions.includes('*')),
    )
}

/** Loads the policy and applies it. Without a policy nothing is allowed, and a warning says so. */
export async function isAuthorized(
  client: Client,
  roles: readonly string[],
  resource: string,
  action: string,
): Promise<boolean> {
  const settings = await projectOf(client).bootstrap()
  return settings !== null && isAllowed(settings.rbac_policy, roles, resource, action)
}
