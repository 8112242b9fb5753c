import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../database.ts'

/** Bytes of completed files that are kept; beyond them the oldest go first. */
export interface KeptBounds {
  readonly account: number
  readonly network: number
  /** Of all accounts together; null if it is not bounded. */
  readonly total: number | null
}

/** A completed session whose file may go. */
export interface Expendable {
  readonly id: string
  readonly completedAt: Date
}

export interface ExpendableQuery {
  readonly keptBefore: Date
  readonly settledBefore: Date
  readonly bounds: KeptBounds | undefined
  /** The last one of the page before; null for the first page. */
  readonly after: Expendable | null
  readonly limit: number
}

/**
 * Finds completed sessions, oldest first, that were kept for their time or lie over a bound: newer files
 * alone fill it. Sessions that were completed, or that ingest asked for, after `settledBefore` are left out:
 * their judgement may be about to begin.
 */
export async function findExpendable(
  db: Kysely<Database>,
  { keptBefore, settledBefore, bounds, after, limit }: ExpendableQuery,
): Promise<Expendable[]> {
  const { rows } = await sql<{ id: string; completed_at: Date }>`
    with over as (${bounds === undefined ? nothing : overBounds(bounds)})
    select id, completed_at from upload_session
    where state = 'completed' and (completed_at < ${keptBefore} or id in (select id from over))
      and ${isSettled(settledBefore)}
      ${after === null ? sql`` : sql`and (completed_at, id) > (${after.completedAt}, ${after.id}::uuid)`}
    order by completed_at, id limit ${limit}`.execute(db)
  return rows.map(row => ({ id: row.id, completedAt: row.completed_at }))
}

/** Whether nobody has just completed a session, nor asked for it. */
export function isSettled(before: Date): RawBuilder<unknown> {
  return sql`completed_at < ${before} and (asked_at is null or asked_at < ${before})`
}

const nothing = sql`select null::uuid as id where false`

function overBounds({ account, network, total }: KeptBounds): RawBuilder<unknown> {
  return sql`${overBound('user_id', account)} union ${overBound('network', network)}
    ${total === null ? sql`` : sql`union ${overTotal(total)}`}`
}

/** Only groups that are over the bound are ranked: most are not. */
function overBound(column: 'user_id' | 'network', bound: number): RawBuilder<unknown> {
  const group = sql.ref(column)
  return sql`(select id from (
    select id, sum(size) over (partition by ${group} order by completed_at desc, id desc) as up_to
    from upload_session
    where state = 'completed' and ${group} in (
      select ${group} from upload_session where state = 'completed' and ${group} is not null
      group by ${group} having sum(size) > ${bound}
    )
  ) ranked where up_to > ${bound})`
}

function overTotal(bound: number): RawBuilder<unknown> {
  return sql`(select id from (
    select id, sum(size) over (order by completed_at desc, id desc) as up_to
    from upload_session where state = 'completed'
  ) ranked where up_to > ${bound})`
}
