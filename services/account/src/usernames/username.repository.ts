import type { Db, Trx } from '../database.ts'

export interface Profile {
  readonly userId: string
  readonly username: string
  readonly isDefault: boolean
}

/** Returns the profile; null if the person has none yet. */
export async function findProfile(db: Db, userId: string): Promise<Profile | null> {
  const row = await db.selectFrom('profile').selectAll().where('user_id', '=', userId).executeTakeFirst()
  return row === undefined ? null : { userId, username: row.username, isDefault: row.is_default }
}

/** Returns the user id that has the name, by its `usernameKey`; null if the name is free. */
export async function findHolder(db: Db, key: string): Promise<string | null> {
  const row = await db
    .selectFrom('profile')
    .select('user_id')
    .where('username_key', '=', key)
    .executeTakeFirst()
  return row?.user_id ?? null
}

/** Inserts a profile; returns false if the person has one already or the name is taken. */
export async function insertProfile(trx: Trx, profile: Profile, key: string): Promise<boolean> {
  const inserted = await trx
    .insertInto('profile')
    .values({
      user_id: profile.userId,
      username: profile.username,
      username_key: key,
      is_default: profile.isDefault,
      changed_at: null,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Stores a new name. Throws the unique violation `profile_username_key` if another person has it. */
export async function updateUsername(
  trx: Trx,
  userId: string,
  username: string,
  key: string,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('profile')
    .set({ username, username_key: key, is_default: false, changed_at: now })
    .where('user_id', '=', userId)
    .execute()
}
