import type { UsernameVerdict } from './username-check.ts'

/** What stands below a username field while nothing is wrong with it. */
export function usernameHint(verdict: UsernameVerdict) {
  if (verdict.kind === 'available') return <p className="text-gain">Username available</p>
  if (verdict.kind === 'checking') return <p className="text-muted">Checking…</p>
  return null
}

/** What is wrong with the name; null where nothing is, as far as is known. */
export function usernameProblem(verdict: UsernameVerdict): string | null {
  return verdict.kind === 'problem' ? verdict.sentence : null
}
