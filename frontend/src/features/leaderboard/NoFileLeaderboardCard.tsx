import { Card } from '#shared/ui/Card.tsx'

/** What somebody sees who is signed in, before a file is loaded. */
export function NoFileLeaderboardCard() {
  return (
    <Card title="Leaderboard">
      <p className="mt-1 text-muted">Please upload IBT file to view Leaderboard for this track.</p>
    </Card>
  )
}
