import type { ObjectStore } from '@lapwing/object-store'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { IdentityClient } from '../clients/identity-client.ts'
import type { LeaderboardClient } from '../clients/leaderboard-client.ts'
import type { Database } from '../database.ts'
import type { IngestQueue } from '../ingests/ingest-queue.ts'
import type { VoteRules } from '../people/person.repository.ts'

export interface SweepNeeds {
  readonly db: Kysely<Database>
  readonly store: Pick<ObjectStore, 'list' | 'delete' | 'get'>
  readonly leaderboard: Pick<LeaderboardClient, 'putStanding'>
  /** Null if a hosted provider has the accounts: then nobody votes, and all claims are equal. */
  readonly identity: IdentityClient | null
  readonly votes: VoteRules
  readonly queue: Pick<IngestQueue, 'enqueue'>
  readonly logger: Logger
  readonly now: () => Date
  /** Milliseconds after which an object without a lap is removed. */
  readonly orphanMs: number
}
