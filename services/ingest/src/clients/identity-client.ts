import { createInternalService } from '@lapwing/internal'

/** What the vote of an account, or its claim of a driver number, weighs. */
export interface PersonFacts {
  /** The owner showed that a mailbox is theirs, and no operator locks the account. */
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
      const { people } = await identity.ask('findPeople', client =>
        client.GET('/internal/people', { params: { query: { user_id: [...userIds] } } }),
      )
      return new Map(
        people.map(({ user_id, created_at, is_verified }) => [
          user_id,
          { isVerified: is_verified, createdAt: new Date(created_at) },
        ]),
      )
    },
  }
}
