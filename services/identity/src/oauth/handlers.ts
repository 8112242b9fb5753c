import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/identity'
import type { Deps } from '../deps.ts'
import { IdentityError } from '../errors.ts'

type OAuthId = 'startOAuth' | 'finishOAuth' | 'authenticateOAuth'

/** Social sign-in. */
export function oauthHandlers(_deps: Deps): Pick<Handlers<operations>, OAuthId> {
  const refuse = async () => {
    throw new IdentityError('oauth_provider_not_configured')
  }
  return { startOAuth: refuse, finishOAuth: refuse, authenticateOAuth: refuse }
}
