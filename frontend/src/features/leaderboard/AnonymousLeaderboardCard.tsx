import { Lock } from 'lucide-react'
import { Button } from '#shared/ui/Button.tsx'
import { Card } from '#shared/ui/Card.tsx'
import { SkeletonRow } from './SkeletonRow.tsx'

interface AnonymousLeaderboardCardProps {
  readonly hasSession: boolean
  readonly onSignIn: () => void
}

/** The card for a visitor without an account: shows that a board exists, and how to sign in. */
export function AnonymousLeaderboardCard({ hasSession, onSignIn }: AnonymousLeaderboardCardProps) {
  return (
    <Card title="Leaderboard">
      {hasSession ? (
        <div className="relative mt-1">
          <EmptyBoard />
          <div className="absolute inset-0 grid place-items-center">
            <SignInButton onSignIn={onSignIn} />
          </div>
        </div>
      ) : (
        <>
          <p className="mt-1 mb-3 text-muted">Please upload IBT file to view Leaderboard for this track.</p>
          <SignInButton onSignIn={onSignIn} />
        </>
      )}
    </Card>
  )
}

function SignInButton({ onSignIn }: Pick<AnonymousLeaderboardCardProps, 'onSignIn'>) {
  return (
    <Button variant="primary" onClick={onSignIn} className="w-full">
      <Lock size={14} aria-hidden />
      Sign In to Access Leaderboard
    </Button>
  )
}

/** The outline of a board without content. */
function EmptyBoard() {
  return (
    <div aria-hidden="true" className="space-y-2.5 py-1">
      {['w-24', 'w-16', 'w-28', 'w-20', 'w-24'].map((width, index) => (
        <SkeletonRow key={index} name={width} row="gap-3" />
      ))}
    </div>
  )
}
