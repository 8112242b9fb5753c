import { type ReactNode, useRef } from 'react'
import type { BoardRow } from '#shared/boards/board-row.ts'
import type { BoardWait } from '#shared/boards/board-wait.ts'
import type { Combination } from '#shared/boards/combination.ts'
import { Button } from '#shared/ui/Button.tsx'
import { Card } from '#shared/ui/Card.tsx'
import { useKeptFocus } from '#shared/ui/use-kept-focus.ts'
import type { Boards } from './boards.ts'
import { CardRows } from './CardRows.tsx'
import { CardSkeletonRows } from './CardSkeletonRows.tsx'
import type { CardState } from './card-state.ts'
import { OwnRank } from './OwnRank.tsx'
import { RefreshButton } from './RefreshButton.tsx'
import { useBoardCard } from './use-board-card.ts'

interface LeaderboardCardProps {
  readonly boards: Boards
  readonly userId: string
  /** The combination of the loaded file; null if the file does not name it. */
  readonly combination: Combination | null
  /** What the board can expect of that file. */
  readonly wait: BoardWait
  /** Tries again to save the file's best lap. */
  readonly onRetry: () => void
  readonly onShowFull: () => void
  readonly onYourLaps: () => void
  /** Returns whether a row's lap can be a reference. */
  readonly canUse: (row: BoardRow) => boolean
  readonly onUseAsReference: (row: BoardRow) => Promise<boolean>
}

/** The card with the driver's rank on the board of the loaded file. */
export function LeaderboardCard(props: LeaderboardCardProps) {
  const { boards, combination, onRetry, onShowFull, onYourLaps } = props
  const { state, isBusy, refresh } = useBoardCard(props)
  const body = useRef<HTMLDivElement>(null)
  useKeptFocus(body)
  if (combination === null) {
    return (
      <Card title="Leaderboard">
        <p className="mt-1 mb-2 text-muted">
          This file does not say where or in which car it was driven, so it has no leaderboard.
        </p>
        <YourLaps onYourLaps={onYourLaps} />
      </Card>
    )
  }
  const retry = () => {
    onRetry()
    refresh()
  }
  return (
    <Card
      title="Leaderboard"
      aria-busy={state.kind === 'loading'}
      aside={<RefreshButton isSmall cooldown={boards.cardCooldown} isBusy={isBusy} onRefresh={refresh} />}
    >
      <div ref={body} tabIndex={-1} className="outline-none">
        <CardBody {...props} state={state} onRetry={retry} onRefetch={refresh} />
      </div>
      <div className="mt-2.5 space-y-1">
        <Button variant="primary" onClick={onShowFull} className="w-full">
          Show Full Leaderboard
        </Button>
        <YourLaps onYourLaps={onYourLaps} />
      </div>
    </Card>
  )
}

function YourLaps({ onYourLaps }: Pick<LeaderboardCardProps, 'onYourLaps'>) {
  return (
    <Button variant="ghost" onClick={onYourLaps} className="w-full">
      Your saved laps
    </Button>
  )
}

interface CardBodyProps extends LeaderboardCardProps {
  readonly state: CardState
  readonly onRefetch: () => void
}

function CardBody({ state, onRetry, onRefetch, canUse, onUseAsReference }: CardBodyProps) {
  const leader = (row: BoardRow) => (
    <CardRows rows={[row]} me={null} canUse={canUse} onUse={onUseAsReference} />
  )
  switch (state.kind) {
    case 'loading':
      return <CardSkeletonRows />
    case 'failed':
      return (
        <Words role="alert" action={<Retry onRetry={onRefetch} />}>
          Failed to load leaderboard data
        </Words>
      )
    case 'waiting':
      return state.isSlow ? (
        <Words action={<Retry onRetry={onRetry} />}>
          <span className="block font-medium text-warning">Taking longer than expected...</span>
          Still waiting for leaderboard update...
        </Words>
      ) : (
        <CardSkeletonRows>
          <Words isBusy>{state.sentence}</Words>
        </CardSkeletonRows>
      )
    case 'empty':
      return state.unsaved ? (
        <Unsaved {...state.unsaved} onRetry={onRetry}>
          {NO_LAPS}
        </Unsaved>
      ) : (
        <Words>{NO_LAPS}</Words>
      )
    case 'held':
      return (
        <>
          {state.top && leader(state.top)}
          <Words>{HELD}</Words>
        </>
      )
    case 'top':
      return (
        <>
          {leader(state.top)}
          {state.unsaved ? (
            <Unsaved {...state.unsaved} onRetry={onRetry} />
          ) : (
            <Words>{noRankWords[state.noRankReason ?? 'unknown']}</Words>
          )}
        </>
      )
    case 'ranked':
      return (
        <>
          <OwnRank me={state.me} total={state.total} />
          <CardRows rows={state.rows} me={state.me} canUse={canUse} onUse={onUseAsReference} />
          {state.isHeld && <Words>{HELD}</Words>}
          {state.isUpdating && <Words isBusy>Processing lap data...</Words>}
        </>
      )
  }
}

const HELD = 'Your lap is held for review.'
const NO_LAPS = 'No laps yet for this combination.'

const noRankWords = {
  unknown: 'Please wait for leaderboard to update.',
  sample: 'The sample session is not saved, so you have no place here.',
  left: 'You have no lap on this leaderboard yet. “Your saved laps” shows why.',
} as const

interface WordsProps {
  readonly children: ReactNode
  readonly isBusy?: boolean
  readonly role?: 'status' | 'alert'
  readonly action?: ReactNode
}

/** A sentence that a screen reader announces when it changes. */
function Words({ children, isBusy = false, role = 'status', action }: WordsProps) {
  return (
    <div className="mt-1 mb-1">
      <p role={role} className="flex items-baseline gap-2 text-muted">
        {isBusy && (
          <span
            aria-hidden="true"
            className="size-2 shrink-0 rounded-full bg-accent motion-safe:animate-pulse"
          />
        )}
        <span>{children}</span>
      </p>
      {action && <div className="mt-2">{action}</div>}
    </div>
  )
}

interface UnsavedProps {
  readonly children?: ReactNode
  readonly canRetry: boolean
  readonly onRetry: () => void
}

function Unsaved({ children, canRetry, onRetry }: UnsavedProps) {
  return (
    <Words action={canRetry && <Retry onRetry={onRetry} />}>
      {children && <span className="block">{children}</span>}
      Your best lap of this file is not saved.
    </Words>
  )
}

function Retry({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <Button onClick={onRetry} className="w-full">
      Retry
    </Button>
  )
}
