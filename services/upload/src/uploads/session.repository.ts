import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Database, SessionState } from '../database.ts'

/** One announced file. */
export interface UploadSession {
  readonly id: string
  readonly userId: string
  readonly key: string
  /** Bytes, as announced. */
  readonly size: number
  readonly state: SessionState
  /** ETag of the inspected object; null until the upload is completed. */
  readonly etag: string | null
  readonly expiresAt: Date
  readonly completedAt: Date | null
}

export async function findSession(db: Kysely<Database>, id: string): Promise<UploadSession | null> {
  const row = await db.selectFrom('upload_session').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toSession(row)
}

/** Finds an upload for ingest and stores the time, so that its file stays until ingest has stored its job. */
export async function findForIngest(
  db: Kysely<Database>,
  id: string,
  now: Date,
): Promise<UploadSession | null> {
  const row = await db
    .updateTable('upload_session')
    .set({ asked_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? null : toSession(row)
}

function toSession(row: Selectable<Database['upload_session']>): UploadSession {
  return {
    id: row.id,
    userId: row.user_id,
    key: row.key,
    size: row.size,
    state: row.state,
    etag: row.etag,
    expiresAt: row.expires_at,
    completedAt: row.completed_at,
  }
}

export interface NewSession {
  readonly id: string
  readonly userId: string
  readonly key: string
  readonly size: number
  readonly createdAt: Date
  readonly expiresAt: Date
  /** Keyed digest of the network that announces the file; null if it is not known. */
  readonly network: Buffer | null
}

export async function insertSession(trx: Transaction<Database>, session: NewSession): Promise<void> {
  await trx
    .insertInto('upload_session')
    .values({
      id: session.id,
      user_id: session.userId,
      key: session.key,
      size: session.size,
      created_at: session.createdAt,
      expires_at: session.expiresAt,
      network: session.network,
    })
    .execute()
}

/** Counts an account's valid unused forms, and returns when the first of them expires; null without any. */
export async function countOpen(
  trx: Transaction<Database>,
  userId: string,
  now: Date,
): Promise<{ readonly open: number; readonly firstEnds: Date | null }> {
  const row = await trx
    .selectFrom('upload_session')
    .select([sql<number>`count(*)::integer`.as('open'), sql<Date | null>`min(expires_at)`.as('first_ends')])
    .where('user_id', '=', userId)
    .where('state', '=', 'open')
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return { open: row.open, firstEnds: row.first_ends }
}

/** Marks an upload as completed. Returns false if another call or the sweeper changed its state first. */
export async function markCompleted(
  db: Kysely<Database>,
  id: string,
  { etag, now }: { readonly etag: string; readonly now: Date },
): Promise<boolean> {
  const updated = await db
    .updateTable('upload_session')
    .set({ state: 'completed', etag, completed_at: now })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}
