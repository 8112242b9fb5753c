import { endAccessOf } from '../sessions/end-access.ts'
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
    await endAccessOf(work, userId)
    await dropTokens(work.trx, userId)
  }
  return true
}
