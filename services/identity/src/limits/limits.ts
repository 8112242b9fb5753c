import { type RawBuilder, sql } from 'kysely'
import type { Cipher } from '../crypto/cipher.ts'
import type { Db, Trx } from '../database.ts'
import type { ErrorType } from '../errors.ts'
import type { TextCosts } from '../texts/config.ts'
import { type Count, createCounter, HOUR_MS, MINUTE_MS, refuseAbove } from './counter.ts'
import { createMailLimits, type MailLimits, type Requester } from './mail-limits.ts'
import { networkOf } from './network-of.ts'
import { createTextLimits, type TextLimits } from './text-limits.ts'

/** Tries a minute from one network, or from one known browser (D-17). */
const PER_NETWORK = {
  signIn: 30,
  signUp: 30,
  sendMail: 30,
  sendText: 20,
  search: 30,
  token: 60,
  oauth: 60,
  attest: 60,
  exchange: 60,
  strength: 120,
  passkey: 60,
  wallet: 60,
  factor: 30,
  organization: 60,
  authorize: 60,
  // One server can serve many people.
  app: 600,
} as const

export type Limited = keyof typeof PER_NETWORK

/** Sign-ins a minute for one account from one network (D-17). */
const PER_ACCOUNT_AND_NETWORK = 10
/** Sign-ins a minute for one account from all networks that never signed in to it before. */
const PER_ACCOUNT = 30
/** Sign-ins a minute for one account from a browser that signed in to it before. */
const PER_KNOWN_BROWSER = 30
/** Milliseconds between its sign-ins after those. So it always gets in, and a stolen cookie guesses slowly. */
const KNOWN_BROWSER_SPACING_MS = 2_000
/** Tries a minute of each known browser that no others on its network can use up. */
const OWN_TRIES = 3
/** Further tries a minute of all known browsers of one network, so that collected cookies start no flood. */
const PER_NETWORK_OF_KNOWN_BROWSERS = 120
/** Tries of one code from one network. */
const PER_CODE_AND_NETWORK = 5
/** Wrong codes of an authenticator app, or recovery codes, from one network or one known browser. */
const PER_SECOND_FACTOR = 5
const SECOND_FACTOR_MS = 15 * MINUTE_MS
/** The same, an hour from all networks that the account does not know. */
const SECOND_FACTOR_STRANGERS = 25
/** Challenges and signatures a minute for one wallet from one network, or from one known browser. */
const PER_WALLET = 20
/** Changes of password an hour while the address of an account is unproved. */
const PER_UNPROVED_ADDRESS = 5

interface Source {
  readonly ipAddress: string
}

/** A client whose account may know its browser. */
export interface Origin extends Source {
  /** Secret of the browser's cookie; null without one. */
  readonly browser: string | null
}

export interface SignInTry extends Origin {
  /** Key of the mail address, whether or not an account has it. */
  readonly accountKey: string
}

/** Whether the account knows the origin of a request. */
export interface KnownOrigin {
  readonly isKnownBrowser: boolean
  readonly isKnownNetwork: boolean
}

export interface Limits extends MailLimits, TextLimits {
  /** Counts a try of a network. Throws `too_many_requests` above the limit. Call it before the work. */
  count(what: Limited, source: Source): Promise<void>
  /**
   * Does the same for a request about one account. A browser that signed in to it before has a count of its
   * own. One statement counts, so that concurrent tries cannot pass together.
   *
   * @param account selects the account, or no row
   * @returns that row as JSON; null without one
   */
  countFor<Row extends KnownOrigin>(
    what: Limited,
    origin: Origin,
    account: RawBuilder<Row>,
  ): Promise<Row | null>
  /** Counts a request for a mail, like `countFor`. Returns its requester. */
  countMailRequest(origin: Origin, account: RawBuilder<KnownOrigin>): Promise<Requester>
  /** Counts a request for a text, like `countFor`. Returns its requester. */
  countTextRequest(origin: Origin, account: RawBuilder<KnownOrigin>): Promise<Requester>
  /**
   * Counts a request about a wallet, like `countFor`, and apart for each wallet. Returns its requester. No
   * stranger can use up the count of another network: a signature cannot be guessed, so nothing else is needed.
   *
   * @param key names the wallet, whether or not an account has it
   */
  countWallet(key: string, origin: Origin, account: RawBuilder<KnownOrigin>): Promise<Requester>
  /**
   * Counts a try of a code or token, like `count`. Never refuses one that exists: no stranger can guess its
   * id, and it has limits of its own.
   *
   * @param existing selects a row if it exists
   */
  countToken(source: Source, existing: RawBuilder<unknown>): Promise<void>
  /**
   * Counts a sign-in by password, like `countFor`. Throws `user_lock_limit_reached` after too many tries of
   * the account from this network, or from all networks that it does not know. A browser that signed in before
   * has a count of its own, so that no stranger can lock it out.
   */
  countSignIn<Row extends KnownOrigin>(tried: SignInTry, account: RawBuilder<Row>): Promise<Row | null>
  /** Counts a try of a code. Returns false above the limit of this network. */
  countCodeTry(methodId: string, source: Source): Promise<boolean>
  /** Returns whether this network can still try a code, as part of a change. */
  hasCodeTry(trx: Trx, methodId: string, source: Source, now: Date): Promise<boolean>
  /**
   * Counts a try of a second factor. Throws `user_lock_limit_reached` after five wrong ones. A known browser and
   * a known network have counts that no stranger can use up, not even one who has the password.
   *
   * @param account selects whether the account knows the origin
   */
  countSecondFactor(userId: string, origin: Origin, account: RawBuilder<KnownOrigin>): Promise<void>
  /** Deletes the counts of this origin after the right code. */
  clearSecondFactor(trx: Trx, userId: string, origin: Origin): Promise<void>
  /** Counts a new account, as part of a change. Throws `too_many_requests` above the limit of an hour. */
  countNewAccount(trx: Trx, source: Source, now: Date): Promise<void>
  /**
   * Counts a change of password by a person whose address is unproved, as part of a change. Throws
   * `too_many_requests` above the limit of an hour.
   */
  countUnprovedChange(trx: Trx, addressKey: string, now: Date): Promise<void>
  /** Deletes the counts of an account: of this network, and of all strangers together. */
  clearSignIns(on: Db | Trx, tried: Omit<SignInTry, 'browser'>): Promise<void>
  /** Returns the statements of `clearSignIns`, in order, for use in a larger statement. */
  clearSignInStatements(tried: Omit<SignInTry, 'browser'>): readonly RawBuilder<unknown>[]
  /** Returns whether this is the first count of the bucket in a window, a minute by default, as part of a change. */
  isFirst(trx: Trx, bucket: string, now: Date, windowMs?: number): Promise<boolean>
}

/**
 * @param options.newAccountsPerHour from one network
 * @param options.texts limits of texts
 */
export function createLimits(options: {
  readonly db: Db
  readonly cipher: Cipher
  readonly now: () => Date
  readonly newAccountsPerHour: number
  readonly texts: TextCosts
}): Limits {
  const { db, cipher, now, newAccountsPerHour, texts } = options
  const counter = createCounter(cipher)
  const networkBucket = (what: string, { ipAddress }: Source) => `${what} network ${networkOf(ipAddress)}`
  const codeBucket = (methodId: string, source: Source) => networkBucket(`code ${methodId}`, source)
  const accountBucket = (key: string) => `signIn account ${key}`
  const pairBucket = ({ accountKey, ipAddress }: Omit<SignInTry, 'browser'>) =>
    `signIn account ${accountKey} network ${networkOf(ipAddress)}`
  const browsersBucket = (what: string, source: Source) => `${networkBucket(what, source)} known browsers`
  const secondFactorBuckets = (userId: string, origin: Origin) =>
    [
      `secondFactor account ${userId} browser ${origin.browser}`,
      `secondFactor account ${userId} network ${networkOf(origin.ipAddress)}`,
    ] as const
  const isKnownBrowser = sql`exists (select from found where "isKnownBrowser")`
  const furtherTry = sql`from browser where browser.count > ${OWN_TRIES}`

  // In the order in which a sign-in counts them, to prevent deadlocks.
  const clearSignInStatements = (tried: Omit<SignInTry, 'browser'>) =>
    [pairBucket(tried), accountBucket(tried.accountKey)].map(counter.clearStatement)

  async function countFor<Row extends KnownOrigin>(what: Limited, origin: Origin, account: RawBuilder<Row>) {
    const at = now()
    const { rows } = await sql<RequestCounts<Row>>`
      with found as materialized (${account}),
        browser as (
          ${counter.statement(
            // An unknown secret has no count of its own: a client could invent any number.
            `${what} browser ${origin.browser}`,
            at,
            { condition: sql`where ${isKnownBrowser}` },
          )}),
        browsers as (${counter.statement(browsersBucket(what, origin), at, { condition: furtherTry })}),
        network as (
          ${counter.statement(networkBucket(what, origin), at, { condition: sql`where not ${isKnownBrowser}` })})
      select (select to_json(browser) from browser) as browser, (select to_json(browsers) from browsers) as browsers,
        (select to_json(network) from network) as network, (select to_json(found) from found) as found`.execute(
      db,
    )
    const { browser, browsers, network, found } = rows[0]!
    refuseAbove(PER_NETWORK[what], browser ?? network!, 'too_many_requests', at)
    if (browsers !== null) refuseAbove(PER_NETWORK_OF_KNOWN_BROWSERS, browsers, 'too_many_requests', at)
    return found
  }

  async function countRequester(
    what: 'sendMail' | 'sendText' | 'wallet',
    origin: Origin,
    account: RawBuilder<KnownOrigin>,
  ): Promise<Requester> {
    const known = await countFor(what, origin, account)
    const key = known?.isKnownBrowser ? `browser ${origin.browser}` : `network ${networkOf(origin.ipAddress)}`
    return { key, isKnown: known !== null && (known.isKnownBrowser || known.isKnownNetwork) }
  }

  return {
    ...createMailLimits(counter),
    ...createTextLimits(counter, texts),
    async count(what, source) {
      const at = now()
      const counted = await counter.count(db, networkBucket(what, source), at)
      refuseAbove(PER_NETWORK[what], counted, 'too_many_requests', at)
    },
    countFor,
    countMailRequest: (origin, account) => countRequester('sendMail', origin, account),
    countTextRequest: (origin, account) => countRequester('sendText', origin, account),
    async countWallet(key, origin, account) {
      const requester = await countRequester('wallet', origin, account)
      const at = now()
      const counted = await counter.count(db, `wallet ${key} ${requester.key}`, at)
      refuseAbove(PER_WALLET, counted, 'too_many_requests', at)
      return requester
    },
    async countToken(source, existing) {
      const at = now()
      const { rows } = await sql<Count & { readonly exists: boolean }>`
        with network as (${counter.statement(networkBucket('token', source), at)})
        select network.*, exists (${existing}) as exists from network`.execute(db)
      if (!rows[0]!.exists) refuseAbove(PER_NETWORK.token, rows[0]!, 'too_many_requests', at)
    },
    async countSignIn<Row extends KnownOrigin>(tried: SignInTry, account: RawBuilder<Row>) {
      const at = now()
      // An unknown secret has no count of its own: a client could invent any number.
      const ownBucket = `signIn account ${tried.accountKey} browser ${tried.browser}`
      const isKnownNetwork = sql`exists (select from found where "isKnownNetwork")`
      const count = (bucket: string, condition: RawBuilder<unknown>, windowMs?: number) =>
        counter.statement(bucket, at, { condition, ...(windowMs !== undefined && { windowMs }) })
      const { rows } = await sql<SignInCounts<Row>>`
        with found as materialized (${account}),
          browser as (${count(ownBucket, sql`where ${isKnownBrowser}`)}),
          spaced as (${count(
            `${ownBucket} spaced`,
            sql`from browser where browser.count > ${PER_KNOWN_BROWSER}`,
            KNOWN_BROWSER_SPACING_MS,
          )}),
          browsers as (${count(browsersBucket('signIn', tried), furtherTry)}),
          network as (${count(networkBucket('signIn', tried), sql`where not ${isKnownBrowser}`)}),
          -- A try above the network's limit does not count against its account.
          pair as (${count(pairBucket(tried), sql`from network where network.count <= ${PER_NETWORK.signIn}`)}),
          strangers as (${count(
            accountBucket(tried.accountKey),
            sql`from pair where pair.count <= ${PER_ACCOUNT_AND_NETWORK} and not ${isKnownNetwork}`,
          )})
        select (select to_json(spaced) from spaced) as spaced,
          (select to_json(browsers) from browsers) as browsers, (select to_json(network) from network) as network,
          (select to_json(pair) from pair) as pair, (select to_json(strangers) from strangers) as strangers,
          (select to_json(found) from found) as found`.execute(db)
      const { spaced, browsers, network, pair, strangers, found } = rows[0]!
      const check = (count: Count | null, limit: number, error: ErrorType) => {
        if (count !== null) refuseAbove(limit, count, error, at)
      }
      check(spaced, 1, 'user_lock_limit_reached')
      check(browsers, PER_NETWORK_OF_KNOWN_BROWSERS, 'too_many_requests')
      check(network, PER_NETWORK.signIn, 'too_many_requests')
      check(pair, PER_ACCOUNT_AND_NETWORK, 'user_lock_limit_reached')
      check(strangers, PER_ACCOUNT, 'user_lock_limit_reached')
      return found
    },
    async countCodeTry(methodId, source) {
      const { count } = await counter.count(db, codeBucket(methodId, source), now(), HOUR_MS)
      return count <= PER_CODE_AND_NETWORK
    },
    async hasCodeTry(trx, methodId, source, at) {
      return (await counter.read(trx, codeBucket(methodId, source), at)) < PER_CODE_AND_NETWORK
    },
    async countSecondFactor(userId, origin, account) {
      const at = now()
      const [ownBucket, pairBucket] = secondFactorBuckets(userId, origin)
      const isKnownNetwork = sql`exists (select from found where "isKnownNetwork")`
      const { rows } = await sql<SecondFactorCounts>`
        with found as materialized (${account}),
          browser as (${counter.statement(ownBucket, at, {
            condition: sql`where ${isKnownBrowser}`,
            windowMs: SECOND_FACTOR_MS,
          })}),
          pair as (${counter.statement(pairBucket, at, {
            condition: sql`where not ${isKnownBrowser}`,
            windowMs: SECOND_FACTOR_MS,
          })}),
          strangers as (${counter.statement(`secondFactor account ${userId}`, at, {
            condition: sql`from pair where pair.count <= ${PER_SECOND_FACTOR} and not ${isKnownNetwork}`,
            windowMs: HOUR_MS,
          })})
        select (select to_json(browser) from browser) as browser, (select to_json(pair) from pair) as pair,
          (select to_json(strangers) from strangers) as strangers`.execute(db)
      const { browser, pair, strangers } = rows[0]!
      refuseAbove(PER_SECOND_FACTOR, browser ?? pair!, 'user_lock_limit_reached', at)
      if (strangers !== null) refuseAbove(SECOND_FACTOR_STRANGERS, strangers, 'user_lock_limit_reached', at)
    },
    async clearSecondFactor(trx, userId, origin) {
      for (const bucket of secondFactorBuckets(userId, origin)) {
        await counter.clearStatement(bucket).execute(trx)
      }
    },
    async countNewAccount(trx, source, at) {
      const counted = await counter.count(trx, networkBucket('newAccount', source), at, HOUR_MS)
      refuseAbove(newAccountsPerHour, counted, 'too_many_requests', at)
    },
    async countUnprovedChange(trx, addressKey, at) {
      const counted = await counter.count(trx, `unproved change ${addressKey}`, at, HOUR_MS)
      refuseAbove(PER_UNPROVED_ADDRESS, counted, 'too_many_requests', at)
    },
    async clearSignIns(on, tried) {
      for (const statement of clearSignInStatements(tried)) await statement.execute(on)
    },
    clearSignInStatements,
    async isFirst(trx, bucket, at, windowMs) {
      return (await counter.count(trx, bucket, at, windowMs)).count === 1
    },
  }
}

interface RequestCounts<Row> {
  readonly browser: Count | null
  /** Null unless a known browser used up its own tries. */
  readonly browsers: Count | null
  readonly network: Count | null
  readonly found: Row | null
}

interface SignInCounts<Row> extends Omit<RequestCounts<Row>, 'browser'> {
  /** Null unless a known browser is above its limit. */
  readonly spaced: Count | null
  readonly pair: Count | null
  readonly strangers: Count | null
}

interface SecondFactorCounts extends Pick<SignInCounts<never>, 'pair' | 'strangers'> {
  /** Null unless the account knows the browser. */
  readonly browser: Count | null
}
