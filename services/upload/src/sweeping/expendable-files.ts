import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../database.ts'

/** Quotas of completed files, in bytes. Beyond a quota the oldest files are deleted first. */
export interface Quotas {
  readonly account: number
  readonly network: number
  /** Quota of all accounts together; null for no quota. */
  readonly total: number | null
}

/** A completed upload whose file may be deleted. */
export interface Expendable {
  readonly id: string
  readonly completedAt: Date
}

export interface ExpendableQuery {
  readonly completedBefore: Date
  readonly settledBefore: Date
  readonly quotas: Quotas | undefined
  /** Last item of the page before; null for the first page. */
  readonly after: Expendable | null
  readonly limit: number
}

/**
 * Finds completed uploads, oldest first, that were stored for their time or are over a quota: newer files
 * alone fill the quota. It leaves out uploads that were completed or requested by ingest after
 * `settledBefore`, because their ingest may be about to start.
 */
export async function findExpendable(
  db: Kysely<Database>,
  { completedBefore, settledBefore, quotas, after, limit }: ExpendableQuery,
): Promise<Expendable[]> {
  const { rows } = await sql<{ id: string; completed_at: Date }>`
    with over as (${quotas === undefined ? nothing : overQuotas(quotas)})
    select id, completed_at from upload_session
    where state = 'completed' and (completed_at < ${completedBefore} or id in (select id from over))
      and ${isSettled(settledBefore)}
      ${after === null ? sql`` : sql`and (completed_at, id) > (${after.completedAt}, ${after.id}::uuid)`}
    order by completed_at, id limit ${limit}`.execute(db)
  return rows.map(row => ({ id: row.id, completedAt: row.completed_at }))
}

/** SQL: whether an upload was completed, and last requested by ingest, before this time. */
export function isSettled(before: Date): RawBuilder<unknown> {
  return sql`completed_at < ${before} and (asked_at is null or asked_at < ${before})`
}

const nothing = sql`select null::uuid as id where false`

function overQuotas({ account, network, total }: Quotas): RawBuilder<unknown> {
  return sql`${overQuota('user_id', account)} union ${overQuota('network', network)}
    ${total === null ? sql`` : sql`union ${overTotal(total)}`}`
}

/** SQL: the files over the quota of a group. It ranks only the few groups that are over their quota. */
function overQuota(column: 'user_id' | 'network', quota: number): RawBuilder<unknown> {
  const group = sql.ref(column)
  return sql`(select id from (
    select id, sum(size) over (partition by ${group} order by completed_at desc, id desc) as up_to
    from upload_session
    where state = 'completed' and ${group} in (
      select ${group} from upload_session where state = 'completed' and ${group} is not null
      group by ${group} having sum(size) > ${quota}
    )
  ) ranked where up_to > ${quota})`
}

function overTotal(quota: number): RawBuilder<unknown> {
  return sql`(select id from (
    select id, sum(size) over (order by completed_at desc, id desc) as up_to
    from upload_session where state = 'completed'
  ) ranked where up_to > ${quota})`
}
