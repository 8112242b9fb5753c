import { type Kysely, sql, type Transaction } from 'kysely'
import type { PersonFacts } from '../clients/identity-client.ts'
import type { Database } from '../database.ts'

/**
 * Stores the network of an account's last file, and asks identity soon unless the account is known to be
 * verified. The transaction must hold the account's lock, and must not have locked a driver number yet.
 *
 * @param network keyed digest; null if it is not known
 */
export async function storePerson(
  trx: Transaction<Database>,
  userId: string,
  network: Buffer | null,
): Promise<void> {
  await sql`insert into person (user_id, network) values (${userId}, ${network})
    on conflict (user_id) do update set network = coalesce(excluded.network, person.network),
      ask_after = case when person.is_verified then person.ask_after else now() end`.execute(trx)
}

/** Reserves accounts to ask identity about for `forMs`, so that no other process asks about them. */
export async function reserveDuePeople(
  db: Kysely<Database>,
  { limit, forMs }: { readonly limit: number; readonly forMs: number },
): Promise<readonly string[]> {
  const { rows } = await sql<{ user_id: string }>`
    update person set ask_after = now() + ${forMs} * interval '1 millisecond'
    where user_id in (
      select user_id from person where ask_after <= now() order by ask_after limit ${limit} for update skip locked)
    returning user_id`.execute(db)
  return rows.map(row => row.user_id)
}

export interface VoteRules {
  /** Milliseconds an account must exist before it can vote (D-27). */
  readonly voteAgeMs: number
  /** Milliseconds after which identity is asked again about an account that is not verified. */
  readonly recheckMs: number
}

/**
 * Stores what identity knows about an account, and when to ask again. A verified account is asked about once
 * it is old enough to vote, then daily. One that is not verified is asked about less and less often, down to
 * once a day.
 *
 * @param facts null if identity does not know the account
 * @returns what changed; null if the account was deleted here
 */
export async function storeFacts(
  trx: Transaction<Database>,
  userId: string,
  facts: PersonFacts | null,
  { voteAgeMs, recheckMs }: VoteRules,
): Promise<{ readonly isVerifiedNew: boolean; readonly canVoteNew: boolean } | null> {
  const before = await trx
    .selectFrom('person')
    .select(['is_verified', 'can_vote'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (before === undefined) return null
  const isVerified = facts?.isVerified ?? false
  const createdAt = facts?.createdAt ?? null
  const votesFrom = sql<Date | null>`${createdAt}::timestamptz + ${voteAgeMs} * interval '1 millisecond'`
  const after = await trx
    .updateTable('person')
    .set({
      is_verified: isVerified,
      account_created_at: createdAt,
      can_vote: isVerified ? sql<boolean>`coalesce(${votesFrom} <= now(), false)` : false,
      ask_after: isVerified
        ? sql<Date>`case when ${votesFrom} > now() then ${votesFrom} else now() + interval '1 day' end`
        : sql<Date>`now() + least(interval '1 day',
            greatest(${recheckMs} * interval '1 millisecond', (now() - known_since) / 10))`,
    })
    .where('user_id', '=', userId)
    .returning('can_vote')
    .executeTakeFirstOrThrow()
  return { isVerifiedNew: before.is_verified !== isVerified, canVoteNew: before.can_vote !== after.can_vote }
}
