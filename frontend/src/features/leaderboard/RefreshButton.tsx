import { clsx } from 'clsx'
import { RotateCw } from 'lucide-react'
import { Button } from '#shared/ui/Button.tsx'
import { Tooltip } from '#shared/ui/Tooltip.tsx'
import type { Cooldown } from './cooldown.ts'
import { useCooldown } from './use-cooldown.ts'

export interface RefreshButtonProps {
  readonly cooldown: Cooldown
  readonly isBusy: boolean
  readonly onRefresh: () => void
  /** In a card there is room for a sign alone. */
  readonly isSmall?: boolean
}

/** Fetches a board anew, then rests for a while, counted down each second. */
export function RefreshButton({ cooldown, isBusy, onRefresh, isSmall = false }: RefreshButtonProps) {
  const leftS = useCooldown(cooldown)
  const isResting = leftS > 0
  return (
    <Tooltip content="Refresh leaderboard">
      <Button
        variant={isSmall ? 'ghost' : 'secondary'}
        size={isSmall && !isResting ? 'icon' : 'normal'}
        // Not `disabled`: who pressed it by key keeps the focus.
        aria-disabled={isResting}
        aria-label={isResting ? `Refresh leaderboard, possible again in ${leftS} s` : 'Refresh leaderboard'}
        onClick={() => {
          if (cooldown.start()) onRefresh()
        }}
        className={clsx(
          'aria-disabled:cursor-not-allowed aria-disabled:opacity-70',
          isSmall && '-mr-1.5 h-6',
        )}
      >
        <RotateCw size={14} aria-hidden className={clsx(isBusy && 'motion-safe:animate-spin')} />
        {isResting ? (
          <span className="min-w-7 text-right text-xs">{leftS} s</span>
        ) : (
          !isSmall && <span className="max-sm:sr-only">Refresh</span>
        )}
      </Button>
    </Tooltip>
  )
}
