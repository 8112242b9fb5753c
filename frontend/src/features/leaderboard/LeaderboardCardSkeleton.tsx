import { Card } from '#shared/ui/Card.tsx'
import { CardSkeletonRows } from './CardSkeletonRows.tsx'

/** The card's outline, in its final size, while the parts around it render. */
export function LeaderboardCardSkeleton() {
  return (
    <Card title="Leaderboard" aria-busy>
      <CardSkeletonRows />
      <div aria-hidden="true" className="mt-2.5 h-17 pointer-coarse:h-23">
        <div className="h-8 rounded-control bg-raised pointer-coarse:h-11" />
      </div>
    </Card>
  )
}
