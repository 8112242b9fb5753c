import { setTimeout as pause } from 'node:timers/promises'
import { refineTracks } from '../corners/refine-tracks.ts'
import { fillFingerprints } from './fill-fingerprints.ts'
import { learnPeople } from './learn-people.ts'
import { locateTracks } from './locate-tracks.ts'
import { publishStandings } from './publish-standings.ts'
import { removeObjects } from './remove-objects.ts'
import { removeOrphans } from './remove-orphans.ts'
import { requeueUnattended } from './requeue-unattended.ts'
import type { SweepNeeds } from './sweep-needs.ts'

export interface Sweeper {
  /** Resolves when the searches under way have ended. */
  close(): Promise<void>
}

/**
 * Finds again whatever was left lying: a job that Redis lost, an attempt whose worker died, a standing
 * that leaderboard could not be told, laps that were driven elsewhere, objects that nothing needs. Any number
 * of processes may do so at once. One search that fails, or takes long, keeps the others from nothing.
 */
export function startSweeper(needs: SweepNeeds, { everyMs }: { readonly everyMs: number }): Sweeper {
  const closed = new AbortController()
  const orphans = removeOrphans(needs)
  const searches = {
    'files to judge': () => requeueUnattended(needs),
    'accounts to ask about': () => learnPeople(needs),
    'places of tracks': () => locateTracks(needs, closed.signal),
    'corners of tracks': () => refineTracks(needs, closed.signal),
    'laps without a fingerprint': () => fillFingerprints(needs, closed.signal),
    'standings to tell': () => publishStandings(needs),
    'objects to remove': () => removeObjects(needs),
    'objects without a lap': orphans,
  }

  async function repeat(what: string, search: () => Promise<void>): Promise<void> {
    while (!closed.signal.aborted) {
      await search().catch((error: unknown) => {
        needs.logger.warn({ err: error, what }, 'a search did not succeed')
      })
      // Not in step with the other processes.
      await pause(everyMs * (0.8 + 0.4 * Math.random()), undefined, { signal: closed.signal }).catch(() => {})
    }
  }

  const running = Promise.all(Object.entries(searches).map(([what, search]) => repeat(what, search)))
  return {
    async close() {
      closed.abort()
      await running
    },
  }
}
