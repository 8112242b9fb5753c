import type { ObjectStore } from '@lapwing/object-store'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { FindJudged } from '../clients/ingest-client.ts'
import type { Database } from '../database.ts'
import { KEY_PREFIX } from '../uploads/upload-limits.ts'

import { type Expendable, findExpendable, isSettled, type KeptBounds } from './kept-files.ts'

export interface Sweep {
  readonly db: Kysely<Database>
  readonly store: Pick<ObjectStore, 'list' | 'delete'>
  readonly now: () => Date
  readonly keepDays: number
  /** Without it files are kept for their time, however many they are. */
  readonly bounds?: KeptBounds | undefined
  /** Without it no file is judged anywhere. */
  readonly findJudged?: FindJudged | undefined
}

/** What one sweep did, in sessions and objects. */
export interface Swept {
  readonly abandoned: number
  /** Kept for their time, or over a bound. */
  readonly outdated: number
  readonly objects: number
  readonly orphans: number
}

/**
 * Takes away what nobody needs any more. Each step is a few bounded transactions that several
 * processes may run at once: they skip what another one holds. Nothing is missed when it stops half
 * way, since what is to go stands in the database until it is gone.
 */
export async function sweep(options: Sweep, isOver: () => boolean = () => false): Promise<Swept> {
  const abandoned = await inBatches(() => retireAbandoned(options), isOver)
  const { outdated, failure } = await retireKept(options, isOver)
  const objects = await inBatches(() => removeObjects(options), isOver)
  const orphans = isOver() ? 0 : await removeOrphans(options)
  // Ingest being away holds up nothing else.
  if (failure !== null) throw failure
  return { abandoned, outdated, objects, orphans }
}

const BATCH_SIZE = 500
const MAX_BATCHES = 20
const MINUTE_MS = 60_000
/** From the end of an upload, or from ingest's question about it, until ingest has surely noted its file. */
const SETTLING_MS = 5 * MINUTE_MS
/** Sessions that ingest is asked about at once. */
const ASKED_AT_ONCE = 200
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

/** Sessions that were not completed half an hour after their form ended. */
function retireAbandoned({ db, now }: Sweep): Promise<number> {
  const at = now()
  return retire(db, at, sql`state = 'open' and expires_at < ${new Date(at.getTime() - 30 * MINUTE_MS)}`)
}

/**
 * Retires sessions whose files were kept for their time, and the oldest ones over a bound. A file that is
 * judged, or may be about to be, stays; if ingest does not say which are judged, all stay until it does.
 */
async function retireKept(
  { db, now, keepDays, bounds, findJudged }: Sweep,
  isOver: () => boolean,
): Promise<{ readonly outdated: number; readonly failure: Error | null }> {
  const at = now()
  const settledBefore = new Date(at.getTime() - SETTLING_MS)
  const keptBefore = new Date(at.getTime() - keepDays * DAY_MS)
  let outdated = 0
  let after: Expendable | null = null
  for (let batch = 0; batch < MAX_BATCHES && !isOver(); batch++) {
    const page = await findExpendable(db, { keptBefore, settledBefore, bounds, after, limit: ASKED_AT_ONCE })
    if (page.length === 0) break
    after = page.at(-1)!
    const ids = page.map(({ id }) => id)
    try {
      const judged = (await findJudged?.(ids)) ?? new Set()
      const free = ids.filter(id => !judged.has(id))
      // Ingest may have asked for one of them meanwhile.
      outdated += await retire(
        db,
        at,
        sql`state = 'completed' and id = any(${free}::uuid[]) and ${isSettled(settledBefore)}`,
      )
    } catch (error) {
      return {
        outdated,
        failure: new Error('files that are not needed any more could not go', { cause: error }),
      }
    }
  }
  return { outdated, failure: null }
}

/** The sessions end and their objects are to go, in one statement. */
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

/** Deletes the objects that must go; answers how many of them are dealt with for good. */
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
 * One page of the walk through all objects: those older than a day that belong to no session go, such
 * as one whose post was slower than its session lived.
 */
async function removeOrphans({ db, store, now }: Sweep): Promise<number> {
  return db.transaction().execute(async trx => {
    const walk = await trx
      .selectFrom('orphan_walk')
      .select('after')
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    // Another process walks.
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
