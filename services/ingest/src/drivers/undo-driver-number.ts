import { acquireAccountLock } from '@lapwing/db'
import { AppError } from '@lapwing/http'
import type { Deps, HandlerOf } from '../deps.ts'
import { type Bound, findBound, lockNumber, settleNumber, withdrawClaim } from './driver.repository.ts'

type Needs = Pick<Deps, 'db' | 'requirePrincipal' | 'now'>

/**
 * Frees a driver number that was bound by mistake, or withdraws a claim. The number is then bound to the next
 * best claim. The laps stay.
 */
export function undoDriverNumber({ db, requirePrincipal, now }: Needs): HandlerOf<'undoDriverNumber'> {
  return async (request, reply) => {
    const { userId } = await requirePrincipal(request)
    const { sim, driverNumber } = request.params
    const number = { sim, simUserId: driverNumber }
    await db.transaction().execute(async trx => {
      await acquireAccountLock(trx, userId)
      await lockNumber(trx, number)
      const bound = await findBound(trx, number)
      if (bound?.userId === userId && !canUndo(bound, now())) throw new AppError('ingest.number_stays')
      await withdrawClaim(trx, number, userId)
      await settleNumber(trx, number)
    })
    return reply.code(204).send()
  }
}

/** Returns whether the account can still free the number: not after seven days or a moderator's decision. */
export function canUndo({ boundAt, isDecided }: Pick<Bound, 'boundAt' | 'isDecided'>, now: Date): boolean {
  return !isDecided && now.getTime() - boundAt.getTime() < UNDO_FOR_MS
}

const UNDO_FOR_MS = 7 * 86_400_000
