import { Card } from '#shared/ui/Card.tsx'

/** The card before a file is loaded. */
export function NoLapsCard() {
  return (
    <Card title="Laps">
      <p className="mt-1 text-muted">Your laps appear here, each with the reason it counts or not.</p>
    </Card>
  )
}
