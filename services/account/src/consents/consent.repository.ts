import { sql } from 'kysely'
import type { Db, Trx } from '../database.ts'

export interface Consent {
  readonly waitlist: boolean
  readonly marketing: boolean
}

/** Returns the saved choices; all false if the person has never chosen. */
export async function findConsent(db: Db, userId: string): Promise<Consent> {
  const row = await db
    .selectFrom('consent')
    .select(['waitlist', 'marketing'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ?? { waitlist: false, marketing: false }
}

export async function saveConsent(trx: Trx, userId: string, consent: Consent, now: Date): Promise<void> {
  await trx
    .insertInto('consent')
    .values({ user_id: userId, ...consent, updated_at: now })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet({ ...consent, updated_at: now }))
    .execute()
}

/** Adds a person at the end of the waitlist. Does nothing if they are on it. */
export async function joinWaitlist(trx: Trx, userId: string): Promise<void> {
  await trx
    .insertInto('waitlist_member')
    .values({ user_id: userId })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Removes a person from the waitlist; later members move up. */
export async function leaveWaitlist(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('waitlist_member').where('user_id', '=', userId).execute()
}

/** Returns a person's position, from 1; null if they are not on the waitlist. */
export async function waitlistPosition(db: Db, userId: string): Promise<number | null> {
  const { rows } = await sql<{ position: string }>`
    select (select count(*) from waitlist_member before where before.place <= mine.place) as position
    from waitlist_member mine where mine.user_id = ${userId}`.execute(db)
  return rows[0] === undefined ? null : Number(rows[0].position)
}
