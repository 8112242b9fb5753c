import { clsx } from 'clsx'
import { Lock } from 'lucide-react'
import { useStore } from '#shared/store/use-store.ts'
import type { CursorStore } from '../cursor-store.ts'

interface LockHintProps {
  readonly cursor: CursorStore
  /** Shows the icon alone, or the word alone, if there is little room. */
  readonly isBrief: boolean
}

/** Says that the cursor is locked and how to unlock it. */
export function LockHint({ cursor, isBrief }: LockHintProps) {
  const isLocked = useStore(cursor, ({ locked }) => locked)
  if (!isLocked) return null
  return (
    <p
      className={clsx(
        'flex items-center gap-1 whitespace-nowrap text-accent text-xs @lg:mr-auto',
        isBrief || '@max-lg:order-last',
      )}
    >
      <Lock size={12} aria-hidden="true" />
      <span className={clsx(isBrief && '@max-lg:sr-only')}>Locked</span>
      <span className={clsx(isBrief && '@[780px]:@max-5xl:hidden')}>
        <span className="@max-lg:hidden pointer-coarse:hidden">· click or Esc releases</span>
        <span className="hidden @lg:pointer-coarse:inline">· tap releases</span>
      </span>
    </p>
  )
}
