import { setTimeout as pause } from 'node:timers/promises'
import { refineTracks } from '../corners/refine-tracks.ts'
import { addInputKeys } from './add-input-keys.ts'
import { fillFingerprints } from './fill-fingerprints.ts'
import { learnPeople } from './learn-people.ts'
import { locateTracks } from './locate-tracks.ts'
import { publishStandings } from './publish-standings.ts'
import { removeObjects } from './remove-objects.ts'
import { removeOrphans } from './remove-orphans.ts'
import { requeueUnattended } from './requeue-unattended.ts'
import type { SweepNeeds } from './sweep-needs.ts'

export interface Sweeper {
  /** Resolves once the running sweeps have ended. */
  close(): Promise<void>
}

/**
 * Repeats all sweeps: they find jobs that Redis lost, attempts whose worker died, standings that leaderboard
 * has not confirmed, laps that were driven elsewhere, and objects that nothing needs. Any number of processes
 * can run them at the same time. A sweep that fails or takes long does not delay the others.
 */
export function startSweeper(needs: SweepNeeds, { everyMs }: { readonly everyMs: number }): Sweeper {
  const closed = new AbortController()
  const orphans = removeOrphans(needs)
  const searches = {
    'files to judge': () => requeueUnattended(needs),
    'accounts to ask about': () => learnPeople(needs),
    'track locations': () => locateTracks(needs, closed.signal),
    'corners of tracks': () => refineTracks(needs, closed.signal),
    'laps without a fingerprint': () => fillFingerprints(needs, closed.signal),
    'fingerprints without input keys': () => addInputKeys(needs, closed.signal),
    'standings to publish': () => publishStandings(needs),
    'objects to remove': () => removeObjects(needs),
    'objects without a lap': orphans,
  }

  async function repeat(what: string, search: () => Promise<void>): Promise<void> {
    while (!closed.signal.aborted) {
      await search().catch((error: unknown) => {
        needs.logger.warn({ err: error, what }, 'a sweep failed')
      })
      // A random pause keeps processes from sweeping at the same moments.
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
