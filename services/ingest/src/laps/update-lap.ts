import { acquireAccountLock } from '@lapwing/db'
import { AppError } from '@lapwing/http'
import { ServiceUnavailable } from '@lapwing/internal'
import type { Deps, HandlerOf } from '../deps.ts'
import { pushStanding } from '../standings/push-standing.ts'
import { renewStanding, type StandingKey } from '../standings/standing.repository.ts'
import { allowReference, findOwnLap } from './lap.repository.ts'
import { toMyLaps } from './my-lap.ts'

type Needs = Pick<Deps, 'db' | 'requirePrincipal' | 'leaderboard'>

/**
 * Hides an own lap as a reference, or shows it again. Its rank stays, and the boards show whether it can be
 * used. If leaderboard is down, the sweeper publishes the change later.
 */
export function updateLap({ db, requirePrincipal, leaderboard }: Needs): HandlerOf<'updateLap'> {
  return async request => {
    const { userId } = await requirePrincipal(request)
    const { lapId } = request.params
    const changed = await db.transaction().execute(async (trx): Promise<StandingKey | null> => {
      await acquireAccountLock(trx, userId)
      const combinationId = await allowReference(trx, { userId, lapId }, request.body.reference_allowed)
      if (combinationId === null) return null
      const key = { userId, combinationId }
      return (await renewStanding(trx, key, lapId)) ? key : null
    })
    if (changed !== null) {
      await pushStanding({ db, leaderboard }, changed).catch((error: unknown) => {
        if (!(error instanceof ServiceUnavailable)) throw error
      })
    }
    const lap = await findOwnLap(db, { userId, lapId })
    if (lap === null) throw new AppError('ingest.lap_not_found')
    const [myLap] = await toMyLaps([lap])
    return myLap!
  }
}
