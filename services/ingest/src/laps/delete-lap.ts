import { acquireAccountLock } from '@lapwing/db'
import { AppError } from '@lapwing/http'
import { busyIfUnavailable } from '../clients/busy-if-unavailable.ts'
import type { Deps, HandlerOf } from '../deps.ts'
import { pushStanding } from '../standings/push-standing.ts'
import { refreshStanding } from '../standings/standing.repository.ts'
import { forgetLap } from './lap.repository.ts'

type Needs = Pick<Deps, 'db' | 'requirePrincipal' | 'leaderboard'>

/**
 * Takes a lap off the boards, where the driver's next best lap replaces it. 204 means that leaderboard has
 * confirmed. If leaderboard is down the answer is 503, and the sweeper publishes the change later.
 */
export function deleteLap({ db, requirePrincipal, leaderboard }: Needs): HandlerOf<'deleteLap'> {
  return async (request, reply) => {
    const { userId } = await requirePrincipal(request)
    const { lapId } = request.params
    const { combinationId, isOpen } = await db.transaction().execute(async trx => {
      await acquireAccountLock(trx, userId)
      const lap = await forgetLap(trx, { userId, lapId })
      if (lap === null) throw new AppError('ingest.lap_not_found')
      const key = { userId, combinationId: lap.combinationId }
      return { combinationId: lap.combinationId, isOpen: (await refreshStanding(trx, key)).isOpen }
    })
    if (isOpen) {
      await busyIfUnavailable(pushStanding({ db, leaderboard }, { userId, combinationId }), {
        detail: 'The lap is deleted. It will leave the boards within moments.',
        retryAfterS: 5,
      })
    }
    return reply.code(204).send()
  }
}
