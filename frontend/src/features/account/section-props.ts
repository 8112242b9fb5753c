import type { IdentityUser } from '@lapwing/identity-client/contract'
import type { Account } from './account.ts'

/** Runs an action of a section, and shows its error. Asks for the second factor first if it is missing. */
export type RunAction = (action: () => Promise<void>) => Promise<void>

/** What each section of the security dialog gets. */
export interface SectionProps {
  readonly account: Account
  readonly user: IdentityUser
  readonly run: RunAction
}
