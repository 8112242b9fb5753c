import type { BoardRow } from '#shared/boards/board-row.ts'
import type { Combination } from '#shared/boards/combination.ts'
import type { BoardApi, Me } from './board-api.ts'

/** Milliseconds to the lap to catch: a gap that the traces show and that a driver can close. */
const AHEAD_MS = 1000
/** Milliseconds by which a found gap may differ from the wanted one. */
const CLOSE_ENOUGH_MS = 100
/** The widest window that the service returns: half of it is ahead of the driver. */
const WINDOW = 100

/**
 * Finds the lap of a board that is nearest to one second faster than the driver's own. Returns null if the
 * driver has no entry there, or leads.
 * Mostly it is among the neighbours. On a very full board all neighbours are closer, so a binary search finds
 * it, one row a call. Skips laps that cannot be references or were refused before.
 */
export async function findLapToCatch(
  { contextId, me, page }: Pick<BoardApi, 'contextId' | 'me' | 'page'>,
  combination: Combination,
  refused: ReadonlySet<string> = new Set(),
): Promise<BoardRow | null> {
  const id = await contextId(combination)
  if (id === null) return null
  const answer = await me({ contextId: id, board: 'complete', window: WINDOW, deltaReference: 'p1' })
  const ahead = rowsAhead(answer)
  const farthest = ahead.at(-1)
  if (answer.me === null || farthest === undefined) return null
  const wantedMs = answer.me.best_lap_time_ms - AHEAD_MS
  let best: BoardRow | null = null
  const consider = (row: BoardRow) => {
    const canBeUsed = row.reference_available && !refused.has(row.lap_id)
    if (canBeUsed) best = best === null ? row : nearer(best, row, wantedMs)
  }
  for (const row of ahead) consider(row)
  if (farthest.rank === 1 || farthest.best_lap_time_ms <= wantedMs + CLOSE_ENOUGH_MS) return best

  for (let first = 1, last = farthest.rank - 1; first <= last; ) {
    const rank = Math.floor((first + last) / 2)
    const row = await rowAt(page, combination, rank)
    // The board became shorter during the search.
    if (row === undefined) break
    consider(row)
    const missingMs = row.best_lap_time_ms - wantedMs
    if (Math.abs(missingMs) <= CLOSE_ENOUGH_MS && best === row) break
    if (missingMs > 0) last = rank - 1
    else first = rank + 1
  }
  return best
}

/** Returns the rows ahead of the driver, the nearest first; empty without an own entry. */
function rowsAhead({ me, window }: Pick<Me, 'me' | 'window'>): readonly BoardRow[] {
  if (me === null) return []
  return window.filter(row => row.rank < me.rank).sort((a, b) => b.rank - a.rank)
}

async function rowAt(page: BoardApi['page'], combination: Combination, rank: number) {
  const query = { combination, board: 'complete', limit: 1, offset: rank - 1, deltaReference: 'p1' } as const
  return (await page(query))?.rows[0]
}

/** Returns the row whose time is nearer to the wanted one; the first if both are equally near. */
function nearer(a: BoardRow, b: BoardRow, wantedMs: number): BoardRow {
  const missing = (row: BoardRow) => Math.abs(row.best_lap_time_ms - wantedMs)
  return missing(b) < missing(a) ? b : a
}
