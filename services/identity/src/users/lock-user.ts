import { endAuthorizationsOf } from '../connected-apps/end-authorizations.ts'
import { endSessionsOf } from '../sessions/session.repository.ts'
import { dropTokens } from '../tokens/token.ts'
import type { Work } from '../work.ts'

/**
 * Locks or unlocks an account. A lock ends its sessions and the tokens of its apps immediately. Returns false if the account does
 * not exist.
 */
export async function lockUser(work: Work, userId: string, isLocked: boolean): Promise<boolean> {
  const row = await work.trx
    .updateTable('person')
    .set({ locked_at: isLocked ? work.now : null })
    .where('user_id', '=', userId)
    .returning('user_id')
    .executeTakeFirst()
  if (row === undefined) return false
  if (isLocked) {
    await endSessionsOf(work, userId)
    await dropTokens(work.trx, userId)
    await endAuthorizationsOf(work, userId)
  }
  return true
}
