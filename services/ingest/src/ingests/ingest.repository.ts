import { traceparent } from '@lapwing/tracing'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'
import type { ErrorCode } from '../errors.ts'
import { ended } from './attempt.repository.ts'
import { type Failure, type IngestState, PASSING_FAILURES, type Saved, type Skipped } from './ingest.ts'

/** An ingest as its driver can see it. */
export interface Ingest {
  readonly id: string
  readonly userId: string
  readonly key: string
  readonly state: IngestState
  /** 0..1. */
  readonly progress: number
  /** Set if the state is `done`. */
  readonly outcome: Saved | Skipped | null
  /** Set if the state is `failed`. */
  readonly failure: Failure | null
}

export async function findBySession(db: Kysely<Database>, sessionId: string): Promise<Ingest | null> {
  const row = await ingests(db).where('upload_session_id', '=', sessionId).executeTakeFirst()
  return row === undefined ? null : toIngest(row)
}

export async function findIngest(db: Kysely<Database>, id: string): Promise<Ingest | null> {
  const row = await ingests(db).where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toIngest(row)
}

/** Returns the ingests that are done or failed, by id. An id without an ingest has the value null. */
export async function findFinished(
  db: Kysely<Database>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Ingest | null>> {
  const rows = await ingests(db)
    .where(sql<boolean>`id = any(${[...ids]}::uuid[])`)
    .execute()
  const finished = new Map<string, Ingest | null>(ids.map(id => [id, null]))
  for (const row of rows) {
    if (row.state === 'done' || row.state === 'failed') finished.set(row.id, toIngest(row))
    else finished.delete(row.id)
  }
  return finished
}

function ingests(db: Kysely<Database>) {
  return db
    .selectFrom('ingest')
    .select(['id', 'user_id', 'key', 'state', 'progress', 'outcome', 'failure_code', 'failure_detail'])
}

type Row = Awaited<ReturnType<ReturnType<typeof ingests>['execute']>>[number]

function toIngest(row: Row): Ingest {
  return {
    id: row.id,
    userId: row.user_id,
    key: row.key,
    state: row.state,
    progress: row.progress,
    outcome: row.state === 'done' ? (row.outcome as Saved | Skipped) : null,
    failure:
      row.failure_code === null ? null : { code: row.failure_code as ErrorCode, detail: row.failure_detail },
  }
}

export interface NewIngest {
  readonly id: string
  readonly userId: string
  readonly sessionId: string
  readonly key: string
  readonly etag: string
  readonly size: number
  /** Keyed digest; null if it is not known. */
  readonly network: Buffer | null
}

/** Does nothing if the upload has an ingest already. */
export async function insertIngest(trx: Transaction<Database>, ingest: NewIngest): Promise<void> {
  await trx
    .insertInto('ingest')
    .values({
      id: ingest.id,
      user_id: ingest.userId,
      upload_session_id: ingest.sessionId,
      key: ingest.key,
      etag: ingest.etag,
      size: ingest.size,
      network: ingest.network,
      traceparent: traceparent(),
    })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Returns whether `many` or more files of an account wait or are being judged. */
export async function hasManyOpen(
  trx: Transaction<Database>,
  userId: string,
  many: number,
): Promise<boolean> {
  const rows = await trx
    .selectFrom('ingest')
    .select('id')
    .where('user_id', '=', userId)
    .where('state', 'in', ['waiting', 'running'])
    .limit(many)
    .execute()
  return rows.length >= many
}

/** Sets an ingest that failed for a reason outside its file back to waiting. Of several calls one does it. */
export async function reviveFailed(db: Kysely<Database>, id: string): Promise<void> {
  await db
    .updateTable('ingest')
    .set({ state: 'waiting', ...fresh, not_before: sql`now()` })
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .where('failure_code', 'in', PASSING_FAILURES)
    .execute()
}

const fresh = {
  tries: 0,
  progress: 0,
  failure_code: null,
  failure_detail: null,
  finished_at: null,
  ...ended,
} as const

/** The facts that a job is made of. */
export interface Queueable {
  readonly id: string
  /** Bytes of the file. */
  readonly size: number
  readonly attempt: number
  /** Milliseconds since the ingest was created. */
  readonly ageMs: number
  /** W3C `traceparent` of the request that made the ingest; null without traces. */
  readonly traceparent: string | null
}

/** Returns the facts for the job of a waiting ingest; null if it is not waiting. */
export async function findWaiting(db: Kysely<Database>, id: string): Promise<Queueable | null> {
  const row = await queueables(db).where('id', '=', id).where('state', '=', 'waiting').executeTakeFirst()
  return row ?? null
}

/** Finds ingests that are due and that no attempt works on, the oldest first. */
export async function findUnattended(db: Kysely<Database>, limit: number): Promise<readonly Queueable[]> {
  return queueables(db)
    .where(({ or, and, eb }) =>
      or([
        and([eb('state', '=', 'waiting'), eb('not_before', '<=', sql<Date>`now()`)]),
        and([eb('state', '=', 'running'), eb('leased_until', '<', sql<Date>`now()`)]),
      ]),
    )
    .orderBy('created_at')
    .limit(limit)
    .execute()
}

function queueables(db: Kysely<Database>) {
  return db
    .selectFrom('ingest')
    .select([
      'id',
      'size',
      'attempt',
      'traceparent',
      sql<number>`(extract(epoch from now() - created_at) * 1000)::float8`.as('ageMs'),
    ])
}
