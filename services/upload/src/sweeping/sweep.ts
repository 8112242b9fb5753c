import type { ObjectStore } from '@lapwing/object-store'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { FindJudged } from '../clients/ingest-client.ts'
import type { Database } from '../database.ts'
import { KEY_PREFIX } from '../uploads/upload-limits.ts'

import { type Expendable, findExpendable, isSettled, type Quotas } from './expendable-files.ts'

export interface Sweep {
  readonly db: Kysely<Database>
  readonly store: Pick<ObjectStore, 'list' | 'delete'>
  readonly now: () => Date
  readonly keepDays: number
  /** Without it there are no quotas. */
  readonly quotas?: Quotas | undefined
  /** Without it no file counts as judged now. */
  readonly findJudged?: FindJudged | undefined
}

/** Results of one sweep, as numbers of uploads and objects. */
export interface Swept {
  readonly abandoned: number
  /** Stored for their time, or over a quota. */
  readonly outdated: number
  readonly objects: number
  readonly orphans: number
}

/**
 * Deletes uploads and objects that are not needed any more. Each step is a few bounded transactions. Several
 * processes may run them at the same time: they skip locked rows. A sweep that stops early misses nothing,
 * because each object to delete has a row until it is deleted.
 */
export async function sweep(options: Sweep, isOver: () => boolean = () => false): Promise<Swept> {
  const abandoned = await inBatches(() => retireAbandoned(options), isOver)
  const { outdated, failure } = await retireOutdated(options, isOver)
  const objects = await inBatches(() => removeObjects(options), isOver)
  const orphans = isOver() ? 0 : await removeOrphans(options)
  // If ingest is down, all other steps run first.
  if (failure !== null) throw failure
  return { abandoned, outdated, objects, orphans }
}

const BATCH_SIZE = 500
const MAX_BATCHES = 20
const MINUTE_MS = 60_000
/** Longest time from an upload's completion, or ingest's request for it, until ingest has stored its job. */
const SETTLING_MS = 5 * MINUTE_MS
/** Number of uploads in one request to ingest. */
const PAGE_SIZE = 200
const DAY_MS = 24 * 60 * MINUTE_MS

async function inBatches(step: () => Promise<number>, isOver: () => boolean): Promise<number> {
  let done = 0
  for (let batch = 0; batch < MAX_BATCHES && !isOver(); batch++) {
    const count = await step()
    done += count
    if (count < BATCH_SIZE) break
  }
  return done
}

/** Retires uploads that were not completed within 30 minutes after their form expired. */
function retireAbandoned({ db, now }: Sweep): Promise<number> {
  const at = now()
  return retire(db, at, sql`state = 'open' and expires_at < ${new Date(at.getTime() - 30 * MINUTE_MS)}`)
}

/**
 * Retires uploads whose files were stored for their time, and the oldest ones over a quota. A file that is
 * judged now or soon stays. If ingest does not report which files are judged, all files stay.
 */
async function retireOutdated(
  { db, now, keepDays, quotas, findJudged }: Sweep,
  isOver: () => boolean,
): Promise<{ readonly outdated: number; readonly failure: Error | null }> {
  const at = now()
  const settledBefore = new Date(at.getTime() - SETTLING_MS)
  const completedBefore = new Date(at.getTime() - keepDays * DAY_MS)
  let outdated = 0
  let after: Expendable | null = null
  for (let batch = 0; batch < MAX_BATCHES && !isOver(); batch++) {
    const page = await findExpendable(db, { completedBefore, settledBefore, quotas, after, limit: PAGE_SIZE })
    if (page.length === 0) break
    after = page.at(-1)!
    const ids = page.map(({ id }) => id)
    try {
      const judged = (await findJudged?.(ids)) ?? new Set()
      const free = ids.filter(id => !judged.has(id))
      // `isSettled` again, because ingest may have requested one of them meanwhile.
      outdated += await retire(
        db,
        at,
        sql`state = 'completed' and id = any(${free}::uuid[]) and ${isSettled(settledBefore)}`,
      )
    } catch (error) {
      return {
        outdated,
        failure: new Error('outdated files could not be removed', { cause: error }),
      }
    }
  }
  return { outdated, failure: null }
}

/** Retires uploads and lists their objects for deletion, in one statement. */
async function retire(db: Kysely<Database>, at: Date, isDue: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql`
    with due as (
      select id from upload_session where ${isDue} limit ${BATCH_SIZE} for update skip locked
    ), retired as (
      update upload_session set state = 'removed' from due where upload_session.id = due.id
      returning upload_session.key
    )
    insert into object_removal (key, until) select key, ${at} from retired returning key`.execute(db)
  return rows.length
}

/** Deletes the listed objects. Returns how many of them are done; the others can still be posted again. */
async function removeObjects({ db, store, now }: Sweep): Promise<number> {
  return db.transaction().execute(async trx => {
    const at = now()
    const due = await trx
      .selectFrom('object_removal')
      .select(['key', 'until'])
      .orderBy('until')
      .limit(BATCH_SIZE)
      .forUpdate()
      .skipLocked()
      .execute()
    await store.delete(due.map(({ key }) => key))
    const done = due.filter(({ until }) => until <= at).map(({ key }) => key)
    if (done.length > 0) await trx.deleteFrom('object_removal').where('key', 'in', done).execute()
    return done.length
  })
}

/**
 * Deletes orphans on one page of the walk through all objects: objects older than a day without an upload. An
 * example is an object that arrived after its upload was retired.
 */
async function removeOrphans({ db, store, now }: Sweep): Promise<number> {
  return db.transaction().execute(async trx => {
    const walk = await trx
      .selectFrom('orphan_walk')
      .select('after')
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    // Another process holds the walk.
    if (walk === undefined) return 0
    const { objects, next } = await store.list(KEY_PREFIX, {
      after: walk.after ?? undefined,
      limit: BATCH_SIZE,
    })
    const yesterday = now().getTime() - DAY_MS
    const old = objects.filter(({ modifiedAt }) => modifiedAt.getTime() < yesterday).map(({ key }) => key)
    const wanted =
      old.length === 0
        ? []
        : await trx
            .selectFrom('upload_session')
            .select('key')
            .where('key', 'in', old)
            .where('state', '<>', 'removed')
            .execute()
    const known = new Set(wanted.map(({ key }) => key))
    const orphans = old.filter(key => !known.has(key))
    await store.delete(orphans)
    await trx.updateTable('orphan_walk').set({ after: next }).execute()
    return orphans.length
  })
}
