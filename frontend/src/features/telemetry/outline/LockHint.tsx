import { Lock } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import type { CursorStore } from '../cursor-store.ts'
import { playerOf } from '../lap-player.ts'

/** Says that the cursor is locked and how to release it. A lap being played shows its pause button instead. */
export function LockHint({ cursor }: { readonly cursor: CursorStore }) {
  const player = playerOf(cursor)
  const isPlaying = useSyncExternalStore(player.subscribe, player.isPlaying)
  const isLocked = useSyncExternalStore(cursor.subscribe, () => cursor.get().locked)
  if (!isLocked || isPlaying) return null
  return (
    <p className="flex items-center gap-1 whitespace-nowrap text-accent text-xs @max-lg:order-last @lg:mr-auto">
      <Lock size={12} aria-hidden="true" />
      Locked
      <span className="@max-lg:hidden pointer-coarse:hidden">· click or Esc releases</span>
      <span className="hidden @lg:pointer-coarse:inline">· tap releases</span>
    </p>
  )
}
