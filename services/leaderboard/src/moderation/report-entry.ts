import { networkDigest } from '@lapwing/auth'
import { AppError } from '@lapwing/http'
import type { Deps, HandlerOf } from '../deps.ts'
import { lockDriver } from '../drivers/lock-driver.ts'
import { countReports, findReported, storeReport } from './report.repository.ts'

/** Reports that an account can send in a day. */
export const MOST_REPORTS = 20

const DAY_S = 24 * 3600

/** Stores a report about another driver's visible entry. A second report of the same lap changes nothing. */
export function reportEntry({ db, requirePrincipal, internalKey }: Deps): HandlerOf<'reportEntry'> {
  return async (request, reply) => {
    const { userId: reporterId } = await requirePrincipal(request)
    const { lap_id, reason } = request.body
    const lapId = lap_id.toLowerCase()
    const network = networkDigest(request, internalKey, 'leaderboard')
    await db.transaction().execute(async trx => {
      const reported = await findReported(trx, { lapId, reporterId })
      if (reported === null) throw new AppError('leaderboard.no_entry')
      const { userId, isKnown } = reported
      if (userId === reporterId) throw new AppError('leaderboard.own_entry')
      if (isKnown) return
      // No report outlives either account, and calls at the same time cannot pass the limit. Always in one order, so
      // that two drivers can report each other.
      for (const id of [reporterId, userId].sort()) {
        if ((await lockDriver(trx, id)).isDeleted) throw new AppError('leaderboard.no_entry')
      }
      if ((await countReports(trx, reporterId, DAY_S)) >= MOST_REPORTS) {
        throw new AppError('leaderboard.too_many_reports', { headers: { 'retry-after': String(DAY_S) } })
      }
      await storeReport(trx, { lapId, reporterId, userId, reason, network })
    })
    return reply.code(204).send()
  }
}
