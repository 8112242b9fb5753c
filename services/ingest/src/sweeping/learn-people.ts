import { ServiceUnavailable } from '@lapwing/internal'
import type { Kysely } from 'kysely'
import type { PersonFacts } from '../clients/identity-client.ts'
import { recountSightingsOf } from '../corners/corner.repository.ts'
import type { Database } from '../database.ts'
import { findNumbersOf, lockNumber, settleNumber } from '../drivers/driver.repository.ts'
import { reserveDuePeople, storeFacts, type VoteRules } from '../people/person.repository.ts'
import { recountVotesOf } from '../tracks/track-location.repository.ts'
import type { SweepNeeds } from './sweep-needs.ts'

/**
 * Asks identity which accounts have a verified address, and since when they exist. A change has effect
 * immediately: votes and sightings of the account are counted again, and its driver numbers are settled
 * again. While identity is down the accounts have no vote, and the next sweep asks again.
 */
export async function learnPeople({
  db,
  identity,
  logger,
  votes,
}: Pick<SweepNeeds, 'db' | 'identity' | 'logger' | 'votes'>): Promise<void> {
  if (identity === null) return
  for (;;) {
    const userIds = await reserveDuePeople(db, { limit: AT_ONCE, forMs: RESERVED_FOR_MS })
    if (userIds.length === 0) return
    let known: ReadonlyMap<string, PersonFacts>
    try {
      known = await identity.findPeople(userIds)
    } catch (error) {
      if (!(error instanceof ServiceUnavailable)) throw error
      logger[error.isAway ? 'warn' : 'error'](
        { err: error },
        'identity could not be asked; the next sweep tries again',
      )
      return
    }
    for (const userId of userIds) await learn(db, userId, known.get(userId) ?? null, votes)
    if (userIds.length < AT_ONCE) return
  }
}

/** So many ids fit into the URL of a request. */
const AT_ONCE = 50

/** Longer than the request and the work after it take. */
const RESERVED_FOR_MS = 15_000

function learn(
  db: Kysely<Database>,
  userId: string,
  facts: PersonFacts | null,
  votes: VoteRules,
): Promise<void> {
  return db.transaction().execute(async trx => {
    const change = await storeFacts(trx, userId, facts, votes)
    if (change?.canVoteNew) {
      await recountVotesOf(trx, userId)
      await recountSightingsOf(trx, userId)
    }
    if (!change?.isVerifiedNew) return
    for (const number of await findNumbersOf(trx, userId)) {
      await lockNumber(trx, number)
      await settleNumber(trx, number)
    }
  })
}
