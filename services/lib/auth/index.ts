export { DEMO_USER_PREFIX } from './demo-user.ts'
export {
  createPrincipalSigner,
  createPrincipalVerifier,
  identityHeader,
  type Principal,
} from './internal-identity.ts'
export { KeySetError } from './remote-key-set.ts'
export { optionalUser, requireUser } from './require-user.ts'
export { revocationsComplete, revokedSessionsKey } from './revoked-sessions.ts'
export { createServiceTokenSigner, createServiceTokenVerifier } from './service-token.ts'
export {
  createSessionVerifier,
  type SessionClaims,
  SessionTokenError,
  sessionClaim,
} from './verify-session-token.ts'
