import { acquireAccountLock } from '@lapwing/db'
import { refuseDeleted } from '../accounts/refuse-deleted.ts'
import type { Db } from '../database.ts'
import type { Deps, HandlerOf } from '../deps.ts'
import {
  type Consent,
  findConsent,
  joinWaitlist,
  leaveWaitlist,
  saveConsent,
  waitlistPosition,
} from './consent.repository.ts'

/** Number of first members who get all three tiers for the price of the first, for a year (D-19). */
export const EARLY_ACCESS_MEMBERS = 500

export function getConsent({ db, requirePrincipal }: Deps): HandlerOf<'getConsent'> {
  return async request => {
    const { userId } = await requirePrincipal(request)
    await refuseDeleted(db, userId)
    return describe(db, userId, await findConsent(db, userId))
  }
}

export function setConsent({ db, requirePrincipal, now, publish, events }: Deps): HandlerOf<'setConsent'> {
  return async request => {
    const { userId } = await requirePrincipal(request)
    const { waitlist, marketing } = request.body
    await db.transaction().execute(async trx => {
      await acquireAccountLock(trx, userId)
      await refuseDeleted(trx, userId)
      await saveConsent(trx, userId, { waitlist, marketing }, now())
      await (waitlist ? joinWaitlist : leaveWaitlist)(trx, userId)
      // identity stores it in the account's trusted metadata, which the page reads.
      await publish(trx, { case: 'consentChanged', value: { userId, waitlist, marketing } })
    })
    events.wake()
    return describe(db, userId, { waitlist, marketing })
  }
}

async function describe(db: Db, userId: string, consent: Consent) {
  const position = await waitlistPosition(db, userId)
  return {
    ...consent,
    waitlist_position: position,
    early_access: position !== null && position <= EARLY_ACCESS_MEMBERS,
  }
}
