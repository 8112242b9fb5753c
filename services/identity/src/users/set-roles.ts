import { EVERYBODYS_ROLE } from '../project/rbac-policy.ts'
import { endSessionsOf } from '../sessions/session.repository.ts'
import type { Work } from '../work.ts'

/**
 * Gives a person exactly these roles beside the one everybody has; false where there is nobody. Their
 * sessions end, since a token says which roles its person had when it was signed.
 */
export async function setRoles(work: Work, userId: string, roles: readonly string[]): Promise<boolean> {
  const row = await work.trx
    .updateTable('person')
    .set({ roles: [...new Set(roles)].filter(role => role !== EVERYBODYS_ROLE) })
    .where('user_id', '=', userId)
    .returning('user_id')
    .executeTakeFirst()
  if (row === undefined) return false
  await endSessionsOf(work, userId)
  return true
}
