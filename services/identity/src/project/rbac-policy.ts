/** The role of every account. */
export const DEFAULT_ROLE = 'driver'

/** Roles and their permissions, in the shape that the protocol's client reads. */
export interface RbacPolicy {
  readonly roles: readonly {
    readonly role_id: string
    readonly description: string
    readonly permissions: readonly { readonly resource_id: string; readonly actions: readonly string[] }[]
  }[]
  readonly resources: readonly {
    readonly resource_id: string
    readonly description: string
    readonly actions: readonly string[]
  }[]
  readonly scopes: readonly {
    readonly scope: string
    readonly description: string
    readonly permissions: RbacPolicy['roles'][number]['permissions']
  }[]
}

export const defaultRbacPolicy: RbacPolicy = {
  roles: [
    {
      role_id: DEFAULT_ROLE,
      description: 'Everybody who has signed in',
      permissions: [
        { resource_id: 'lap', actions: ['submit', 'reference'] },
        { resource_id: 'leaderboard', actions: ['read'] },
      ],
    },
    {
      role_id: 'moderator',
      description: 'Keeps the leaderboards honest',
      permissions: [
        { resource_id: 'lap', actions: ['*'] },
        { resource_id: 'leaderboard', actions: ['*'] },
      ],
    },
  ],
  resources: [
    { resource_id: 'lap', description: 'A recorded lap', actions: ['submit', 'reference', 'remove'] },
    { resource_id: 'leaderboard', description: 'The laps of one context', actions: ['read', 'moderate'] },
  ],
  scopes: [],
}

/** Returns the path of the first wrong member and its problem; null for a valid policy. */
export function rbacProblem(value: unknown): string | null {
  const problem = problems(policyShape, value, 'the policy').next().value
  return problem ?? references(value as RbacPolicy).next().value ?? null
}

/** Expected shape of a member. A record can have more members, which no client reads. */
type Shape = 'text' | 'id' | { readonly listOf: Shape } | { readonly record: Readonly<Record<string, Shape>> }

const permissions: Shape = { listOf: { record: { resource_id: 'id', actions: { listOf: 'id' } } } }
const policyShape: Shape = {
  record: {
    roles: { listOf: { record: { role_id: 'id', description: 'text', permissions } } },
    resources: { listOf: { record: { resource_id: 'id', description: 'text', actions: { listOf: 'id' } } } },
    scopes: { listOf: { record: { scope: 'id', description: 'text', permissions } } },
  },
}

function* problems(shape: Shape, value: unknown, path: string): Generator<string, undefined> {
  if (typeof shape === 'string') {
    if (typeof value !== 'string') yield `${path} must be a string`
    else if (shape === 'id' && value === '') yield `${path} must not be empty`
  } else if ('listOf' in shape) {
    if (!Array.isArray(value)) yield `${path} must be a list`
    else for (const [index, item] of value.entries()) yield* problems(shape.listOf, item, `${path}[${index}]`)
  } else if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    yield `${path} must be an object`
  } else {
    for (const [name, inner] of Object.entries(shape.record)) {
      yield* problems(
        inner,
        (value as Record<string, unknown>)[name],
        path === 'the policy' ? name : `${path}.${name}`,
      )
    }
  }
}

/** Yields each id that is there twice, and each permission for a resource or an action that is not there. */
function* references({ roles, resources, scopes }: RbacPolicy): Generator<string, undefined> {
  yield* repeated(roles, 'roles', 'role_id')
  yield* repeated(resources, 'resources', 'resource_id')
  yield* repeated(scopes, 'scopes', 'scope')
  const actionsOf = new Map(resources.map(({ resource_id, actions }) => [resource_id, actions]))
  for (const [list, granting] of Object.entries({ roles, scopes })) {
    for (const [i, { permissions }] of granting.entries()) {
      for (const [k, { resource_id, actions }] of permissions.entries()) {
        const path = `${list}[${i}].permissions[${k}]`
        const known = actionsOf.get(resource_id)
        if (known === undefined) yield `${path}.resource_id is no resource`
        const unknown = actions.findIndex(action => action !== '*' && !known?.includes(action))
        if (unknown >= 0) yield `${path}.actions[${unknown}] is no action of its resource`
      }
    }
  }
}

function* repeated<Id extends string>(
  list: readonly Readonly<Record<Id, string>>[],
  name: string,
  id: Id,
): Generator<string, undefined> {
  const index = list.findIndex((item, i) => list.findIndex(other => other[id] === item[id]) < i)
  if (index >= 0) yield `${name}[${index}].${id} is there twice`
}
