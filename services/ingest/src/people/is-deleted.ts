import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'

/** Returns whether the account was deleted; nothing new is stored for it then. */
export async function isDeleted(db: Kysely<Database>, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('deleted_user')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}
