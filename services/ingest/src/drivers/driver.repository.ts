import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'

/** A driver number, with its simulator. */
export interface DriverNumber {
  readonly sim: string
  readonly simUserId: string
}

/**
 * Locks a driver number until the transaction ends, so that one change at a time decides about it. To avoid
 * deadlocks, lock the account and all rows of `person` first, and several numbers in the order of
 * `findNumbersOf`.
 */
export async function lockNumber(
  trx: Transaction<Database>,
  { sim, simUserId }: DriverNumber,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`driver ${sim} ${simUserId}`}, 0))`.execute(trx)
}

/**
 * Stores the claim of an account that saved a file with the driver number. Does nothing if the claim exists,
 * or if the account has `MOST_NUMBERS` claims.
 */
export async function insertClaim(
  trx: Transaction<Database>,
  { sim, simUserId }: DriverNumber,
  userId: string,
): Promise<void> {
  await sql`insert into driver_claim (sim, sim_user_id, user_id)
    select ${sim}, ${simUserId}, ${userId}
    where (select count(*) from driver_claim where user_id = ${userId}) < ${MOST_NUMBERS}
    on conflict do nothing`.execute(trx)
}

/** A driver has one number in each simulator. More are mistakes or attacks. */
export const MOST_NUMBERS = 50

/**
 * Binds a driver number to its best claim: a verified account first, then the account that is bound already,
 * then the oldest claim. Leaves a moderator's decision as it is. Needs the number's lock.
 */
export async function settleNumber(
  trx: Transaction<Database>,
  { sim, simUserId }: DriverNumber,
): Promise<void> {
  const bound = await findBound(trx, { sim, simUserId })
  if (bound?.isDecided) return
  // A process of an older version binds a number without storing a claim.
  await sql`insert into driver_claim (sim, sim_user_id, user_id, claimed_at)
    select sim, sim_user_id, user_id, created_at from sim_driver
    where sim = ${sim} and sim_user_id = ${simUserId} on conflict do nothing`.execute(trx)
  const { rows } = await sql<{ user_id: string }>`
    select claim.user_id from driver_claim claim left join person on person.user_id = claim.user_id
    where claim.sim = ${sim} and claim.sim_user_id = ${simUserId}
    order by coalesce(person.is_verified, false) desc, (claim.user_id = ${bound?.userId ?? ''}) desc,
      claim.claimed_at, claim.user_id limit 1`.execute(trx)
  const best = rows[0]?.user_id
  if (best === bound?.userId) return
  if (best === undefined) await deleteOf(trx, 'sim_driver', { sim, simUserId }).execute()
  else await bind(trx, { sim, simUserId }, { userId: best, isDecided: false })
}

export interface Bound {
  readonly userId: string
  /** By a moderator. */
  readonly isDecided: boolean
  readonly boundAt: Date
}

/** Returns the account that a number is bound to; null if it is not bound. */
export async function findBound(
  db: Kysely<Database>,
  { sim, simUserId }: DriverNumber,
): Promise<Bound | null> {
  const row = await db
    .selectFrom('sim_driver')
    .select(['user_id as userId', 'is_decided as isDecided', 'created_at as boundAt'])
    .where('sim', '=', sim)
    .where('sim_user_id', '=', simUserId)
    .executeTakeFirst()
  return row ?? null
}

/** Returns whether a number is bound to an account that claims it, so that a further file changes nothing. */
export async function isBoundTo(
  db: Kysely<Database>,
  { sim, simUserId }: DriverNumber,
  userId: string,
): Promise<boolean> {
  const { rows } = await sql<{ is_bound: boolean }>`
    select exists (select from sim_driver join driver_claim using (sim, sim_user_id, user_id)
      where sim = ${sim} and sim_user_id = ${simUserId} and user_id = ${userId}) as is_bound`.execute(db)
  return rows[0]!.is_bound
}

/** Returns whether an account is bound to another number of the simulator, and has no claim of this one. */
export async function hasOtherNumber(
  db: Kysely<Database>,
  { sim, simUserId }: DriverNumber,
  userId: string,
): Promise<boolean> {
  const { rows } = await sql<{ has_other: boolean }>`
    select exists (select from sim_driver where sim = ${sim} and user_id = ${userId} and sim_user_id <> ${simUserId})
      and not exists (select from driver_claim
        where sim = ${sim} and sim_user_id = ${simUserId} and user_id = ${userId}) as has_other`.execute(db)
  return rows[0]!.has_other
}

async function bind(
  trx: Transaction<Database>,
  { sim, simUserId }: DriverNumber,
  { userId, isDecided }: Pick<Bound, 'userId' | 'isDecided'>,
): Promise<void> {
  const to = { user_id: userId, is_decided: isDecided, created_at: sql<Date>`now()` }
  await trx
    .insertInto('sim_driver')
    .values({ sim, sim_user_id: simUserId, ...to })
    .onConflict(conflict => conflict.columns(['sim', 'sim_user_id']).doUpdateSet(to))
    .execute()
}

/** Deletes the binding or the claims of a number. */
function deleteOf(
  trx: Transaction<Database>,
  table: 'sim_driver' | 'driver_claim',
  { sim, simUserId }: DriverNumber,
) {
  return trx.deleteFrom(table).where('sim', '=', sim).where('sim_user_id', '=', simUserId)
}

/** Binds a number by a moderator's decision. All present claims are settled; a later one is open again. */
export async function decideNumber(
  trx: Transaction<Database>,
  number: DriverNumber,
  userId: string,
): Promise<void> {
  await trx
    .insertInto('driver_claim')
    .values({ sim: number.sim, sim_user_id: number.simUserId, user_id: userId, settled_at: null })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  await bind(trx, number, { userId, isDecided: true })
  await trx
    .updateTable('driver_claim')
    .set({ settled_at: sql`now()` })
    .where('sim', '=', number.sim)
    .where('sim_user_id', '=', number.simUserId)
    .execute()
}

/** Removes the binding and all claims of a number. Returns false if there were none. */
export async function freeNumber(trx: Transaction<Database>, number: DriverNumber): Promise<boolean> {
  const bindings = await deleteOf(trx, 'sim_driver', number).executeTakeFirst()
  const claims = await deleteOf(trx, 'driver_claim', number).executeTakeFirst()
  return bindings.numDeletedRows + claims.numDeletedRows > 0n
}

/** Removes the claim of one account, and the binding if that account has it. */
export async function withdrawClaim(
  trx: Transaction<Database>,
  number: DriverNumber,
  userId: string,
): Promise<void> {
  for (const table of ['driver_claim', 'sim_driver'] as const) {
    await deleteOf(trx, table, number).where('user_id', '=', userId).execute()
  }
}

/** Returns whether an account has saved laps that count; false after it was deleted. */
export async function hasSaved(db: Kysely<Database>, userId: string): Promise<boolean> {
  const row = await db.selectFrom('person').select('user_id').where('user_id', '=', userId).executeTakeFirst()
  return row !== undefined
}

/** Returns the numbers that an account claims or is bound to, in the order to lock them in. */
export async function findNumbersOf(db: Kysely<Database>, userId: string): Promise<readonly DriverNumber[]> {
  const { rows } = await sql<DriverNumber>`
    select sim, sim_user_id as "simUserId" from driver_claim where user_id = ${userId}
    union select sim, sim_user_id from sim_driver where user_id = ${userId}
    order by 1, 2`.execute(db)
  return rows
}

/** A number as its claimant sees it: other accounts only show as a dispute. */
export interface OwnNumber extends DriverNumber {
  /** Null while the number is bound to another account. */
  readonly boundAt: Date | null
  readonly isDecided: boolean
  /** Another account claims the number as well, and no moderator has decided yet. */
  readonly isDisputed: boolean
}

/** Returns the driver numbers of an account, the oldest claim first. */
export async function findOwnNumbers(db: Kysely<Database>, userId: string): Promise<readonly OwnNumber[]> {
  const { rows } = await sql<OwnNumber>`
    select claim.sim, claim.sim_user_id as "simUserId", bound.created_at as "boundAt",
      coalesce(bound.is_decided, false) as "isDecided",
      exists (select from driver_claim other
        where other.sim = claim.sim and other.sim_user_id = claim.sim_user_id and other.user_id <> claim.user_id
          and (claim.settled_at is null or other.settled_at is null)) as "isDisputed"
    from driver_claim claim left join sim_driver bound
      on bound.sim = claim.sim and bound.sim_user_id = claim.sim_user_id and bound.user_id = claim.user_id
    where claim.user_id = ${userId}
    order by claim.claimed_at, claim.sim, claim.sim_user_id`.execute(db)
  return rows
}

/** A number that several accounts claim, with those accounts. For moderators only. */
export interface DisputedNumber extends DriverNumber {
  readonly claims: readonly {
    readonly userId: string
    readonly claimedAt: string
    readonly isVerified: boolean
    readonly isBound: boolean
  }[]
}

/**
 * Returns numbers that several accounts claim and that have an open claim, the newest claim first: one number of
 * each account that claimed last, then a second one. So no account can hide the numbers of others.
 */
export async function findDisputedNumbers(
  db: Kysely<Database>,
  limit: number,
): Promise<readonly DisputedNumber[]> {
  const { rows } = await sql<DisputedNumber>`
    select claim.sim, claim.sim_user_id as "simUserId",
      (select json_agg(json_build_object('userId', shown.user_id, 'claimedAt', to_json(shown.claimed_at),
          'isVerified', shown.is_verified, 'isBound', shown.is_bound)
          order by shown.is_bound desc, shown.claimed_at, shown.user_id)
        from (select one.user_id, one.claimed_at, coalesce(person.is_verified, false) as is_verified,
            bound.user_id is not null as is_bound
          from driver_claim one left join person on person.user_id = one.user_id
            left join sim_driver bound on bound.sim = one.sim and bound.sim_user_id = one.sim_user_id
              and bound.user_id = one.user_id
          where one.sim = claim.sim and one.sim_user_id = claim.sim_user_id
          order by is_bound desc, one.claimed_at limit ${MOST_CLAIMS_SHOWN}) shown) as claims
    from driver_claim claim
    group by claim.sim, claim.sim_user_id
    having count(*) > 1 and bool_or(claim.settled_at is null)
    order by row_number() over (
        partition by (array_agg(claim.user_id order by claim.claimed_at desc, claim.user_id))[1]
        order by max(claim.claimed_at) desc, claim.sim, claim.sim_user_id),
      max(claim.claimed_at) desc, claim.sim, claim.sim_user_id limit ${limit}`.execute(db)
  return rows
}

const MOST_CLAIMS_SHOWN = 20
