import { Card } from '#shared/ui/Card.tsx'

/** The card for a signed-in driver before a file is loaded. */
export function NoFileLeaderboardCard() {
  return (
    <Card title="Leaderboard">
      <p className="mt-1 text-muted">Please upload IBT file to view Leaderboard for this track.</p>
    </Card>
  )
}
