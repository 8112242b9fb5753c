import { ServiceUnavailable } from '@lapwing/internal'
import type { Kysely } from 'kysely'
import type { PersonFacts } from '../clients/identity-client.ts'
import type { Database } from '../database.ts'
import { findNumbersOf, lockNumber, settleNumber } from '../drivers/driver.repository.ts'
import { keepFacts, takeDuePeople, type VoteRules } from '../people/person.repository.ts'
import { recountVotesOf } from '../tracks/track-location.repository.ts'
import type { SweepNeeds } from './sweep-needs.ts'

/**
 * Asks identity which accounts have a verified address and since when they exist. What changes counts at once:
 * their votes on track places are counted anew, and their driver numbers are settled anew. If identity is away,
 * nobody waits for it: the accounts have no vote until the next search.
 */
export async function learnPeople({
  db,
  identity,
  logger,
  votes,
}: Pick<SweepNeeds, 'db' | 'identity' | 'logger' | 'votes'>): Promise<void> {
  if (identity === null) return
  for (;;) {
    const userIds = await takeDuePeople(db, { limit: AT_ONCE, forMs: TAKEN_FOR_MS })
    if (userIds.length === 0) return
    let known: ReadonlyMap<string, PersonFacts>
    try {
      known = await identity.findPeople(userIds)
    } catch (error) {
      if (!(error instanceof ServiceUnavailable)) throw error
      logger[error.isAway ? 'warn' : 'error']({ err: error }, 'identity is asked about accounts later')
      return
    }
    for (const userId of userIds) await learn(db, userId, known.get(userId) ?? null, votes)
    if (userIds.length < AT_ONCE) return
  }
}

/** Ids of so many accounts fit into the address of a request. */
const AT_ONCE = 50

/** Longer than the question and the work after it take. */
const TAKEN_FOR_MS = 15_000

function learn(
  db: Kysely<Database>,
  userId: string,
  facts: PersonFacts | null,
  votes: VoteRules,
): Promise<void> {
  return db.transaction().execute(async trx => {
    const change = await keepFacts(trx, userId, facts, votes)
    if (change?.canVoteNew) await recountVotesOf(trx, userId)
    if (!change?.isVerifiedNew) return
    for (const number of await findNumbersOf(trx, userId)) {
      await lockNumber(trx, number)
      await settleNumber(trx, number)
    }
  })
}
