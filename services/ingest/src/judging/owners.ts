import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'
import type { Attempt } from '../ingests/attempt.repository.ts'

/** The content of a file, and its driver in the simulator, belong to the account that brought them first (D-11). */
export interface Claims {
  readonly sha256: Buffer
  readonly sim: string
  /** Null where the file does not say who drove. */
  readonly simUserId: string | null
}

/** Whose the bytes are; null where nobody brought them yet. */
export async function findFileOwner(db: Kysely<Database>, sha256: Buffer): Promise<string | null> {
  const row = await db.selectFrom('file').select('user_id').where('sha256', '=', sha256).executeTakeFirst()
  return row?.user_id ?? null
}

/** Whether somebody brought the bytes before, or the simulator's driver is another account's. */
export async function isClaimed(
  db: Kysely<Database>,
  { userId }: Attempt,
  { sha256, sim, simUserId }: Claims,
): Promise<boolean> {
  const { rows } = await sql<{ is_claimed: boolean }>`
    select exists (select from file where sha256 = ${sha256})
      or exists (select from sim_driver
        where sim = ${sim} and sim_user_id = ${simUserId} and user_id <> ${userId}) as is_claimed`.execute(db)
  return rows[0]!.is_claimed
}

export async function findDriverOwner(
  db: Kysely<Database>,
  { sim, simUserId }: Pick<Claims, 'sim' | 'simUserId'>,
): Promise<string | null> {
  if (simUserId === null) return null
  const row = await db
    .selectFrom('sim_driver')
    .select('user_id')
    .where('sim', '=', sim)
    .where('sim_user_id', '=', simUserId)
    .executeTakeFirst()
  return row?.user_id ?? null
}

/**
 * Makes file and driver this person's. Throws `OwnerRaced` where somebody else did so in this moment;
 * the transaction is then to be rolled back, and looks again.
 */
export async function takeOwnership(
  trx: Transaction<Database>,
  { ingestId, userId }: Attempt,
  { sha256, sim, simUserId }: Claims,
): Promise<void> {
  const file = await trx
    .insertInto('file')
    .values({ sha256, user_id: userId, ingest_id: ingestId })
    .onConflict(conflict => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (file === undefined) throw new OwnerRaced()
  if (simUserId === null) return
  await trx
    .insertInto('sim_driver')
    .values({ sim, sim_user_id: simUserId, user_id: userId })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  if ((await findDriverOwner(trx, { sim, simUserId })) !== userId) throw new OwnerRaced()
}

export class OwnerRaced extends Error {}

/** Kept for a moderator: who brought what belongs to whom. */
export async function keepConflict(
  trx: Transaction<Database>,
  { ingestId, userId }: Attempt,
  { sha256, simUserId }: Claims,
  { kind, ownerUserId }: { readonly kind: 'file' | 'driver'; readonly ownerUserId: string },
): Promise<void> {
  await trx
    .insertInto('conflict')
    .values({
      kind,
      ingest_id: ingestId,
      user_id: userId,
      owner_user_id: ownerUserId,
      sha256,
      sim_user_id: simUserId,
    })
    .execute()
}
