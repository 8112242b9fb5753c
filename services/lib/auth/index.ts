export { APP_SCOPES, type AppScope, apiAudience } from './app-scopes.ts'
export { BROWSER_COOKIE, BROWSER_SECRET } from './browser-cookie.ts'
export { DEMO_USER_PREFIX } from './demo-user.ts'
export {
  createPrincipalSigner,
  createPrincipalVerifier,
  IDENTITY_HEADER,
  type Principal,
} from './internal-identity.ts'
export { networkDigest } from './network-digest.ts'
export { KeySetError, remoteKeySet } from './remote-key-set.ts'
export { optionalUser, type RequirePrincipal, requireUser } from './require-user.ts'
export { REVOCATIONS_COMPLETE, REVOKED_SESSIONS_KEY } from './revoked-sessions.ts'
export { createServiceTokenSigner, createServiceTokenVerifier } from './service-token.ts'
export {
  ACCESS_TOKEN_TYPE,
  type AccessTokenClaims,
  AUTHORIZATION_CLAIM,
  createAccessTokenVerifier,
} from './verify-access-token.ts'
export {
  createSessionVerifier,
  SESSION_CLAIM,
  type SessionClaims,
} from './verify-session-token.ts'
export { SessionTokenError } from './verify-token.ts'
