import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/identity'
import { authenticateCode } from './codes/authenticate-code.ts'
import { sendCodes } from './codes/send-code.ts'
import { sendTextCodes } from './codes/send-text-code.ts'
import { connectedAppHandlers } from './connected-apps/handlers.ts'
import type { Deps } from './deps.ts'
import { exchangeAccessToken } from './exchange/exchange-access-token.ts'
import { authenticateImpersonation } from './impersonation/authenticate-impersonation.ts'
import { getJwks, getWellKnownJwks } from './keys/get-jwks.ts'
import { authenticateMagicLink } from './magic-links/authenticate-magic-link.ts'
import { sendMagicLinks } from './magic-links/send-magic-link.ts'
import { oauthHandlers } from './oauth/handlers.ts'
import { organizationHandlers } from './organizations/handlers.ts'
import {
  authenticateWebauthn,
  startWebauthn,
  startWebauthnInSession,
} from './passkeys/authenticate-passkey.ts'
import { updateWebauthn } from './passkeys/name-passkey.ts'
import { registerWebauthn, startWebauthnRegistration } from './passkeys/register-passkey.ts'
import { passwordHandlers } from './passwords/handlers.ts'
import { getBootstrap, postEvents } from './project/bootstrap.ts'
import { authenticateSession, revokeSession } from './sessions/authenticate-session.ts'
import { authenticateTotp, recoverTotp } from './totps/authenticate-totp.ts'
import { createTotp } from './totps/create-totp.ts'
import { getRecoveryCodes } from './totps/get-recovery-codes.ts'
import { attestSession } from './trusted-issuers/attest-session.ts'
import { deleteFactor } from './users/delete-factor.ts'
import { getMe, updateMe } from './users/me.ts'
import { searchUser } from './users/search.ts'
import { authenticateWallet } from './wallets/authenticate-wallet.ts'
import { startWallet, startWalletInSession } from './wallets/start-wallet.ts'

/** One handler for each operation of the protocol. */
export function handlers(deps: Deps): Handlers<operations> {
  return {
    getBootstrap: getBootstrap(deps),
    postEvents: postEvents(),
    getMe: getMe(deps),
    updateMe: updateMe(deps),
    ...deleteFactor(deps),
    searchUser: searchUser(deps),
    authenticateSession: authenticateSession(deps),
    revokeSession: revokeSession(deps),
    attestSession: attestSession(deps),
    exchangeAccessToken: exchangeAccessToken(deps),
    authenticateImpersonation: authenticateImpersonation(deps),
    ...passwordHandlers(deps),
    ...sendMagicLinks(deps),
    authenticateMagicLink: authenticateMagicLink(deps),
    ...sendCodes(deps),
    ...sendTextCodes(deps),
    authenticateCode: authenticateCode(deps),
    ...oauthHandlers(deps),
    createTotp: createTotp(deps),
    authenticateTotp: authenticateTotp(deps),
    getRecoveryCodes: getRecoveryCodes(deps),
    recoverTotp: recoverTotp(deps),
    startWebauthnRegistration: startWebauthnRegistration(deps),
    registerWebauthn: registerWebauthn(deps),
    startWebauthn: startWebauthn(deps),
    startWebauthnInSession: startWebauthnInSession(deps),
    authenticateWebauthn: authenticateWebauthn(deps),
    updateWebauthn: updateWebauthn(deps),
    startWallet: startWallet(deps),
    startWalletInSession: startWalletInSession(deps),
    authenticateWallet: authenticateWallet(deps),
    getJwks: getJwks(deps),
    getWellKnownJwks: getWellKnownJwks(deps),
    ...connectedAppHandlers(deps),
    ...organizationHandlers(deps),
  }
}
