import type { ObjectStore } from '@lapwing/object-store'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { LeaderboardClient } from '../clients/leaderboard-client.ts'
import type { Database } from '../database.ts'
import type { IngestQueue } from '../ingests/ingest-queue.ts'

export interface SweepNeeds {
  readonly db: Kysely<Database>
  readonly store: Pick<ObjectStore, 'list' | 'delete' | 'get'>
  readonly leaderboard: Pick<LeaderboardClient, 'putStanding'>
  readonly queue: Pick<IngestQueue, 'enqueue'>
  readonly logger: Logger
  readonly now: () => Date
  /** Milliseconds after which an object that no lap has counts as left lying. */
  readonly orphanMs: number
}
