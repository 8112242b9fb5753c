import { AppError } from '@lapwing/http'
import type { Db } from '../database.ts'

/** Throws `account.deleted` if the account was deleted. */
export async function refuseDeleted(db: Db, userId: string): Promise<void> {
  const row = await db
    .selectFrom('deleted_account')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (row !== undefined) throw new AppError('account.deleted')
}
