import { USERNAME_MAX_LENGTH } from '@lapwing/usernames'
import type { UsernameVerdict } from './username-check.ts'

/** Attributes of every field for a username. */
export const usernameInput = {
  autoComplete: 'nickname',
  autoCapitalize: 'none',
  spellCheck: false,
  maxLength: USERNAME_MAX_LENGTH,
} as const

/** Returns the hint below a username field that has no problem. */
export function usernameHint(verdict: UsernameVerdict) {
  if (verdict.kind === 'available') return <p className="text-gain">Username available</p>
  if (verdict.kind === 'checking') return <p className="text-muted">Checking…</p>
  return null
}

/** Returns the problem of the name; null if none is known. */
export function usernameProblem(verdict: UsernameVerdict): string | null {
  return verdict.kind === 'problem' ? verdict.sentence : null
}
