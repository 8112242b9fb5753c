import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'

/** A file that was refused because it has a lap of another account (D-11). */
export interface LapConflict {
  readonly at: Date
  /** The account that brought it. */
  readonly userId: string
  readonly ingestId: string
  readonly ownerUserId: string
  readonly ownerLapId: string
}

/** Returns the newest conflicts first, at most `limit`. */
export async function listLapConflicts(db: Kysely<Database>, limit: number): Promise<readonly LapConflict[]> {
  const rows = await db.selectFrom('lap_conflict').selectAll().orderBy('id', 'desc').limit(limit).execute()
  return rows.map(row => ({
    at: row.created_at,
    userId: row.user_id,
    ingestId: row.ingest_id,
    ownerUserId: row.owner_user_id,
    ownerLapId: row.owner_lap_id,
  }))
}
