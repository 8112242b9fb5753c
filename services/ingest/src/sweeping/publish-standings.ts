import { ServiceUnavailable } from '@lapwing/internal'
import { pushStanding } from '../standings/push-standing.ts'
import { reserveOpenStandings } from '../standings/standing.repository.ts'
import type { SweepNeeds } from './sweep-needs.ts'

/**
 * Publishes the standings that leaderboard has not confirmed. Stops until the next sweep if leaderboard is
 * down. If it rejects one standing, the others are still published.
 */
export async function publishStandings(
  needs: Pick<SweepNeeds, 'db' | 'leaderboard' | 'logger'>,
): Promise<void> {
  for (;;) {
    const keys = await reserveOpenStandings(needs.db, { limit: AT_ONCE, forMs: RESERVED_FOR_MS })
    for (const key of keys) {
      try {
        await pushStanding(needs, key)
      } catch (error) {
        if (!(error instanceof ServiceUnavailable)) throw error
        needs.logger[error.isAway ? 'warn' : 'error'](
          { err: error },
          'a standing could not be published; the next sweep tries again',
        )
        if (error.isAway) return
      }
    }
    if (keys.length < AT_ONCE) return
  }
}

const AT_ONCE = 20

/** The longest time of one delivery; after that another process can try. */
const RESERVED_FOR_MS = 5_000
