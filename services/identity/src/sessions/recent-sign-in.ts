import { IdentityError } from '../errors.ts'
import type { Session } from './session.repository.ts'

/** Minutes in which a sign-in counts as recent. */
const RECENT_MINUTES = 5

/** Throws an error of this type unless the person signed in, or confirmed it, within the last five minutes. */
export function requireRecentSignIn(
  { factors }: Pick<Session, 'factors'>,
  now: Date,
  type: 'session_too_old' | 'session_too_old_to_reset_password',
): void {
  const last = Math.max(...factors.map(factor => Date.parse(factor.last_authenticated_at)))
  if (now.getTime() - last > RECENT_MINUTES * 60_000) throw new IdentityError(type)
}
