import type { components, paths } from '@lapwing/contracts/account'
import { createApiClient } from '#shared/api/api-client.ts'

export type Consent = NonNullable<components['responses']['Consent']['content']>['application/json']
export type Username = NonNullable<components['responses']['Username']['content']>['application/json']
export type UsernameAvailability =
  paths['/v1/auth/username/check/{username}']['get']['responses']['200']['content']['application/json']

/** The calls to the account service. Each throws an `ApiError` for an answer that is not OK. */
export interface AccountApi {
  getUsername(): Promise<Username>
  setUsername(username: string): Promise<Username>
  checkUsername(username: string): Promise<UsernameAvailability>
  getConsent(): Promise<Consent>
  setConsent(consent: Pick<Consent, 'waitlist' | 'marketing'>): Promise<Consent>
  deleteAccount(username: string): Promise<void>
}

export interface AccountApiDeps {
  readonly baseUrl: string
  /** For calls of a signed-in person. */
  readonly authorised: typeof globalThis.fetch
  /** For calls that anybody may make. */
  readonly optional: typeof globalThis.fetch
}

export function createAccountApi({ baseUrl, authorised, optional }: AccountApiDeps): AccountApi {
  const signedIn = createApiClient<paths>({ baseUrl, fetch: authorised })
  const anybody = createApiClient<paths>({ baseUrl, fetch: optional })
  return {
    getUsername: async () => (await signedIn.GET('/v1/auth/username')).data!,
    setUsername: async username =>
      (await signedIn.POST('/v1/auth/username', { body: { username: username.trim() } })).data!,
    checkUsername: async username =>
      (await anybody.GET('/v1/auth/username/check/{username}', { params: { path: { username } } })).data!,
    getConsent: async () => (await signedIn.GET('/v1/auth/consent')).data!,
    setConsent: async body => (await signedIn.POST('/v1/auth/consent', { body })).data!,
    async deleteAccount(username) {
      await signedIn.DELETE('/v1/auth/account', { body: { username } })
    },
  }
}
