import { Card } from '#shared/ui/Card.tsx'

export interface LeaderboardCardProps {
  readonly hasSession: boolean
}

/** What somebody sees who is signed in. No service keeps a leaderboard yet, and the card says so. */
export function LeaderboardCard({ hasSession }: LeaderboardCardProps) {
  return (
    <Card title="Leaderboard">
      <p className="mt-1 text-muted">
        {hasSession
          ? 'Leaderboards are not available in this version yet.'
          : 'Please upload IBT file to view Leaderboard for this track.'}
      </p>
    </Card>
  )
}
