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

/** A file with bytes or a driver number of another account (D-11). Only the bytes refuse the file. */
export interface Conflict {
  readonly at: Date
  readonly kind: 'file' | 'driver'
  /** The account that brought it. */
  readonly userId: string
  readonly ownerUserId: string
  /** Hexadecimal. */
  readonly sha256: string
  /** The driver number; null if the file has none. */
  readonly simUserId: string | null
}

/** Returns the newest conflicts first, at most `limit`. */
export async function listConflicts(db: Kysely<Database>, limit: number): Promise<readonly Conflict[]> {
  const { rows } = await sql<Conflict>`
    select created_at as at, kind, user_id as "userId", owner_user_id as "ownerUserId",
      encode(sha256, 'hex') as sha256, sim_user_id as "simUserId"
    from conflict order by id desc limit ${limit}`.execute(db)
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
