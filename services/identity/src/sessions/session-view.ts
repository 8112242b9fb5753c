import type { components } from '@lapwing/contracts/identity'
import type { User } from '../users/user.ts'
import type { Session } from './session.repository.ts'

/** Returns a session in the protocol's shape. */
export function sessionView(session: Session, user: User): components['schemas']['Session'] {
  return {
    session_id: session.sessionId,
    user_id: session.userId,
    started_at: session.startedAt.toISOString(),
    last_accessed_at: session.lastAccessedAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
    attributes: { ip_address: session.ipAddress, user_agent: session.userAgent },
    authentication_factors: [...session.factors],
    custom_claims: null,
    roles: user.roles,
  }
}
