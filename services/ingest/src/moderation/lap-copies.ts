import { type Kysely, sql } from 'kysely'
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

/** Returns at most `limit` conflicts: the newest of each account first, then the second newest of each. */
export async function listLapConflicts(db: Kysely<Database>, limit: number): Promise<readonly LapConflict[]> {
  const { rows } = await sql<LapConflict>`
    select created_at as at, user_id as "userId", ingest_id as "ingestId", owner_user_id as "ownerUserId",
      owner_lap_id as "ownerLapId"
    from lap_conflict
    order by row_number() over (partition by user_id order by id desc), id desc limit ${limit}`.execute(db)
  return rows
}
