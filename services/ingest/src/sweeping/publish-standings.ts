import { ServiceUnavailable } from '@lapwing/internal'
import { pushStanding } from '../standings/push-standing.ts'
import { takeOpenStandings } from '../standings/standing.repository.ts'
import type { SweepNeeds } from './sweep-needs.ts'

/**
 * Tells leaderboard of the standings it does not know yet. A leaderboard that is away is left alone until the
 * next time; one that cannot take a standing is told the others all the same.
 */
export async function publishStandings(
  needs: Pick<SweepNeeds, 'db' | 'leaderboard' | 'logger'>,
): Promise<void> {
  for (;;) {
    const keys = await takeOpenStandings(needs.db, { limit: AT_ONCE, forMs: TAKEN_FOR_MS })
    for (const key of keys) {
      try {
        await pushStanding(needs, key)
      } catch (error) {
        if (!(error instanceof ServiceUnavailable)) throw error
        needs.logger[error.isAway ? 'warn' : 'error']({ err: error }, 'a standing is told later')
        if (error.isAway) return
      }
    }
    if (keys.length < AT_ONCE) return
  }
}

const AT_ONCE = 20

/** As long as one can take at most; then another process may try. */
const TAKEN_FOR_MS = 5_000
