import type { Deps } from '../deps.ts'
import { startAuthorize, submitAuthorize } from './authorize.ts'
import { getConnectedApps, revokeConnectedApp } from './connected-apps.ts'
import { getOpenidConfiguration } from './get-openid-configuration.ts'
import { getUserinfo } from './get-userinfo.ts'
import { issueToken } from './issue-token.ts'
import { revokeToken } from './revoke-token.ts'
import { startOAuthLogout } from './start-logout.ts'

/** The calls of the consent page, of the settings, and of connected apps themselves. */
export function connectedAppHandlers(deps: Deps) {
  return {
    startAuthorize: startAuthorize(deps),
    submitAuthorize: submitAuthorize(deps),
    startOAuthLogout: startOAuthLogout(deps),
    getConnectedApps: getConnectedApps(deps),
    revokeConnectedApp: revokeConnectedApp(deps),
    issueToken: issueToken(deps),
    revokeToken: revokeToken(deps),
    getUserinfo: getUserinfo(deps),
    postUserinfo: getUserinfo(deps),
    getOpenidConfiguration: getOpenidConfiguration(deps),
  }
}
