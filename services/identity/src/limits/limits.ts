import { type RawBuilder, sql } from 'kysely'
import type { Cipher } from '../crypto/cipher.ts'
import type { Db, Trx } from '../database.ts'
import { type ErrorType, IdentityError } from '../errors.ts'
import { networkOf } from './network-of.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Tries a minute from one network address (D-17). */
const perNetwork = {
  signIn: 30,
  signUp: 30,
  sendMail: 30,
  search: 30,
  token: 60,
  oauth: 60,
  strength: 120,
} as const

export type Limited = keyof typeof perNetwork

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
/** Milliseconds between mails after those. A link is good for as long at least, so one always works. */
const MAIL_SPACING_MS = 5 * MINUTE_MS

interface Source {
  readonly ipAddress: string
}

export interface SignInTry extends Source {
  /** Mail address of the account that is tried, whether or not the account exists. */
  readonly accountKey: string
  /** What the browser shows of its sign-ins before; null if it shows nothing. */
  readonly browser: string | null
}

/** What a sign-in must know of the account to be counted. */
export interface KnownOrigin {
  readonly isKnownBrowser: boolean
  readonly isKnownNetwork: boolean
}

export interface Limits {
  /**
   * Counts a try and throws `too_many_requests` for one too many. The count is made before the work it
   * stands for, in one statement, so that tries at the same moment cannot pass together.
   *
   * @param beside what the work needs to know first, read in the same statement: a select of one row
   *   at most, which is answered as JSON has it, or null
   */
  take<Row = null>(what: Limited, source: Source, beside?: RawBuilder<Row>): Promise<Row | null>
  /**
   * Counts a sign-in by password, as `take` does. Throws `user_lock_limit_reached` if the account was
   * tried too often from this network, or from all networks that it does not know. A browser that
   * signed in before has a count of its own, so that no stranger keeps it out.
   *
   * @param account selects the account, or no row
   */
  takeSignIn<Row extends KnownOrigin>(tried: SignInTry, account: RawBuilder<Row>): Promise<Row | null>
  /** Counts a try of a code; false for one too many from this network. */
  mayTryCode(methodId: string, source: Source): Promise<boolean>
  /** Counts a new account, as part of a change. Throws `too_many_requests` for one too many an hour. */
  takeNewAccount(trx: Trx, source: Source, now: Date): Promise<void>
  /** Forgets the sign-ins of an account from this network, and the tries of strangers. */
  forgive(on: Db | Trx, tried: Omit<SignInTry, 'browser'>): Promise<void>
  /** The statements that forget them, in their order, for others to make part of theirs. */
  forgiving(tried: Omit<SignInTry, 'browser'>): readonly RawBuilder<unknown>[]
  /** Whether this is the first of its kind within a minute, as part of a change. */
  isFirst(trx: Trx, bucket: string, now: Date): Promise<boolean>
  /** Counts a mail of one purpose to one address, as part of a change; false for one too many. */
  mayMail(trx: Trx, bucket: string, now: Date): Promise<boolean>
}

export function createLimits({
  db,
  cipher,
  now,
  newAccountsPerHour,
}: {
  readonly db: Db
  readonly cipher: Cipher
  readonly now: () => Date
  /** From one network address. */
  readonly newAccountsPerHour: number
}): Limits {
  const name = (bucket: string) => cipher.digest(bucket, 'limit')
  const networkBucket = (what: string, { ipAddress }: Source) => `${what} network ${networkOf(ipAddress)}`
  const accountBucket = (key: string) => `signIn account ${key}`
  const pairBucket = ({ accountKey, ipAddress }: Omit<SignInTry, 'browser'>) =>
    `signIn account ${accountKey} network ${networkOf(ipAddress)}`

  /** Counts one try; `condition` decides whether at all. A count is null where it was not made. */
  const counting = (bucket: string, at: Date, condition = sql``, windowMs = MINUTE_MS) => {
    const endsAt = new Date(at.getTime() + windowMs)
    // One that ends far later than a new one would is of a clock that was set back since. Not one that
    // ends a little later: tries at once reach the database in another order than they read the clock.
    const farOff = new Date(endsAt.getTime() + MINUTE_MS)
    const isOver = sql`known.window_ends_at <= ${at} or known.window_ends_at > ${farOff}`
    return sql<Count>`
      insert into attempt as known (bucket, count, window_ends_at)
      select ${name(bucket)}::bytea, 1, ${endsAt}::timestamptz ${condition}
      on conflict (bucket) do update set
        count = case when ${isOver} then 1 else known.count + 1 end,
        window_ends_at = case when ${isOver} then ${endsAt} else known.window_ends_at end
      returning count, window_ends_at`
  }

  const countOne = async (on: Db | Trx, bucket: string, at: Date, windowMs = MINUTE_MS) =>
    (await counting(bucket, at, sql``, windowMs).execute(on)).rows[0]!

  function refuse(count: number, limit: number, endsAt: Date, error: ErrorType, at: Date): void {
    if (count <= limit) return
    const retryAfterS = Math.max(1, Math.ceil((endsAt.getTime() - at.getTime()) / 1_000))
    throw new IdentityError(error, { retryAfterS })
  }

  // In the order in which a sign-in counts them, so that the two never wait for each other.
  const forgiving = (tried: Omit<SignInTry, 'browser'>) =>
    [pairBucket(tried), accountBucket(tried.accountKey)].map(
      bucket => sql`delete from attempt where bucket = ${name(bucket)}`,
    )

  return {
    async take<Row>(what: Limited, source: Source, beside?: RawBuilder<Row>) {
      const at = now()
      const { rows } = await sql<Count & { readonly beside: Row | null }>`
        with network as (${counting(networkBucket(what, source), at)})
        select network.count, network.window_ends_at,
          (select to_json(beside) from (${beside ?? sql`select where false`}) as beside) as beside
        from network`.execute(db)
      const { count, window_ends_at, beside: found } = rows[0]!
      refuse(count, perNetwork[what], window_ends_at, 'too_many_requests', at)
      return found
    },
    async takeSignIn<Row extends KnownOrigin>(tried: SignInTry, account: RawBuilder<Row>) {
      const at = now()
      // A secret that the account does not know is never counted: a client can invent any number.
      const ownBucket = `signIn account ${tried.accountKey} browser ${tried.browser}`
      const isKnownBrowser = sql`exists (select from found where "isKnownBrowser")`
      const isKnownNetwork = sql`exists (select from found where "isKnownNetwork")`
      const { rows } = await sql<SignInCounts<Row>>`
        with found as materialized (${account}),
          browser as (${counting(ownBucket, at, sql`where ${isKnownBrowser}`)}),
          network as (${counting(networkBucket('signIn', tried), at, sql`where not ${isKnownBrowser}`)}),
          -- What a network is refused does not count against the account it was aimed at.
          pair as (${counting(pairBucket(tried), at, sql`from network where network.count <= ${perNetwork.signIn}`)}),
          strangers as (${counting(
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
      check(network, perNetwork.signIn, 'too_many_requests')
      check(pair, PER_ACCOUNT_AND_NETWORK, 'user_lock_limit_reached')
      check(strangers, PER_ACCOUNT, 'user_lock_limit_reached')
      return found
    },
    async mayTryCode(methodId, source) {
      const bucket = networkBucket(`code ${methodId}`, source)
      return (await countOne(db, bucket, now(), HOUR_MS)).count <= PER_CODE_AND_NETWORK
    },
    async takeNewAccount(trx, source, at) {
      const { count, window_ends_at } = await countOne(trx, networkBucket('newAccount', source), at, HOUR_MS)
      refuse(count, newAccountsPerHour, window_ends_at, 'too_many_requests', at)
    },
    async forgive(on, tried) {
      for (const statement of forgiving(tried)) await statement.execute(on)
    },
    forgiving,
    async isFirst(trx, bucket, at) {
      return (await countOne(trx, bucket, at)).count === 1
    },
    async mayMail(trx, bucket, at) {
      if ((await countOne(trx, `${bucket} hour`, at, HOUR_MS)).count <= MAILS_AN_HOUR) return true
      return (await countOne(trx, `${bucket} spaced`, at, MAIL_SPACING_MS)).count === 1
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
