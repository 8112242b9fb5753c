import { newId, newSecret } from '../crypto/secrets.ts'
import type { Db, SessionFactor, Trx } from '../database.ts'
import { IdentityError } from '../errors.ts'
import type { Client } from '../http/client.ts'
import type { Phone } from '../phones/phone.repository.ts'
import type { TextChannel } from '../texts/config.ts'
import { activePersonGuard, type Email } from '../users/user.repository.ts'
import type { User } from '../users/user.ts'
import type { Work } from '../work.ts'
import { IMPERSONATION_MINUTES, isImpersonated } from './impersonated.ts'
import {
  endSession,
  lockSession,
  type Session,
  type SessionCondition,
  saveSession,
} from './session.repository.ts'

/** A session with its plain token, which is not stored. */
export interface OpenSession {
  readonly user: User
  readonly session: Session
  readonly token: string
}

export interface SessionLimits {
  readonly sessionMaxMinutes: number
  readonly jwtMaxMinutes: number
}

/** The way in which a person has just signed in. */
export interface NewFactor {
  readonly type:
    | 'password'
    | 'magic_link'
    | 'otp'
    | 'oauth'
    | 'sso'
    | 'webauthn'
    | 'crypto'
    | 'totp'
    | 'recovery_codes'
    | 'trusted_auth_token'
    | 'impersonated'
  readonly delivery_method: string
  /** The detail object under its name, such as `{ email_factor: … }`. */
  readonly [detail: string]: unknown
}

export const passwordFactor: NewFactor = { type: 'password', delivery_method: 'knowledge' }

/** Returns the factor of a person who has proved that a mailbox is theirs. */
export function emailFactor(type: 'magic_link' | 'otp', { emailId, address }: Email): NewFactor {
  return { type, delivery_method: 'email', email_factor: { email_id: emailId, email_address: address } }
}

/** Returns the factor of a person who has proved that a number is theirs. */
export function phoneFactor(channel: TextChannel, { phoneId, number }: Phone): NewFactor {
  return {
    type: 'otp',
    delivery_method: channel,
    phone_number_factor: { phone_id: phoneId, phone_number: number },
  }
}

/**
 * Hours in which a sign-in joins an existing session instead of opening a new one. The page treats a
 * session as expired a day after its start, so an older one could expire right after the sign-in.
 */
const JOINABLE_HOURS = 12

export interface SessionStart {
  readonly userId: string
  readonly factor: NewFactor
  /** Requested duration; an hour if undefined. */
  readonly minutes: number | undefined
  readonly client: Client
  readonly limits: SessionLimits
  /** Whether the factor joins the browser's session however old that is; by default only a recent one. */
  readonly isStepUp?: boolean
  /** Factors of the person's session that this change has just ended. */
  readonly carried?: readonly SessionFactor[]
  /** Checked when the session is written; by default that the account is not locked. */
  readonly condition?: SessionCondition
}

/**
 * Signs a person in. If the browser has a recent session of this person, adds the factor to it. Ends an
 * older session or another person's session of the browser. A session of an operator who acts for the person
 * stays apart from their own. The token is always new, so that a token
 * which a stranger planted or saw before the sign-in opens nothing.
 */
export async function startSession(work: Work, start: SessionStart): Promise<OpenSession> {
  const { sessionToken } = start.client
  const held = sessionToken === null ? null : await lockSession(work, sessionToken)
  const isJoined =
    held !== null &&
    held.userId === start.userId &&
    !isImpersonated(held.factors) &&
    !isImpersonated([start.factor]) &&
    (start.isStepUp || work.now.getTime() - held.startedAt.getTime() < JOINABLE_HOURS * 3_600_000)
  if (held !== null && !isJoined) await endSession(work, held.sessionId)
  return openSession(work.trx, work.now, start, isJoined ? held : null)
}

/** Does the same for a browser without a session, as a change of one statement. */
export function startFirstSession(db: Db, now: Date, start: SessionStart): Promise<OpenSession> {
  return openSession(db, now, start, null)
}

async function openSession(
  db: Db | Trx,
  now: Date,
  { userId, factor, minutes, client, limits, condition, carried = [] }: SessionStart,
  joined: Session | null,
): Promise<OpenSession> {
  const base: Session = joined ?? {
    sessionId: newId('session'),
    userId,
    startedAt: now,
    lastAccessedAt: now,
    expiresAt: now,
    jwtExpiresAt: now,
    ipAddress: client.ipAddress,
    userAgent: client.userAgent,
    factors: carried,
  }
  const session = {
    ...prolong(base, readSessionMinutes(minutes) ?? 60, now, limits),
    factors: addFactor(base.factors, factor, now),
  }
  const token = newSecret()
  const user = await saveSession(db, session, token, condition ?? { guard: activePersonGuard(userId) })
  if (user === null) throw new IdentityError('unauthorized_credentials')
  return { user, session, token }
}

/**
 * Returns the session after a use. Prolongs it to `minutes` from now, within the limits, and never
 * shortens it.
 */
export function prolong(
  session: Session,
  minutes: number | undefined,
  now: Date,
  { sessionMaxMinutes, jwtMaxMinutes }: SessionLimits,
): Session {
  const asked = minutes === undefined ? session.expiresAt.getTime() : now.getTime() + minutes * 60_000
  const maxMinutes = isImpersonated(session.factors) ? IMPERSONATION_MINUTES : sessionMaxMinutes
  const longest = session.startedAt.getTime() + maxMinutes * 60_000
  const expiresAt = Math.min(Math.max(asked, session.expiresAt.getTime()), longest)
  // The JWT lives as long as the session, because the page treats a JWT that ends soon as stale (D-13).
  const jwtExpiresAt = Math.min(expiresAt, now.getTime() + jwtMaxMinutes * 60_000)
  return {
    ...session,
    lastAccessedAt: now,
    expiresAt: new Date(expiresAt),
    jwtExpiresAt: new Date(Math.max(jwtExpiresAt, session.jwtExpiresAt.getTime())),
  }
}

/** Checks for whole minutes from 5 to 527040, or undefined. Throws `invalid_session_duration_minutes`. */
export function readSessionMinutes(minutes: number | undefined): number | undefined {
  if (minutes === undefined) return undefined
  if (!Number.isInteger(minutes) || minutes < 5 || minutes > 527_040) {
    throw new IdentityError('invalid_session_duration_minutes')
  }
  return minutes
}

/** Factors of one session. More are only those of ways in that were added and removed again and again. */
const MAX_FACTORS = 32

/**
 * Adds a factor. A repeated factor replaces its old entry. Keeps the newest ones only, so that neither the row
 * nor the JWT, which travels in a header, grows without a bound.
 */
function addFactor(
  factors: readonly SessionFactor[],
  { type, delivery_method, ...details }: NewFactor,
  now: Date,
): readonly SessionFactor[] {
  const at = now.toISOString()
  const isSame = (factor: SessionFactor) =>
    factor.type === type &&
    factor.delivery_method === delivery_method &&
    Object.entries(details).every(([name, value]) => JSON.stringify(factor[name]) === JSON.stringify(value))
  const known = factors.find(isSame)
  return [
    ...factors.filter(factor => factor !== known).slice(1 - MAX_FACTORS),
    {
      ...details,
      type,
      delivery_method,
      last_authenticated_at: at,
      created_at: known?.created_at ?? at,
      updated_at: at,
    },
  ]
}
