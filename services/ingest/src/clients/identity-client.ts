import { createInternalService, ServiceUnavailable } from './internal-service.ts'

/** What the vote of an account, or its claim of a driver number, weighs. */
export interface PersonFacts {
  /** Has shown that a mailbox is theirs, and no operator locks the account. */
  readonly isVerified: boolean
  readonly createdAt: Date
}

export interface IdentityClient {
  /** Returns the accounts that identity knows, by their ids. Throws `ServiceUnavailable`. */
  findPeople(userIds: readonly string[]): Promise<ReadonlyMap<string, PersonFacts>>
}

export function createIdentityClient(options: {
  readonly url: URL
  readonly key: Uint8Array
}): IdentityClient {
  const identity = createInternalService({ name: 'identity', timeoutMs: 5_000, ...options })
  return {
    async findPeople(userIds) {
      const query = new URLSearchParams(userIds.map((id): [string, string] => ['user_id', id]))
      const { body } = await identity.ask('GET', `/internal/people?${query}`, { expected: [200] })
      const { people } = (body ?? {}) as { readonly people?: unknown }
      if (!Array.isArray(people)) throw noPeople()
      return new Map(people.map(toPerson))
    },
  }
}

function toPerson(value: unknown): [string, PersonFacts] {
  const { user_id, created_at, is_verified } = (value ?? {}) as Readonly<Record<string, unknown>>
  const createdAt = new Date(String(created_at))
  if (typeof user_id !== 'string' || typeof is_verified !== 'boolean' || Number.isNaN(createdAt.getTime())) {
    throw noPeople()
  }
  return [user_id, { isVerified: is_verified, createdAt }]
}

function noPeople(): ServiceUnavailable {
  return new ServiceUnavailable('identity', new Error('the answer lists no accounts'), { isAway: false })
}
