import { type RawBuilder, sql } from 'kysely'
import type { Cipher } from '../crypto/cipher.ts'
import type { Db, Trx } from '../database.ts'
import { type ErrorType, IdentityError } from '../errors.ts'
import { networkOf } from './network-of.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Tries a minute from one network (D-17). */
const PER_NETWORK = {
  signIn: 30,
  signUp: 30,
  sendMail: 30,
  search: 30,
  token: 60,
  oauth: 60,
  strength: 120,
} as const

export type Limited = keyof typeof PER_NETWORK

/** Sign-ins a minute for one account from one network (D-17). */
const PER_ACCOUNT_AND_NETWORK = 10
/** Sign-ins a minute for one account from all networks that never signed in to it before. */
const PER_ACCOUNT = 30
/** Sign-ins a minute for one account from a browser that signed in to it before. */
const PER_KNOWN_BROWSER = 30
/** Tries of one code from one network. */
const PER_CODE_AND_NETWORK = 5
/** Mails an hour of one purpose to one address. */
const MAILS_AN_HOUR = 10
/** Milliseconds between mails after those. A link lives at least as long, so that one always works. */
const MAIL_SPACING_MS = 5 * MINUTE_MS

interface Source {
  readonly ipAddress: string
}

export interface SignInTry extends Source {
  /** Key of the mail address, whether or not an account has it. */
  readonly accountKey: string
  /** Secret of the browser's cookie; null without one. */
  readonly browser: string | null
}

/** Whether the account knows the origin of a sign-in. */
export interface KnownOrigin {
  readonly isKnownBrowser: boolean
  readonly isKnownNetwork: boolean
}

export interface Limits {
  /**
   * Counts a try. Throws `too_many_requests` above the limit. Call it before the work that it limits. One
   * statement counts, so that concurrent tries cannot pass together.
   *
   * @param beside a select of one row at most, run in the same statement
   * @returns that row as JSON; null without one
   */
  count<Row = null>(what: Limited, source: Source, beside?: RawBuilder<Row>): Promise<Row | null>
  /**
   * Counts a sign-in by password, like `count`. Throws `user_lock_limit_reached` after too many tries of the
   * account from this network, or from all networks that it does not know. A browser that signed in before
   * has a count of its own, so that no stranger can lock it out.
   *
   * @param account selects the account, or no row
   */
  countSignIn<Row extends KnownOrigin>(tried: SignInTry, account: RawBuilder<Row>): Promise<Row | null>
  /** Counts a try of a code. Returns false above the limit of this network. */
  countCodeTry(methodId: string, source: Source): Promise<boolean>
  /** Counts a new account, as part of a change. Throws `too_many_requests` above the limit of an hour. */
  countNewAccount(trx: Trx, source: Source, now: Date): Promise<void>
  /** Deletes the counts of an account: of this network, and of all strangers together. */
  clearSignIns(on: Db | Trx, tried: Omit<SignInTry, 'browser'>): Promise<void>
  /** Returns the statements of `clearSignIns`, in order, for use in a larger statement. */
  clearSignInStatements(tried: Omit<SignInTry, 'browser'>): readonly RawBuilder<unknown>[]
  /** Returns whether this is the first count of the bucket within a minute, as part of a change. */
  isFirst(trx: Trx, bucket: string, now: Date): Promise<boolean>
  /** Counts a mail of one purpose to one address, as part of a change. Returns false above the limit. */
  countMail(trx: Trx, bucket: string, now: Date): Promise<boolean>
}

/** @param options.newAccountsPerHour from one network */
export function createLimits(options: {
  readonly db: Db
  readonly cipher: Cipher
  readonly now: () => Date
  readonly newAccountsPerHour: number
}): Limits {
  const { db, cipher, now, newAccountsPerHour } = options
  const digestOf = (bucket: string) => cipher.digest(bucket, 'limit')
  const networkBucket = (what: string, { ipAddress }: Source) => `${what} network ${networkOf(ipAddress)}`
  const accountBucket = (key: string) => `signIn account ${key}`
  const pairBucket = ({ accountKey, ipAddress }: Omit<SignInTry, 'browser'>) =>
    `signIn account ${accountKey} network ${networkOf(ipAddress)}`

  /** Returns a statement that counts one try if `condition` holds. Otherwise it returns no row. */
  const countStatement = (bucket: string, at: Date, condition = sql``, windowMs = MINUTE_MS) => {
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

  const countIn = async (on: Db | Trx, bucket: string, at: Date, windowMs = MINUTE_MS) =>
    (await countStatement(bucket, at, sql``, windowMs).execute(on)).rows[0]!

  function refuse(count: number, limit: number, endsAt: Date, error: ErrorType, at: Date): void {
    if (count <= limit) return
    const retryAfterS = Math.max(1, Math.ceil((endsAt.getTime() - at.getTime()) / 1_000))
    throw new IdentityError(error, { retryAfterS })
  }

  // In the order in which a sign-in counts them, to prevent deadlocks.
  const clearSignInStatements = (tried: Omit<SignInTry, 'browser'>) =>
    [pairBucket(tried), accountBucket(tried.accountKey)].map(
      bucket => sql`delete from attempt where bucket = ${digestOf(bucket)}`,
    )

  return {
    async count<Row>(what: Limited, source: Source, beside?: RawBuilder<Row>) {
      const at = now()
      const { rows } = await sql<Count & { readonly beside: Row | null }>`
        with network as (${countStatement(networkBucket(what, source), at)})
        select network.count, network.window_ends_at,
          (select to_json(beside) from (${beside ?? sql`select where false`}) as beside) as beside
        from network`.execute(db)
      const { count, window_ends_at, beside: found } = rows[0]!
      refuse(count, PER_NETWORK[what], window_ends_at, 'too_many_requests', at)
      return found
    },
    async countSignIn<Row extends KnownOrigin>(tried: SignInTry, account: RawBuilder<Row>) {
      const at = now()
      // An unknown secret has no count of its own: a client could invent any number.
      const ownBucket = `signIn account ${tried.accountKey} browser ${tried.browser}`
      const isKnownBrowser = sql`exists (select from found where "isKnownBrowser")`
      const isKnownNetwork = sql`exists (select from found where "isKnownNetwork")`
      const { rows } = await sql<SignInCounts<Row>>`
        with found as materialized (${account}),
          browser as (${countStatement(ownBucket, at, sql`where ${isKnownBrowser}`)}),
          network as (${countStatement(networkBucket('signIn', tried), at, sql`where not ${isKnownBrowser}`)}),
          -- A try above the network's limit does not count against its account.
          pair as (${countStatement(pairBucket(tried), at, sql`from network where network.count <= ${PER_NETWORK.signIn}`)}),
          strangers as (${countStatement(
            accountBucket(tried.accountKey),
            at,
            sql`from pair where pair.count <= ${PER_ACCOUNT_AND_NETWORK} and not ${isKnownNetwork}`,
          )})
        select (select to_json(browser) from browser) as browser, (select to_json(network) from network) as network,
          (select to_json(pair) from pair) as pair, (select to_json(strangers) from strangers) as strangers,
          (select to_json(found) from found) as found`.execute(db)
      const { browser, network, pair, strangers, found } = rows[0]!
      const check = (count: Count | null, limit: number, error: ErrorType) => {
        if (count !== null) refuse(count.count, limit, new Date(count.window_ends_at), error, at)
      }
      check(browser, PER_KNOWN_BROWSER, 'user_lock_limit_reached')
      check(network, PER_NETWORK.signIn, 'too_many_requests')
      check(pair, PER_ACCOUNT_AND_NETWORK, 'user_lock_limit_reached')
      check(strangers, PER_ACCOUNT, 'user_lock_limit_reached')
      return found
    },
    async countCodeTry(methodId, source) {
      const bucket = networkBucket(`code ${methodId}`, source)
      return (await countIn(db, bucket, now(), HOUR_MS)).count <= PER_CODE_AND_NETWORK
    },
    async countNewAccount(trx, source, at) {
      const { count, window_ends_at } = await countIn(trx, networkBucket('newAccount', source), at, HOUR_MS)
      refuse(count, newAccountsPerHour, window_ends_at, 'too_many_requests', at)
    },
    async clearSignIns(on, tried) {
      for (const statement of clearSignInStatements(tried)) await statement.execute(on)
    },
    clearSignInStatements,
    async isFirst(trx, bucket, at) {
      return (await countIn(trx, bucket, at)).count === 1
    },
    async countMail(trx, bucket, at) {
      if ((await countIn(trx, `${bucket} hour`, at, HOUR_MS)).count <= MAILS_AN_HOUR) return true
      return (await countIn(trx, `${bucket} spaced`, at, MAIL_SPACING_MS)).count === 1
    },
  }
}

interface Count {
  readonly count: number
  readonly window_ends_at: Date
}

interface SignInCounts<Row> {
  readonly browser: Count | null
  readonly network: Count | null
  readonly pair: Count | null
  readonly strangers: Count | null
  readonly found: Row | null
}
