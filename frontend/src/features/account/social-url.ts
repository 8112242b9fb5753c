import { createOAuth } from '@lapwing/identity-client/oauth'
import type { Account } from './account.ts'
import type { OAuthProvider } from './social-providers.tsx'

/** Returns the address of a sign-in at a provider, which sends the browser back to `/authenticate`. */
export function signInUrl({ client }: Pick<Account, 'client'>, provider: OAuthProvider): Promise<string> {
  return createOAuth(client).startUrl(provider, backTo(client.pageOrigin))
}

/** Returns the same, for a round trip that adds the provider's account to the signed-in driver. */
export async function addingUrl(
  { client }: Pick<Account, 'client'>,
  provider: OAuthProvider,
): Promise<string> {
  const oauth = createOAuth(client)
  const { oauth_attach_token } = await oauth.attach({ provider })
  return oauth.startUrl(provider, { ...backTo(client.pageOrigin), oauth_attach_token })
}

function backTo(origin: string) {
  const url = `${origin}/authenticate`
  return { login_redirect_url: url, signup_redirect_url: url }
}
