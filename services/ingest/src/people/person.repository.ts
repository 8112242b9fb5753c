import { type Kysely, sql, type Transaction } from 'kysely'
import type { PersonFacts } from '../clients/identity-client.ts'
import type { Database } from '../database.ts'

/**
 * Keeps the network of an account's last file, and has identity asked soon if the account is not known to be
 * verified. For a transaction that holds the person's lock, before it locks a driver number.
 *
 * @param network keyed digest; null if it is not known
 */
export async function keepPerson(
  trx: Transaction<Database>,
  userId: string,
  network: Buffer | null,
): Promise<void> {
  await sql`insert into person (user_id, network) values (${userId}, ${network})
    on conflict (user_id) do update set network = coalesce(excluded.network, person.network),
      ask_after = case when person.is_verified then person.ask_after else now() end`.execute(trx)
}

/** Takes accounts about which identity is to be asked, so that no other process takes them meanwhile. */
export async function takeDuePeople(
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
  /** Milliseconds an account must exist before it votes (D-27). */
  readonly voteAgeMs: number
  /** Milliseconds after which identity is asked again about an account that is not verified. */
  readonly recheckMs: number
}

/**
 * Keeps what identity said of an account, and decides when it is asked again: when the account is old enough
 * to vote, else daily. One without a verified address is asked about more and more seldom, up to once a day.
 *
 * @param facts null if identity does not know the account
 * @returns what changed; null if the account is gone here
 */
export async function keepFacts(
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
