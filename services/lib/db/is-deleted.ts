import type { Kysely } from 'kysely'

/** Returns whether the account was deleted; nothing new is stored for it then. Reads `deleted_user`. */
// biome-ignore lint/suspicious/noExplicitAny: several schemas have the table.
export async function isDeleted(db: Kysely<any>, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('deleted_user')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}
