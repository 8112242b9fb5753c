import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/identity'
import { authenticateCode } from './codes/authenticate-code.ts'
import { sendCodes } from './codes/send-code.ts'
import type { Deps } from './deps.ts'
import { getJwks, getWellKnownJwks } from './keys/get-jwks.ts'
import { authenticateMagicLink } from './magic-links/authenticate-magic-link.ts'
import { sendMagicLinks } from './magic-links/send-magic-link.ts'
import { oauthHandlers } from './oauth/handlers.ts'
import { passwordHandlers } from './passwords/handlers.ts'
import { getBootstrap, postEvents } from './project/bootstrap.ts'
import { notEnabled } from './project/not-enabled.ts'
import { authenticateSession, revokeSession } from './sessions/authenticate-session.ts'
import { deleteFactor } from './users/delete-factor.ts'
import { getMe, updateMe } from './users/me.ts'
import { searchUser } from './users/search.ts'

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
    ...passwordHandlers(deps),
    ...sendMagicLinks(deps),
    authenticateMagicLink: authenticateMagicLink(deps),
    ...sendCodes(deps),
    authenticateCode: authenticateCode(deps),
    ...oauthHandlers(deps),
    getJwks: getJwks(deps),
    getWellKnownJwks: getWellKnownJwks(deps),
    ...notEnabled(),
  }
}
