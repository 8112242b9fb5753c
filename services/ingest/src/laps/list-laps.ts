import type { Deps, HandlerOf } from '../deps.ts'
import { findOwnLaps } from './lap.repository.ts'
import { fromCursor, toCursor } from './lap-cursor.ts'
import { toMyLaps } from './my-lap.ts'

/** Lists the laps of the driver, the newest first. Pages neither skip nor repeat a lap. */
export function listLaps({
  db,
  requirePrincipal,
}: Pick<Deps, 'db' | 'requirePrincipal'>): HandlerOf<'listLaps'> {
  return async request => {
    const { userId } = await requirePrincipal(request, 'laps:read')
    const { limit = 50, cursor, review = null, has_reference = false } = request.query
    const after = cursor === undefined ? null : fromCursor(cursor)
    // One more than requested shows whether there is another page.
    const found = await findOwnLaps(db, userId, { limit: limit + 1, after, review, hasSeries: has_reference })
    const laps = found.slice(0, limit)
    const last = laps.at(-1)
    const hasMore = found.length > limit && last !== undefined
    return {
      ok: true as const,
      laps: await toMyLaps(laps),
      next_cursor: hasMore ? toCursor({ recordedAt: last.recorded_at, lapId: last.id }) : null,
    }
  }
}
