import { SESSION_CLAIM } from '@lapwing/auth'
import type { JWTPayload } from 'jose'
import type { User } from '../users/user.ts'
import type { SecondFactorPolicy } from '../work.ts'
import { isComplete } from './second-factor.ts'
import type { Session } from './session.repository.ts'
import { sessionView } from './session-view.ts'

/**
 * Returns the claims of a session's JWT. Its only personal data are ids. Unlike the protocol's JWT it has
 * no network or mail address, because a JWT is stored and logged in more places than an answer.
 *
 * A session without the second factor of its account gets another audience, which no service accepts.
 */
export function sessionJwt(
  session: Session,
  user: User,
  {
    issuer,
    projectId,
    secondFactor,
  }: { readonly issuer: string; readonly projectId: string; readonly secondFactor: SecondFactorPolicy },
): JWTPayload {
  const { session_id, started_at, last_accessed_at, expires_at, roles } = sessionView(session, user)
  const issuedAt = Math.floor(session.lastAccessedAt.getTime() / 1000)
  return {
    iss: issuer,
    aud: [isComplete(session, user, secondFactor) ? projectId : `${projectId}/second-factor`],
    sub: session.userId,
    iat: issuedAt,
    nbf: issuedAt,
    exp: Math.floor(session.jwtExpiresAt.getTime() / 1000),
    [SESSION_CLAIM]: {
      id: session_id,
      started_at,
      last_accessed_at,
      expires_at,
      attributes: { ip_address: '', user_agent: '' },
      authentication_factors: session.factors.map(
        ({ type, delivery_method, last_authenticated_at, created_at, updated_at }) => ({
          type,
          delivery_method,
          last_authenticated_at,
          created_at,
          updated_at,
        }),
      ),
      roles,
    },
  }
}
