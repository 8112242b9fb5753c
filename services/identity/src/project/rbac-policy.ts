/** The role everybody has. */
export const everybodysRole = 'driver'

/** Who may do what, as the protocol's client reads it. */
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
      role_id: everybodysRole,
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

export function isRbacPolicy(value: unknown): value is RbacPolicy {
  const { roles, resources, scopes } = (value ?? {}) as Partial<Record<string, unknown>>
  return (
    listOf(roles, 'role_id', 'permissions') &&
    listOf(resources, 'resource_id', 'actions') &&
    Array.isArray(scopes)
  )
}

function listOf(value: unknown, idKey: string, listKey: string): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      item =>
        typeof item?.[idKey] === 'string' &&
        typeof item.description === 'string' &&
        Array.isArray(item[listKey]),
    )
  )
}
