import type { SessionFacts } from './session-facts.ts'

/**
 * Returns the driver number of a file; null if the file does not state who drove. In a team entry the number
 * may belong to a team mate, so it proves nothing about the account. Page and services use only this rule.
 */
export function driverNumberOf({ userId, isTeamSession }: SessionFacts): string | null {
  return userId === null || isTeamSession ? null : String(userId)
}
