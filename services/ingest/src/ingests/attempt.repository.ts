import { randomUUID } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'
import type { Failure } from './ingest.ts'

/** One attempt to judge a file. Only the attempt with the current token can write. */
export interface Attempt {
  readonly ingestId: string
  readonly token: string
  readonly userId: string
  readonly key: string
  readonly etag: string
  /** Bytes. */
  readonly size: number
  /** Keyed digest of the network that the request came from; null if it is not known. */
  readonly network: Buffer | null
  /** Counts from 1; attempts that were handed back do not count. */
  readonly tries: number
}

/** Claims an ingest that waits and is due, or has an expired lease, for `leaseMs`. Null if it cannot. */
export async function claim(
  db: Kysely<Database>,
  ingestId: string,
  { leaseMs }: { readonly leaseMs: number },
): Promise<Attempt | null> {
  const token = randomUUID()
  const row = await db
    .updateTable('ingest')
    .set({
      state: 'running',
      attempt: sql`attempt + 1`,
      attempt_token: token,
      tries: sql`tries + 1`,
      leased_until: inMs(leaseMs),
      progress: 0,
    })
    .where('id', '=', ingestId)
    .where(({ or, and, eb }) =>
      or([
        // A delayed job runs by the clock of Redis.
        and([eb('state', '=', 'waiting'), eb('not_before', '<=', inMs(250))]),
        and([eb('state', '=', 'running'), eb('leased_until', '<', sql<Date>`now()`)]),
      ]),
    )
    .returning(['user_id', 'key', 'etag', 'size', 'network', 'tries'])
    .executeTakeFirst()
  if (row === undefined) return null
  const { user_id: userId, key, etag, size, network, tries } = row
  return { ingestId, token, userId, key, etag, size, network, tries }
}

/** Renews the lease and stores the progress, 0..1. Returns false if the attempt is not the current one. */
export async function renew(
  db: Kysely<Database>,
  attempt: Attempt,
  { progress, leaseMs }: { readonly progress: number; readonly leaseMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await current(db, attempt)
    .set({ progress, leased_until: inMs(leaseMs) })
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Locks the ingest until the transaction ends. Returns false if the attempt is not the current one. */
export async function lockAttempt(trx: Transaction<Database>, attempt: Attempt): Promise<boolean> {
  const row = await trx
    .selectFrom('ingest')
    .select('id')
    .where('id', '=', attempt.ingestId)
    .where('state', '=', 'running')
    .where('attempt_token', '=', attempt.token)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export async function failAttempt(
  db: Kysely<Database>,
  attempt: Attempt,
  { code, detail }: Failure,
): Promise<void> {
  await current(db, attempt)
    .set({ state: 'failed', failure_code: code, failure_detail: detail, finished_at: sql`now()`, ...ended })
    .execute()
}

/** Sets the ingest back to waiting; it is due after `waitMs`. */
export async function retryAttempt(
  db: Kysely<Database>,
  attempt: Attempt,
  { waitMs }: { readonly waitMs: number },
): Promise<void> {
  await current(db, attempt)
    .set({ state: 'waiting', not_before: inMs(waitMs), ...ended })
    .execute()
}

/** Sets the ingest back to waiting for a worker that stops; the attempt does not count as a try. */
export async function handBackAttempt(db: Kysely<Database>, attempt: Attempt): Promise<void> {
  await current(db, attempt)
    .set({ state: 'waiting', not_before: sql`now()`, tries: sql`tries - 1`, ...ended })
    .execute()
}

/** The columns of an ingest without a running attempt. */
export const ended = { attempt_token: null, leased_until: null } as const

function current(db: Kysely<Database>, { ingestId, token }: Attempt) {
  return db
    .updateTable('ingest')
    .where('id', '=', ingestId)
    .where('state', '=', 'running')
    .where('attempt_token', '=', token)
}

function inMs(ms: number) {
  return sql<Date>`now() + ${ms} * interval '1 millisecond'`
}
