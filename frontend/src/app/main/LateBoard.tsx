import type { ComponentProps } from 'react'
import { LeaderboardCardSkeleton } from '#features/leaderboard/LeaderboardCardSkeleton.tsx'
import { Card } from '#shared/ui/Card.tsx'
import { LoadProblem } from '#shared/ui/LoadProblem.tsx'
import { useLazyPart } from '#shared/ui/use-lazy-part.ts'
import type { SessionBoard as Board } from './SessionBoard.tsx'

/** Visitors without an account do not need its code. */
const loadBoard = async () => (await import('./SessionBoard.tsx')).SessionBoard

/** The leaderboard of the loaded file, whose code loads with the first signed-in session. */
export function LateBoard(props: ComponentProps<typeof Board>) {
  const { part: SessionBoard, ...late } = useLazyPart(loadBoard, true)
  if (SessionBoard) return <SessionBoard {...props} />
  if (!late.isFailed) return <LeaderboardCardSkeleton />
  return (
    <Card title="Leaderboard">
      <LoadProblem isBusy={late.isLoading} onRetry={late.retry} />
    </Card>
  )
}
