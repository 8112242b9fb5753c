import type { BoardWait } from '#shared/boards/board-wait.ts'
import type { FileOwnerPhase } from './file-owner.ts'
import type { SaveState } from './save-lap-store.ts'
import { LAP_SAVED } from './settled-save.ts'

/** Returns what the leaderboard can expect of the file that is being saved. */
export function boardWaitOf({ phase, judgedSinceMs }: SaveState, owner: FileOwnerPhase): BoardWait {
  // The save begins in a moment.
  if (owner.kind === 'checking') return { kind: 'coming', sinceMs: null }
  switch (phase.kind) {
    case 'preparing':
    case 'sending':
    case 'checking':
    case 'judging':
    case 'pausing':
      return { kind: 'coming', sinceMs: judgedSinceMs }
    case 'saved':
      // An entry that a moderator has hidden has no rank, and never comes.
      return phase.lap.rank === null ? { kind: 'nothing' } : { kind: 'due', sinceMs: judgedSinceMs ?? 0 }
    case 'skipped':
      if (phase.reason === 'no_complete_lap') return { kind: 'nothing' }
      if (phase.reason === 'held_for_review') return { kind: 'held' }
      // Its entry came when the file was first saved. If it is missing now, it has left the board.
      if (phase.reason === 'already_ingested' || phase.reason === LAP_SAVED) return { kind: 'past' }
      return { kind: 'due', sinceMs: judgedSinceMs ?? 0 }
    case 'failed':
      return { kind: 'failed', canRetry: phase.canRetry }
    case 'idle':
    case 'cancelled':
      return { kind: 'nothing' }
  }
}
