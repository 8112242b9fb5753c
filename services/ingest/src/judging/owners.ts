import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'
import {
  findBound,
  hasOtherNumber,
  insertClaim,
  isBoundTo,
  lockNumber,
  settleNumber,
} from '../drivers/driver.repository.ts'
import type { Attempt } from '../ingests/attempt.repository.ts'
import type { ConflictKind } from './conflict-kind.ts'

/** What a file claims: its content, and its driver number (D-11). */
export interface Claims {
  readonly sha256: Buffer
  readonly sim: string
  /** Null if the file has no driver number. */
  readonly simUserId: string | null
}

/** Returns the account that brought the bytes first; null if nobody did. */
export async function findFileOwner(
  db: Kysely<Database>,
  { sha256 }: Pick<Claims, 'sha256'>,
): Promise<string | null> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from file where sha256 = ${sha256}`.execute(db)
  return rows[0]?.user_id ?? null
}

/**
 * Stores the account as the owner of the bytes. The caller holds the account's lock. Throws `OwnerRaced` if
 * another account was faster; the transaction must then be rolled back and run again.
 */
export async function storeFileOwner(
  trx: Transaction<Database>,
  { ingestId, userId }: Attempt,
  { sha256 }: Claims,
): Promise<void> {
  const file = await trx
    .insertInto('file')
    .values({ sha256, user_id: userId, ingest_id: ingestId })
    .onConflict(conflict => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (file === undefined) throw new OwnerRaced()
}

export class OwnerRaced extends Error {}

/**
 * Claims the driver number of a file for the account that saves it. The number is bound to the best claim:
 * see `settleNumber`. A number of another account refuses no file, but flags it for moderators (D-11). So does
 * the first file with another number than the account's bound one. Does nothing for a file without a number.
 * The caller holds the account's lock.
 */
export async function claimDriver(
  trx: Transaction<Database>,
  attempt: Attempt,
  claims: Claims,
): Promise<void> {
  const { sim, simUserId } = claims
  if (simUserId === null) return
  const number = { sim, simUserId }
  const { userId } = attempt
  // The account's lock is held, so that the claim stays. Nearly every file is of a bound number.
  if (await isBoundTo(trx, number, userId)) return
  await lockNumber(trx, number)
  const before = await findBound(trx, number)
  const isOther = await hasOtherNumber(trx, number, userId)
  await insertClaim(trx, number, userId)
  await settleNumber(trx, number)
  if (isOther) await storeConflict(trx, attempt, claims, { kind: 'other_number', ownerUserId: userId })
  if (before === null || before.userId === userId) return
  await storeConflict(trx, attempt, claims, { kind: 'driver', ownerUserId: before.userId })
}

/** Stores a file for moderators. The owner is the account itself for `other_number`. */
export async function storeConflict(
  trx: Transaction<Database>,
  { ingestId, userId }: Attempt,
  { sha256, simUserId }: Claims,
  { kind, ownerUserId }: { readonly kind: ConflictKind; readonly ownerUserId: string },
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
