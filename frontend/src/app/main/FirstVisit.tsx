import type { ReactNode } from 'react'
import { AnonymousLeaderboardCard } from '#features/leaderboard/AnonymousLeaderboardCard.tsx'
import { DropArea, type DropAreaProps } from '#features/upload/DropArea.tsx'
import { Card } from '#shared/ui/Card.tsx'
import { SignedIn } from '../SignedIn.tsx'
import { useSession } from '../use-session.ts'
import { columns } from './columns.ts'

interface FirstVisitProps extends Omit<DropAreaProps, 'isSignedIn'> {
  readonly onSignIn: () => void
  /** The card of files that were dropped together; null if there are none. */
  readonly offeredFiles: ReactNode
  /** The card of the driver's last saved laps; empty without any. */
  readonly recentLaps: ReactNode
}

/** The page before a file: the drop area, and the outlines of the cards to come. */
export function FirstVisit({ onSignIn, offeredFiles, recentLaps, ...dropArea }: FirstVisitProps) {
  const { status } = useSession()
  return (
    <div className={columns.grid}>
      <title>Lapwing</title>
      <div className={columns.left}>
        {offeredFiles}
        <EmptyCard title="Laps">Your laps appear here, each with the reason it counts or not.</EmptyCard>
        <SignedIn fallback={<AnonymousLeaderboardCard hasSession={false} onSignIn={onSignIn} />}>
          {() => (
            <EmptyCard title="Leaderboard">
              Please upload IBT file to view Leaderboard for this track.
            </EmptyCard>
          )}
        </SignedIn>
        {/* Last, because it comes late and must move nothing. */}
        {recentLaps}
      </div>
      <div className={columns.middle}>
        <DropArea {...dropArea} isSignedIn={status === 'signed-in'} />
      </div>
      <div className={columns.right}>
        <EmptyCard title="My Lap Telemetry">
          Throttle, brake, RPM, gear and steering follow the cursor once a lap is loaded.
        </EmptyCard>
      </div>
    </div>
  )
}

function EmptyCard({ title, children }: { readonly title: string; readonly children: string }) {
  return (
    <Card title={title}>
      <p className="mt-1 text-muted">{children}</p>
    </Card>
  )
}
