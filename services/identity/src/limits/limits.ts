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

interface Tried {
  readonly ipAddress: string
  /** Of the account that is tried, where the rule counts those. */
  readonly accountKey?: string
}

export interface Limits {
  /**
   * Counts a try and throws where it is one too many. The count is made before the work it stands
   * for, in one statement, so that tries at the same moment cannot pass together.
   *
   * @param beside what the work needs to know first, read in the same statement: a select of one row
   *   at most, which is answered as JSON has it, or null
   */
  take<Row = null>(what: Limited, tried: Tried, beside?: RawBuilder<Row>): Promise<Row | null>
  /** Forgets an account's tries, after one of them was right or its password was reset. */
  forgive(on: Db | Trx, accountKey: string): Promise<void>
  /** The statement that does, for others to make part of theirs. */
  forgiving(accountKey: string): RawBuilder<unknown>
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

  function refuse(count: number, limit: number, endsAt: Date, error: ErrorType, at: Date): void {
    if (count <= limit) return
    const retryAfterS = Math.max(1, Math.ceil((endsAt.getTime() - at.getTime()) / 1_000))
    throw new IdentityError(error, { retryAfterS })
  }

  const forgiving = (accountKey: string) =>
    sql`delete from attempt where bucket = ${name(accountBucket(accountKey))}`

  return {
    async take<Row>(what: Limited, { ipAddress, accountKey }: Tried, beside?: RawBuilder<Row>) {
      const rule: Rule = rules[what]
      const at = now()
      const network = counting(`${what} network ${networkOf(ipAddress)}`, at, sql``)
      // What a network is refused does not count against the account it was aimed at.
      const within = sql`from network where network.count <= ${rule.network}`
      const account =
        accountKey === undefined
          ? sql`select null::int as count, null::timestamptz as window_ends_at where false`
          : counting(accountBucket(accountKey), at, within)
      const { rows } = await sql<Counts<Row>>`
        with network as (${network}), account as (${account})
        select network.count as network_count, network.window_ends_at as network_ends_at,
          account.count as account_count, account.window_ends_at as account_ends_at,
          (select to_json(beside) from (${beside ?? sql`select where false`}) as beside) as beside
        from network left join account on true`.execute(db)
      const counts = rows[0]!
      refuse(counts.network_count, rule.network, counts.network_ends_at, 'too_many_requests', at)
      if (rule.account !== undefined && counts.account_count !== null) {
        refuse(counts.account_count, rule.account, counts.account_ends_at!, 'user_lock_limit_reached', at)
      }
      return counts.beside
    },
    async forgive(on, accountKey) {
      await forgiving(accountKey).execute(on)
    },
    forgiving,
    async isFirst(trx, bucket, at) {
      const { rows } = await sql<{ count: number }>`${counting(bucket, at, sql``)}`.execute(trx)
      return rows[0]!.count === 1
    },
  }
}

interface Counts<Row> {
  readonly network_count: number
  readonly network_ends_at: Date
  readonly account_count: number | null
  readonly account_ends_at: Date | null
  readonly beside: Row | null
}
