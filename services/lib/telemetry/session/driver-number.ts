import type { SessionFacts } from './session-facts.ts'

/**
 * Returns the simulator's number of the driver of a file; null if the file does not say who drove. In a team
 * entry the number may be that of a mate, so it says nothing of the account. Page and server use this rule alone.
 */
export function driverNumberOf({ userId, isTeamSession }: SessionFacts): string | null {
  return userId === null || isTeamSession ? null : String(userId)
}
