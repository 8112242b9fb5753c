import type { Deps } from '../deps.ts'
import { attachOAuth } from './attach-oauth.ts'
import { authenticateOAuth } from './authenticate-oauth.ts'
import { createExchangeCode } from './exchange-code.ts'
import { finishOAuth } from './finish-oauth.ts'
import { createFinishRoundTrip } from './finish-round-trip.ts'
import { createFlowCookies } from './flow-cookie.ts'
import { finishOAuthForm } from './provider-forms.ts'
import { startOAuth } from './start-oauth.ts'

/** Creates what every round trip to another sign-in needs. */
export function createRoundTrips(deps: Deps) {
  const { cipher, now, settings } = deps
  const { callbackOrigin, timeoutMs } = settings.oauth
  const cookies = createFlowCookies({ cipher, callbackOrigin, now })
  const finish = createFinishRoundTrip(deps, cookies, createExchangeCode({ timeoutMs, now }))
  return { cookies, finish }
}

/** Creates the handlers of social sign-in. */
export function oauthHandlers(deps: Deps) {
  const { cookies, finish } = createRoundTrips(deps)
  return {
    startOAuth: startOAuth(deps, cookies),
    finishOAuth: finishOAuth(deps, finish),
    finishOAuthForm: finishOAuthForm(),
    authenticateOAuth: authenticateOAuth(deps),
    attachOAuth: attachOAuth(deps),
  }
}
