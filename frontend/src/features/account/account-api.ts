import type { components, paths } from '@lapwing/contracts/account'
import { bodyOf, createApiClient, type SignedInDeps } from '#shared/api/api-client.ts'
import { fieldsOf, flag, orNull, text, whole } from '#shared/api/shapes.ts'

export type Consent = NonNullable<components['responses']['Consent']['content']>['application/json']
export type Username = NonNullable<components['responses']['Username']['content']>['application/json']
export type UsernameAvailability =
  paths['/v1/auth/username/check/{username}']['get']['responses']['200']['content']['application/json']

/** The calls to the account service. Each throws an `ApiError` for an answer that is not OK, or a `ShapeError`. */
export interface AccountApi {
  getUsername(): Promise<Username>
  setUsername(username: string): Promise<Username>
  checkUsername(username: string): Promise<UsernameAvailability>
  getConsent(): Promise<Consent>
  setConsent(consent: Pick<Consent, 'waitlist' | 'marketing'>): Promise<Consent>
  deleteAccount(username: string): Promise<void>
}

interface AccountApiDeps extends SignedInDeps {
  /** For calls with access level `optional`. */
  readonly optional: typeof globalThis.fetch
}

export function createAccountApi({ baseUrl, authorised, optional }: AccountApiDeps): AccountApi {
  const signedIn = createApiClient<paths>({ baseUrl, fetch: authorised })
  const anybody = createApiClient<paths>({ baseUrl, fetch: optional })
  return {
    getUsername: () => bodyOf(signedIn.GET('/v1/auth/username'), isUsername, 'your username'),
    setUsername(username) {
      const body = { username: username.trim() }
      return bodyOf(signedIn.POST('/v1/auth/username', { body }), isUsername, 'your username')
    },
    checkUsername(username) {
      const params = { path: { username } }
      return bodyOf(
        anybody.GET('/v1/auth/username/check/{username}', { params }),
        isAvailability,
        'the username',
      )
    },
    getConsent: () => bodyOf(signedIn.GET('/v1/auth/consent'), isConsent, 'your consent'),
    setConsent: body => bodyOf(signedIn.POST('/v1/auth/consent', { body }), isConsent, 'your consent'),
    async deleteAccount(username) {
      await signedIn.DELETE('/v1/auth/account', { body: { username } })
    },
  }
}

const isUsername = fieldsOf<Username>({ username: text, is_default: flag })

const isAvailability = fieldsOf<UsernameAvailability>({ available: flag, valid: flag, reason: text })

const isConsent = fieldsOf<Consent>({
  waitlist: flag,
  marketing: flag,
  waitlist_position: orNull(whole),
  early_access: flag,
})
