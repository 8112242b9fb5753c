import type { BoardRow } from '#shared/boards/board-row.ts'
import type { Combination } from '#shared/boards/combination.ts'
import type { BoardApi, Me } from './board-api.ts'

/** How far ahead the lap to catch is: a gap that can be seen in the traces, and can be closed. */
const AHEAD_MS = 1000
/** A gap this near to the one wanted is as good. */
const CLOSE_ENOUGH_MS = 100
/** The widest window the service gives: half of it is ahead of the driver. */
const WINDOW = 100

/**
 * The lap of a board that is nearest to one second faster than the driver's own; null where the driver
 * has none there, or leads. Mostly it is among the neighbours; on a board so full that they are all
 * closer it is looked for by halving, a row at a time. It skips laps that cannot be used, or that were refused before.
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
    // The board became shorter meanwhile.
    if (row === undefined) break
    consider(row)
    const missingMs = row.best_lap_time_ms - wantedMs
    if (Math.abs(missingMs) <= CLOSE_ENOUGH_MS && best === row) break
    if (missingMs > 0) last = rank - 1
    else first = rank + 1
  }
  return best
}

/** Who is ahead of the driver in a window of the board, the nearest first; none without an own lap. */
function rowsAhead({ me, window }: Pick<Me, 'me' | 'window'>): readonly BoardRow[] {
  if (me === null) return []
  return window.filter(row => row.rank < me.rank).sort((a, b) => b.rank - a.rank)
}

async function rowAt(
  page: BoardApi['page'],
  combination: Combination,
  rank: number,
): Promise<BoardRow | undefined> {
  const answer = await page({
    combination,
    board: 'complete',
    limit: 1,
    offset: rank - 1,
    deltaReference: 'p1',
  })
  return answer?.rows[0]
}

/** Of two rows the one nearer to a time; the first of them where both are as near. */
function nearer(a: BoardRow, b: BoardRow, wantedMs: number): BoardRow {
  const missing = (row: BoardRow) => Math.abs(row.best_lap_time_ms - wantedMs)
  return missing(b) < missing(a) ? b : a
}
