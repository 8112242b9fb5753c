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
  readonly scopes: readonly object[]
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
  return check(policyShape, value, 'the policy')
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

function check(shape: Shape, value: unknown, path: string): string | null {
  if (typeof shape === 'string') {
    if (typeof value !== 'string') return `${path} must be a string`
    return shape === 'id' && value === '' ? `${path} must not be empty` : null
  }
  if ('listOf' in shape) {
    if (!Array.isArray(value)) return `${path} must be a list`
    return first(value.map((item, index) => () => check(shape.listOf, item, `${path}[${index}]`)))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${path} must be an object`
  const within = (name: string) => (path === 'the policy' ? name : `${path}.${name}`)
  return first(
    Object.entries(shape.record).map(
      ([name, inner]) =>
        () =>
          check(inner, (value as Readonly<Record<string, unknown>>)[name], within(name)),
    ),
  )
}

function first(checks: readonly (() => string | null)[]): string | null {
  for (const run of checks) {
    const problem = run()
    if (problem !== null) return problem
  }
  return null
}
