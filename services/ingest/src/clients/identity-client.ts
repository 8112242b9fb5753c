import { createLimitedService, type ServiceAddress } from './limited-service.ts'

/** Facts about an account that weigh its votes and its claims of driver numbers. */
export interface PersonFacts {
  /** Whether the owner verified an email address and no operator has locked the account. */
  readonly isVerified: boolean
  readonly createdAt: Date
}

export type IdentityClient = ReturnType<typeof createIdentityClient>

export function createIdentityClient(address: ServiceAddress) {
  const identity = createLimitedService('identity', address)
  return {
    /** Returns the accounts that identity knows, by their ids. Throws `ServiceUnavailable`. */
    async findPeople(userIds: readonly string[]): Promise<ReadonlyMap<string, PersonFacts>> {
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
