import { type Client, post } from './client.ts'
import type { BodyOf } from './contract.ts'
import { projectOf } from './project.ts'

/** The options of a sign-in at a provider. Addresses that are left out are the project's own. */
export interface OAuthStart {
  readonly login_redirect_url?: string
  readonly signup_redirect_url?: string
  readonly custom_scopes?: readonly string[]
  /** Sent to the provider as they are. */
  readonly provider_params?: Readonly<Record<string, string>>
  /** Of `attach`: adds the provider's account to the signed-in person. */
  readonly oauth_attach_token?: string
}

/** Creates the calls about sign-in at another provider. */
export function createOAuth(client: Client) {
  const { exchange, startUrl } = projectOf(client)
  return {
    /** Returns the address that starts the sign-in. The page sends the browser there. */
    startUrl: (provider: string, options: OAuthStart = {}) => {
      const { custom_scopes, provider_params = {}, ...rest } = options
      const params = Object.entries(provider_params).map(([name, value]) => [`provider_${name}`, value])
      return startUrl(`/v1/public/oauth/${encodeURIComponent(provider)}/start`, {
        ...rest,
        custom_scopes: custom_scopes?.join(' '),
        ...Object.fromEntries(params),
      })
    },
    /** Returns a token that lets `startUrl` add an account instead of signing in. */
    attach: (body: BodyOf<'attachOAuth'>) => post<'attachOAuth'>(client, '/oauth/attach', body),
    authenticate: (body: Omit<BodyOf<'authenticateOAuth'>, 'code_verifier'>) =>
      exchange<'authenticateOAuth'>('oauth', '/oauth/authenticate', body),
  }
}
