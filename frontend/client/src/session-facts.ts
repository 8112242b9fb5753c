import type { components } from '@lapwing/contracts/identity'
import { fieldsOf, finite, optional, text } from '../../src/shared/api/shapes.ts'

/** What the page stores of a session: nothing that grants access. */
export interface SessionFacts {
  readonly userId: string
  readonly sessionId: string
  readonly startedAtMs: number
  readonly expiresAtMs: number
  /** Mail address of the operator who acts for the driver; absent in the driver's own sessions. */
  readonly impersonator?: string | undefined
}

type Session = components['schemas']['Session']

const MIN_SESSION_ID_LENGTH = 10
/** Milliseconds that a session must still last to be used. */
const EXPIRY_MARGIN_MS = 30_000
const MAX_SESSION_AGE_MS = 24 * 3600_000

/** Reads the session of a provider's answer of any form; null if there is none. */
export function readSession(value: unknown): SessionFacts | null {
  const { user_id, session_id, started_at, expires_at } = (value ?? {}) as Partial<
    Record<keyof Session, unknown>
  >
  const facts = {
    userId: user_id,
    sessionId: session_id,
    startedAtMs: Date.parse(String(started_at)),
    expiresAtMs: Date.parse(String(expires_at)),
  }
  if (!isFacts(facts)) return null
  const impersonator = readImpersonator((value as Partial<Session>).authentication_factors)
  return impersonator === null ? facts : { ...facts, impersonator }
}

function readImpersonator(factors: unknown): string | null {
  const factor = Array.isArray(factors) && factors.find(factor => factor?.type === 'impersonated')
  return factor ? String(factor.impersonated_factor?.impersonator_email_address ?? '') : null
}

/** Checks facts from a storage or from another tab. */
export const isFacts = fieldsOf<SessionFacts>({
  userId: text,
  sessionId: text,
  startedAtMs: finite,
  expiresAtMs: finite,
  impersonator: optional(text),
})

/** Returns whether a session has ended by its own facts, so that it cannot be renewed. */
export function hasEnded({ expiresAtMs, startedAtMs }: SessionFacts, nowMs: number): boolean {
  return expiresAtMs <= nowMs || nowMs - startedAtMs > MAX_SESSION_AGE_MS
}

/** Returns whether a session can be used, by the specification's rule. */
export function isValidSession(facts: SessionFacts, nowMs: number): boolean {
  return (
    facts.userId !== '' &&
    facts.sessionId.length >= MIN_SESSION_ID_LENGTH &&
    facts.expiresAtMs - nowMs > EXPIRY_MARGIN_MS &&
    nowMs - facts.startedAtMs <= MAX_SESSION_AGE_MS
  )
}
