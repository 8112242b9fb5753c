import { type RawBuilder, sql } from 'kysely'
import type { Cipher } from '../crypto/cipher.ts'
import type { Db, Trx } from '../database.ts'
import { type ErrorType, IdentityError } from '../errors.ts'
import { networkOf } from './network-of.ts'

interface Rule {
  /** Tries a minute for one account, by its mail address, whether or not anybody has it. */
  readonly account?: number
  /** Tries a minute from one network address. */
  readonly network: number
}

/** What may be tried how often in a minute (D-17). */
const rules = {
  signIn: { account: 10, network: 30 },
  signUp: { network: 30 },
  sendMail: { network: 30 },
  search: { network: 30 },
  token: { network: 60 },
  oauth: { network: 60 },
  strength: { network: 120 },
} as const satisfies Readonly<Record<string, Rule>>

export type Limited = keyof typeof rules

export interface Limits {
  /**
   * Counts a try and throws where it is one too many. The count is made before the work it stands
   * for, in one statement, so that tries at the same moment cannot pass together.
   */
  take(what: Limited, tried: { readonly ipAddress: string; readonly accountKey?: string }): Promise<void>
  /** Forgets an account's tries, after one of them was right or its password was reset. */
  forgive(on: Db | Trx, accountKey: string): Promise<void>
  /** Whether this is the first of its kind within a minute, as part of a change. */
  isFirst(trx: Trx, bucket: string, now: Date): Promise<boolean>
}

const windowMs = 60_000

export function createLimits({ db, cipher, now }: { db: Db; cipher: Cipher; now: () => Date }): Limits {
  const name = (bucket: string) => cipher.digest(bucket, 'limit')
  const accountBucket = (key: string) => `signIn account ${key}`

  /** Counts one try; `condition` decides whether at all. A count is null where it was not made. */
  const counting = (bucket: string, at: Date, condition: RawBuilder<unknown>) => {
    const endsAt = new Date(at.getTime() + windowMs)
    // One that ends far later than a new one would is of a clock that was set back since. Not one that
    // ends a little later: tries at once reach the database in another order than they read the clock.
    const farOff = new Date(endsAt.getTime() + windowMs)
    const isOver = sql`known.window_ends_at <= ${at} or known.window_ends_at > ${farOff}`
    return sql`
      insert into attempt as known (bucket, count, window_ends_at)
      select ${name(bucket)}::bytea, 1, ${endsAt}::timestamptz ${condition}
      on conflict (bucket) do update set
        count = case when ${isOver} then 1 else known.count + 1 end,
        window_ends_at = case when ${isOver} then ${endsAt} else known.window_ends_at end
      returning count, window_ends_at`
  }

  function refuse(counted: Counted, limit: number, error: ErrorType, at: Date): void {
    if (counted.count <= limit) return
    const retryAfterS = Math.max(1, Math.ceil((counted.window_ends_at.getTime() - at.getTime()) / 1_000))
    throw new IdentityError(error, { retryAfterS })
  }

  return {
    async take(what, { ipAddress, accountKey }) {
      const rule: Rule = rules[what]
      const at = now()
      const network = counting(`${what} network ${networkOf(ipAddress)}`, at, sql``)
      if (rule.account === undefined || accountKey === undefined) {
        const { rows } = await sql<Counted>`${network}`.execute(db)
        refuse(rows[0]!, rule.network, 'too_many_requests', at)
        return
      }
      // What a network is refused does not count against the account it was aimed at.
      const account = counting(
        accountBucket(accountKey),
        at,
        sql`from network where network.count <= ${rule.network}`,
      )
      const { rows } = await sql<Counted & { readonly of: 'network' | 'account' }>`
        with network as (${network}), account as (${account})
        select 'network' as of, count, window_ends_at from network
        union all select 'account', count, window_ends_at from account`.execute(db)
      for (const row of rows) {
        if (row.of === 'network') refuse(row, rule.network, 'too_many_requests', at)
        else refuse(row, rule.account, 'user_lock_limit_reached', at)
      }
    },
    async forgive(on, accountKey) {
      await on
        .deleteFrom('attempt')
        .where('bucket', '=', name(accountBucket(accountKey)))
        .execute()
    },
    async isFirst(trx, bucket, at) {
      const { rows } = await sql<Counted>`${counting(bucket, at, sql``)}`.execute(trx)
      return rows[0]!.count === 1
    },
  }
}

interface Counted {
  readonly count: number
  readonly window_ends_at: Date
}
