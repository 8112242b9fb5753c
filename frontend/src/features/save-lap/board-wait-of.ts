import type { BoardWait } from '#shared/boards/board-wait.ts'
import type { SaveState } from './save-lap-store.ts'

/** What the leaderboard has to expect of a file that is being saved. */
export function boardWaitOf({ phase, judgedSinceMs }: SaveState): BoardWait {
  switch (phase.kind) {
    case 'preparing':
    case 'sending':
    case 'checking':
    case 'judging':
    case 'pausing':
      return { kind: 'coming', sinceMs: judgedSinceMs }
    case 'saved':
      // Where a moderator hides the entry it has no rank, and never comes.
      return phase.lap.rank === null ? { kind: 'nothing' } : { kind: 'due', sinceMs: judgedSinceMs ?? 0 }
    case 'skipped':
      return phase.reason === 'no_complete_lap'
        ? { kind: 'nothing' }
        : { kind: 'due', sinceMs: judgedSinceMs ?? 0 }
    case 'failed':
      return { kind: 'failed' }
    case 'idle':
    case 'cancelled':
      return { kind: 'nothing' }
  }
}
