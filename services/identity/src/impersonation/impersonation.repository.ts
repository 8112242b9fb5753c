import { newId } from '../crypto/secrets.ts'
import type { Trx } from '../database.ts'
import { issueToken } from '../tokens/token.ts'
import { lockActiveUser } from '../users/user.repository.ts'
import type { Work } from '../work.ts'

/** Minutes in which the operator must open the link. */
export const TOKEN_MINUTES = 5

/** Who opens an account and why. */
export interface Impersonation {
  readonly impersonationId: string
  readonly operator: string
}

/**
 * Records that an operator will open an account, and returns the token for it. Returns null if the account is
 * locked or does not exist.
 */
export async function issueImpersonation(
  work: Work,
  {
    userId,
    operator,
    reason,
  }: { readonly userId: string; readonly operator: string; readonly reason: string },
): Promise<string | null> {
  if (!(await lockActiveUser(work.trx, userId))) return null
  const impersonationId = newId('impersonation')
  await work.trx
    .insertInto('impersonation')
    .values({
      impersonation_id: impersonationId,
      user_id: userId,
      operator,
      reason,
      issued_at: work.now,
      used_at: null,
      session_id: null,
    })
    .execute()
  return issueToken(work, {
    kind: 'impersonation',
    userId,
    data: { impersonationId, operator },
    codeChallenge: undefined,
    minutes: TOKEN_MINUTES,
  })
}

/** Records the session that the operator has opened. */
export async function recordImpersonation(
  trx: Trx,
  { impersonationId }: Impersonation,
  { sessionId, startedAt }: { readonly sessionId: string; readonly startedAt: Date },
): Promise<void> {
  await trx
    .updateTable('impersonation')
    .set({ used_at: startedAt, session_id: sessionId })
    .where('impersonation_id', '=', impersonationId)
    .execute()
}
