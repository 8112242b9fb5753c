import { endSessionsOf } from '../sessions/session.repository.ts'
import { dropTokens } from '../tokens/token.ts'
import type { Work } from '../work.ts'

/** Keeps a person out of their account, at once and until they are unlocked; false where there is nobody. */
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
  }
  return true
}
