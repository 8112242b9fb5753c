import { clsx } from 'clsx'
import { RotateCw } from 'lucide-react'
import { useStore } from '#shared/store/use-store.ts'
import { Button } from '#shared/ui/Button.tsx'
import { Tooltip } from '#shared/ui/Tooltip.tsx'
import type { Cooldown } from './cooldown.ts'

interface RefreshButtonProps {
  readonly cooldown: Cooldown
  readonly isBusy: boolean
  readonly onRefresh: () => void
  /** Shows only the icon, for the small space of a card. */
  readonly isSmall?: boolean
}

/** Fetches a board again, then counts down the seconds until it can be pressed again. */
export function RefreshButton({ cooldown, isBusy, onRefresh, isSmall = false }: RefreshButtonProps) {
  const leftS = useStore(cooldown)
  const isResting = leftS > 0
  return (
    <Tooltip content="Refresh leaderboard">
      <Button
        variant={isSmall ? 'ghost' : 'secondary'}
        size={isSmall && !isResting ? 'named' : 'normal'}
        word={isSmall && !isResting ? 'Refresh' : ''}
        // Not `disabled`: a keyboard user keeps the focus after the press.
        aria-disabled={isResting}
        aria-label={isResting ? `Refresh leaderboard, possible again in ${leftS} s` : 'Refresh leaderboard'}
        onClick={() => {
          if (cooldown.start()) onRefresh()
        }}
        className={clsx(
          'aria-disabled:cursor-not-allowed aria-disabled:opacity-70',
          // The size stays the same during the countdown, so that nothing beside it moves.
          isSmall ? '-mr-1.5 not-pointer-coarse:h-6!' : 'max-sm:w-16 max-sm:px-0',
        )}
      >
        <RotateCw size={14} aria-hidden className={clsx(isBusy && 'motion-safe:animate-spin')} />
        {(!isSmall || isResting) && (
          <span className={clsx('grid', !isResting && 'max-sm:hidden')}>
            {!isSmall && (
              <span className={clsx('col-start-1 row-start-1 max-sm:hidden', isResting && 'invisible')}>
                Refresh
              </span>
            )}
            {isResting && (
              <span className="col-start-1 row-start-1 min-w-7 text-right text-xs">{leftS} s</span>
            )}
          </span>
        )}
      </Button>
    </Tooltip>
  )
}
