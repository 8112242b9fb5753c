import { DEFAULT_ROLE } from '../project/rbac-policy.ts'
import { endSessionsOf } from '../sessions/session.repository.ts'
import type { Work } from '../work.ts'

/**
 * Sets the roles of an account, beside the default one. Ends its sessions, because their JWTs hold the
 * old roles. Returns false if the account does not exist.
 */
export async function setRoles(work: Work, userId: string, roles: readonly string[]): Promise<boolean> {
  const row = await work.trx
    .updateTable('person')
    .set({ roles: [...new Set(roles)].filter(role => role !== DEFAULT_ROLE) })
    .where('user_id', '=', userId)
    .returning('user_id')
    .executeTakeFirst()
  if (row === undefined) return false
  await endSessionsOf(work, userId)
  return true
}
