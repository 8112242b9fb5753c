import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { answer } from '../http/answer.ts'
import { findSession } from '../sessions/session.repository.ts'
import { readIdToken } from './app-tokens.ts'
import { withParameters } from './authorize.ts'
import { findApp } from './connected-app.repository.ts'

/**
 * Checks where an app wants the browser to go after a sign-out (OpenID Connect RP-Initiated Logout). Ends nothing: the
 * page does. It must ask first, unless the app shows its ID token of the same person. Otherwise any page could sign a
 * person out.
 */
export function startOAuthLogout(deps: Deps): HandlerOf<'startOAuthLogout'> {
  const { db, readClient, limits, now } = deps
  return async request => {
    const client = readClient(request)
    await limits.count('authorize', client)
    const { client_id, post_logout_redirect_uri, state, id_token_hint } = request.body
    const app = await findApp(db, client_id)
    if (app === null) throw new IdentityError('connected_app_not_found')
    if (!app.postLogoutRedirectUris.includes(post_logout_redirect_uri)) {
      throw new IdentityError('connected_app_supplied_redirect_url_not_found_in_client')
    }
    const session = client.sessionToken === null ? null : await findSession(db, client.sessionToken, now())
    const hint = id_token_hint === undefined ? null : await readIdToken(deps, id_token_hint)
    const isTheirs = hint?.clientId === client_id && hint.userId === session?.userId
    return answer(request, {
      redirect_uri: withParameters(post_logout_redirect_uri, { state }),
      consent_required: session !== null && !isTheirs,
    })
  }
}
