import { type Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'

/** A file that was refused, since its bytes or its driver are another account's (D-11). */
export interface Conflict {
  readonly at: Date
  readonly kind: 'file' | 'driver'
  /** Who brought it. */
  readonly userId: string
  readonly ownerUserId: string
  /** Hexadecimal. */
  readonly sha256: string
  /** The simulator's number of the driver; null where the file does not say it. */
  readonly simUserId: string | null
}

/** The newest first, at most `limit`. */
export async function listConflicts(db: Kysely<Database>, limit: number): Promise<readonly Conflict[]> {
  const rows = await db.selectFrom('conflict').selectAll().orderBy('id', 'desc').limit(limit).execute()
  return rows.map(row => ({
    at: row.created_at,
    kind: row.kind,
    userId: row.user_id,
    ownerUserId: row.owner_user_id,
    sha256: row.sha256.toString('hex'),
    simUserId: row.sim_user_id,
  }))
}

/**
 * Lets the next account that brings a lap of this driver have the driver. What was recorded stays. False
 * where the driver was nobody's.
 */
export async function releaseDriver(db: Kysely<Database>, sim: string, simUserId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sim_driver')
    .where('sim', '=', sim)
    .where('sim_user_id', '=', simUserId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The same of the bytes of a file, and of its laps as far as another file can hold them. */
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
