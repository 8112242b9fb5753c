import { findBoards, readRows } from '../steps/boards.ts'
import { keepSession } from '../steps/drivers.ts'
import type { Http } from '../steps/http.ts'
import type { SavedLap } from '../steps/laps.ts'
import { trackOf, type World } from './world.ts'

/**
 * Compares the boards of the run with the acknowledged laps, and waits until they agree. Each acknowledged lap
 * must have one row. A journey that ended without an answer may have one too. Returns the number of rows; throws
 * with the difference.
 */
export async function verifyBoards(
  http: Http,
  world: World,
  { saved, unanswered }: { readonly saved: readonly SavedLap[]; readonly unanswered: number },
): Promise<number> {
  const { target, run } = world
  const acknowledged = [...world.saved, ...saved].map(lap => `${lap.contextId} ${lap.userId} ${lap.lapId}`)
  const givenUpMs = http.now() + BOARDS_WITHIN_MS
  for (;;) {
    const driver = await keepSession(http, target, world.drivers[0]!)
    const listed = new Set<string>()
    let rows = 0
    for (const board of await findBoards(http, target, driver, trackOf(run))) {
      for (const row of await readRows(http, target, driver, board)) {
        rows++
        listed.add(`${board.contextId} ${row.user_id} ${row.lap_id}`)
      }
    }
    const missing = acknowledged.filter(lap => !listed.has(lap))
    const surplus = rows - acknowledged.length
    if (missing.length === 0 && surplus >= 0 && surplus <= unanswered) return rows
    if (http.now() > givenUpMs) {
      throw new Error(
        `${acknowledged.length} laps were acknowledged and ${rows} are on boards; ${missing.length} are missing`,
      )
    }
    await http.wait(1_000)
  }
}

/** A window of a board is cached for 30 s. */
const BOARDS_WITHIN_MS = 60_000
