import { acquireAccountLock } from '@lapwing/db'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'
import {
  type DriverNumber,
  decideNumber,
  freeNumber,
  hasSaved,
  lockNumber,
} from '../drivers/driver.repository.ts'
import type { ConflictKind } from '../judging/conflict-kind.ts'

/** A file that is listed for moderators (D-11). Only the bytes of another account refuse a file. */
export interface Conflict {
  readonly at: Date
  readonly kind: ConflictKind
  /** The account that brought it. */
  readonly userId: string
  /** For `other_number` the account itself. */
  readonly ownerUserId: string
  /** The other driver numbers that the account is bound to now; empty except for `other_number`. */
  readonly otherNumbers: readonly string[]
  /** Hexadecimal. */
  readonly sha256: string
  /** The driver number; null if the file has none. */
  readonly simUserId: string | null
}

/**
 * Returns at most `limit` conflicts: the newest of each account first, then the second newest of each. So no
 * account can hide those of others. A decided number is no longer an `other_number`.
 */
export async function listConflicts(db: Kysely<Database>, limit: number): Promise<readonly Conflict[]> {
  const { rows } = await sql<Conflict>`
    select created_at as at, kind, user_id as "userId", owner_user_id as "ownerUserId",
      encode(sha256, 'hex') as sha256, sim_user_id as "simUserId",
      array(select bound.sim_user_id from sim_driver bound
        where conflict.kind = 'other_number' and bound.user_id = conflict.user_id
          and bound.sim_user_id <> conflict.sim_user_id
        order by bound.created_at, bound.sim_user_id) as "otherNumbers"
    from conflict
    where kind <> 'other_number' or not exists (select from driver_claim claim
      where claim.user_id = conflict.user_id and claim.sim_user_id = conflict.sim_user_id
        and claim.settled_at is not null)
    order by row_number() over (partition by user_id order by id desc), id desc limit ${limit}`.execute(db)
  return rows
}

/**
 * Frees a driver number: it is then bound to the next account that saves a lap with it. Recorded laps stay.
 * Returns false if the number was not claimed.
 */
export function releaseDriver(db: Kysely<Database>, number: DriverNumber): Promise<boolean> {
  return db.transaction().execute(async trx => {
    await lockNumber(trx, number)
    return freeNumber(trx, number)
  })
}

/**
 * Binds a driver number to an account permanently, whatever others claim. Returns false if the account has
 * never saved a lap here, or was deleted.
 */
export function bindDriver(db: Kysely<Database>, number: DriverNumber, userId: string): Promise<boolean> {
  return db.transaction().execute(async trx => {
    await acquireAccountLock(trx, userId)
    if (!(await hasSaved(trx, userId))) return false
    await lockNumber(trx, number)
    await decideNumber(trx, number, userId)
    return true
  })
}

/** Frees the bytes of a file and the fingerprints of its laps. Returns false if the file has no owner. */
export function releaseFile(db: Kysely<Database>, sha256: Buffer): Promise<boolean> {
  return db.transaction().execute(async trx => {
    const file = await trx
      .deleteFrom('file')
      .where('sha256', '=', sha256)
      .returning('ingest_id')
      .executeTakeFirst()
    if (file === undefined) return false
    await sql`delete from lap_fingerprint using lap
      where lap.id = lap_fingerprint.lap_id and lap.ingest_id = ${file.ingest_id}`.execute(trx)
    return true
  })
}
