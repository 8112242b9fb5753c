import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'

export interface Consent {
  readonly waitlist: boolean
  readonly marketing: boolean
}

/** Returns the saved choices; all false if the person has never chosen. */
export async function findConsent(db: Kysely<Database>, userId: string): Promise<Consent> {
  const row = await db
    .selectFrom('consent')
    .select(['waitlist', 'marketing'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ?? { waitlist: false, marketing: false }
}

export async function saveConsent(
  trx: Transaction<Database>,
  userId: string,
  consent: Consent,
  now: Date,
): Promise<void> {
  await trx
    .insertInto('consent')
    .values({ user_id: userId, ...consent, updated_at: now })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet({ ...consent, updated_at: now }))
    .execute()
}

/** Adds a person at the end of the waitlist. Does nothing if they are on it. */
export async function joinWaitlist(trx: Transaction<Database>, userId: string): Promise<void> {
  await trx
    .insertInto('waitlist_member')
    .values({ user_id: userId })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Removes a person from the waitlist; later members move up. */
export async function leaveWaitlist(trx: Transaction<Database>, userId: string): Promise<void> {
  await trx.deleteFrom('waitlist_member').where('user_id', '=', userId).execute()
}

/** Returns a person's position, from 1; null if they are not on the waitlist. */
export async function waitlistPosition(db: Kysely<Database>, userId: string): Promise<number | null> {
  const { rows } = await sql<{ position: string | null }>`
    select (select count(*) from waitlist_member before where before.place <= mine.place) as position
    from waitlist_member mine where mine.user_id = ${userId}`.execute(db)
  const position = rows[0]?.position
  return position === null || position === undefined ? null : Number(position)
}
