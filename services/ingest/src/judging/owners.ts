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

/** Whose the two are; null where they are nobody's yet. */
export interface Owners {
  readonly file: string | null
  readonly driver: string | null
}

export async function findOwners(db: Kysely<Database>, { sha256, sim, simUserId }: Claims): Promise<Owners> {
  const { rows } = await sql<Owners>`
    select (select user_id from file where sha256 = ${sha256}) as file,
      (select user_id from sim_driver where sim = ${sim} and sim_user_id = ${simUserId}) as driver`.execute(
    db,
  )
  return rows[0]!
}

/** Whether somebody brought the bytes before, or the simulator's driver is another account's. */
export function isClaimed({ file, driver }: Owners, { userId }: Attempt): boolean {
  return file !== null || (driver !== null && driver !== userId)
}

/**
 * Makes file and driver this person's, who holds their lock. Throws `OwnerRaced` where somebody else did so
 * in this moment; the transaction is then to be rolled back, and looks again.
 */
export async function takeOwnership(
  trx: Transaction<Database>,
  { ingestId, userId }: Attempt,
  { sha256, sim, simUserId }: Claims,
  { driver }: Owners,
): Promise<void> {
  const file = await trx
    .insertInto('file')
    .values({ sha256, user_id: userId, ingest_id: ingestId })
    .onConflict(conflict => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (file === undefined) throw new OwnerRaced()
  if (simUserId === null || driver === userId) return
  const taken = await trx
    .insertInto('sim_driver')
    .values({ sim, sim_user_id: simUserId, user_id: userId })
    .onConflict(conflict => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (taken === undefined) throw new OwnerRaced()
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
