import { type RawBuilder, sql } from 'kysely'
import type { Cipher } from '../crypto/cipher.ts'
import type { Db, Trx } from '../database.ts'
import { type ErrorType, IdentityError } from '../errors.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS

/** Requests counted in the current window of a bucket, the last one included. */
export interface Count {
  readonly count: number
  readonly window_ends_at: Date
}

interface CountOptions {
  /** Rest of a select. Counts only if it gives a row. */
  readonly condition?: RawBuilder<unknown>
  /** Milliseconds; a minute if left out. */
  readonly windowMs?: number
}

/** Counts requests in windows of time. The table holds digests of the buckets alone. */
export interface Counter {
  /** Returns a statement that counts one request. It returns a row, or none if `condition` gives none. */
  statement(bucket: string, at: Date, options?: CountOptions): RawBuilder<Count>
  count(on: Db | Trx, bucket: string, at: Date, windowMs?: number): Promise<Count>
  /** Returns the requests counted in the current window of a bucket. Counts none itself. */
  read(on: Db | Trx, bucket: string, at: Date): Promise<number>
  /** Returns a statement that deletes the count of a bucket. */
  clearStatement(bucket: string): RawBuilder<unknown>
}

export function createCounter(cipher: Cipher): Counter {
  const digestOf = (bucket: string) => cipher.digest(bucket, 'limit')

  const statement: Counter['statement'] = (bucket, at, { condition = sql``, windowMs = MINUTE_MS } = {}) => {
    const endsAt = new Date(at.getTime() + windowMs)
    // A window that ends far later than a new one means that a clock was set back. A little later is
    // normal: concurrent tries reach the database in another order than they read the clock.
    const farOff = new Date(endsAt.getTime() + MINUTE_MS)
    const isOver = sql`known.window_ends_at <= ${at} or known.window_ends_at > ${farOff}`
    return sql<Count>`
      insert into attempt as known (bucket, count, window_ends_at)
      select ${digestOf(bucket)}::bytea, 1, ${endsAt}::timestamptz ${condition}
      on conflict (bucket) do update set
        count = case when ${isOver} then 1 else known.count + 1 end,
        window_ends_at = case when ${isOver} then ${endsAt} else known.window_ends_at end
      returning count, window_ends_at`
  }

  return {
    statement,
    async count(on, bucket, at, windowMs = MINUTE_MS) {
      return (await statement(bucket, at, { windowMs }).execute(on)).rows[0]!
    },
    async read(on, bucket, at) {
      const row = await on
        .selectFrom('attempt')
        .select('count')
        .where('bucket', '=', digestOf(bucket))
        .where('window_ends_at', '>', at)
        .executeTakeFirst()
      return row?.count ?? 0
    },
    clearStatement: bucket => sql`delete from attempt where bucket = ${digestOf(bucket)}`,
  }
}

/** Throws `error` with the seconds until the window ends, if the count is above the limit. */
export function refuseAbove(
  limit: number,
  { count, window_ends_at }: Count,
  error: ErrorType,
  at: Date,
): void {
  if (count <= limit) return
  const leftMs = new Date(window_ends_at).getTime() - at.getTime()
  throw new IdentityError(error, { retryAfterS: Math.max(1, Math.ceil(leftMs / 1_000)) })
}
