import type { Deps } from '../deps.ts'
import { attachOAuth } from './attach-oauth.ts'
import { authenticateOAuth } from './authenticate-oauth.ts'
import { createExchangeCode } from './exchange-code.ts'
import { finishOAuth } from './finish-oauth.ts'
import { createFlowCookies } from './flow-cookie.ts'
import { finishOAuthForm } from './provider-forms.ts'
import { startOAuth } from './start-oauth.ts'

/** Creates the handlers of social sign-in. */
export function oauthHandlers(deps: Deps) {
  const { cipher, now, settings } = deps
  const { callbackOrigin, timeoutMs } = settings.oauth
  const cookies = createFlowCookies({ cipher, callbackOrigin, now })
  return {
    startOAuth: startOAuth(deps, cookies),
    finishOAuth: finishOAuth(deps, cookies, createExchangeCode({ timeoutMs, now })),
    finishOAuthForm: finishOAuthForm(),
    authenticateOAuth: authenticateOAuth(deps),
    attachOAuth: attachOAuth(deps),
  }
}
