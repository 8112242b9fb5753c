import { sql } from 'kysely'
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
  forgive(accountKey: string): Promise<void>
  /** Whether this is the first of its kind within a minute, as part of a change. */
  isFirst(trx: Trx, bucket: string, now: Date): Promise<boolean>
}

const windowMs = 60_000

export function createLimits({ db, cipher, now }: { db: Db; cipher: Cipher; now: () => Date }): Limits {
  const name = (bucket: string) => cipher.digest(bucket, 'limit')
  const accountBucket = (key: string) => `signIn account ${key}`

  async function count(on: Db | Trx, bucket: string, at: Date): Promise<{ count: number; endsAt: Date }> {
    const endsAt = new Date(at.getTime() + windowMs)
    // A window that ends later than a new one would is of a clock that was set back since.
    const { rows } = await sql<{ count: number; window_ends_at: Date }>`
      insert into attempt as known (bucket, count, window_ends_at) values (${name(bucket)}, 1, ${endsAt})
      on conflict (bucket) do update set
        count = case when known.window_ends_at <= ${at} or known.window_ends_at > ${endsAt}
          then 1 else known.count + 1 end,
        window_ends_at = case when known.window_ends_at <= ${at} or known.window_ends_at > ${endsAt}
          then ${endsAt} else known.window_ends_at end
      returning count, window_ends_at`.execute(on)
    return { count: rows[0]!.count, endsAt: rows[0]!.window_ends_at }
  }

  async function takeFrom(bucket: string, limit: number, error: ErrorType): Promise<void> {
    const at = now()
    const taken = await count(db, bucket, at)
    if (taken.count <= limit) return
    const retryAfterS = Math.max(1, Math.ceil((taken.endsAt.getTime() - at.getTime()) / 1_000))
    throw new IdentityError(error, { retryAfterS })
  }

  return {
    async take(what, { ipAddress, accountKey }) {
      const rule: Rule = rules[what]
      // The network first: what it is refused does not count against the account it was aimed at.
      await takeFrom(`${what} network ${networkOf(ipAddress)}`, rule.network, 'too_many_requests')
      if (rule.account !== undefined && accountKey !== undefined) {
        await takeFrom(accountBucket(accountKey), rule.account, 'user_lock_limit_reached')
      }
    },
    async forgive(accountKey) {
      await db
        .deleteFrom('attempt')
        .where('bucket', '=', name(accountBucket(accountKey)))
        .execute()
    },
    isFirst: async (trx, bucket, at) => (await count(trx, bucket, at)).count === 1,
  }
}
