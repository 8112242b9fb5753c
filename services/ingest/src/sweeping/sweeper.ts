import { setTimeout as pause } from 'node:timers/promises'
import { placeTracks } from './place-tracks.ts'
import { removeObjects } from './remove-objects.ts'
import { removeOrphans } from './remove-orphans.ts'
import { requeueUnattended } from './requeue-unattended.ts'
import type { SweepNeeds } from './sweep-needs.ts'
import { tellStandings } from './tell-standings.ts'

export interface Sweeper {
  /** Resolves when the search under way has ended. */
  close(): Promise<void>
}

/**
 * Finds again whatever was left lying: a job that Redis lost, an attempt whose worker died, a standing
 * that leaderboard could not be told, laps that were driven elsewhere, objects that nothing needs. Any number of processes may do so at
 * once. One search that fails keeps the others from nothing.
 */
export function startSweeper(needs: SweepNeeds, { everyMs }: { readonly everyMs: number }): Sweeper {
  const closed = new AbortController()
  const orphans = removeOrphans(needs)
  const searches = {
    'files to judge': () => requeueUnattended(needs),
    'places of tracks': () => placeTracks(needs),
    'standings to tell': () => tellStandings(needs),
    'objects to remove': () => removeObjects(needs),
    'objects without a lap': orphans,
  }

  async function run(): Promise<void> {
    while (!closed.signal.aborted) {
      for (const [what, search] of Object.entries(searches)) {
        if (closed.signal.aborted) return
        await search().catch((error: unknown) => {
          needs.logger.warn({ err: error, what }, 'a search did not succeed')
        })
      }
      // Not in step with the other processes.
      await pause(everyMs * (0.8 + 0.4 * Math.random()), undefined, { signal: closed.signal }).catch(() => {})
    }
  }

  const running = run()
  return {
    async close() {
      closed.abort()
      await running
    },
  }
}
