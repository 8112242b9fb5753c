import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'

/** Whether the person's account was deleted: nothing is made for them any more. */
export async function isDeleted(db: Kysely<Database>, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('deleted_user')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}
