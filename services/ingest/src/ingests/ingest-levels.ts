import { type Level, QUERY_VALID_FOR_MS } from '@lapwing/metrics'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'
import { countHeldLaps } from '../moderation/review-laps.ts'
import type { IngestQueue } from './ingest-queue.ts'

/**
 * Returns how many files wait and how long, the jobs in the queue, and the laps that wait for a moderator. The database has the truth about files;
 * the queue only wakes workers. Each process reads the same values, so a query takes their maximum.
 */
export function ingestLevels(db: Kysely<Database>, queue: Pick<IngestQueue, 'countJobs'>): readonly Level[] {
  async function readFiles() {
    const { rows } = await sql<{ state: string; files: number; oldestS: number }>`
      select state, count(*)::int as files, extract(epoch from now() - min(created_at))::float8 as "oldestS"
      from ingest where state in ('waiting', 'running') group by state
      union all
      select state, count(*)::int, extract(epoch from now() - min(created_at))::float8
      from ingest where state = 'recorded' group by state`.execute(db)
    return ['waiting', 'running', 'recorded'].map(
      state => rows.find(row => row.state === state) ?? { state, files: 0, oldestS: 0 },
    )
  }
  return [
    {
      name: 'lapwing_ingest_files',
      help: 'Files that wait, run, or are recorded but not on the board yet.',
      labels: ['state'],
      validForMs: QUERY_VALID_FOR_MS,
      read: async () => (await readFiles()).map(({ state, files }) => ({ labels: { state }, value: files })),
    },
    {
      name: 'lapwing_ingest_oldest_seconds',
      help: 'Age of the oldest file in this state; 0 without one.',
      labels: ['state'],
      validForMs: QUERY_VALID_FOR_MS,
      read: async () =>
        (await readFiles()).map(({ state, oldestS }) => ({ labels: { state }, value: oldestS })),
    },
    {
      name: 'lapwing_queue_jobs',
      help: 'Jobs in the queue in Redis. The waiting, prioritized and active ones together need workers.',
      labels: ['state'],
      validForMs: QUERY_VALID_FOR_MS,
      read: async () =>
        Object.entries(await queue.countJobs()).map(([state, value]) => ({ labels: { state }, value })),
    },
    {
      name: 'lapwing_held_laps',
      help: 'Laps that wait for a moderator and would be a new entry of a board.',
      labels: [],
      validForMs: QUERY_VALID_FOR_MS,
      read: async () => [{ labels: {}, value: (await countHeldLaps(db)).laps }],
    },
    {
      name: 'lapwing_held_laps_oldest_seconds',
      help: 'Age of the oldest of these laps; 0 without one.',
      labels: [],
      validForMs: QUERY_VALID_FOR_MS,
      read: async () => [{ labels: {}, value: (await countHeldLaps(db)).oldestS }],
    },
  ]
}
