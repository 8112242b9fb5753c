import type { ReactNode } from 'react'
import { NoLapsCard } from '#features/laps/NoLapsCard.tsx'
import { AnonymousLeaderboardCard } from '#features/leaderboard/AnonymousLeaderboardCard.tsx'
import { NoFileLeaderboardCard } from '#features/leaderboard/NoFileLeaderboardCard.tsx'
import { DropArea, type DropAreaProps } from '#features/upload/DropArea.tsx'
import { Card } from '#shared/ui/Card.tsx'
import { SignedIn } from '../SignedIn.tsx'
import { useSession } from '../use-session.ts'
import { columns } from './columns.ts'

interface FirstVisitProps extends Omit<DropAreaProps, 'isSignedIn'> {
  readonly onSignIn: () => void
  /** The card of files that were dropped together; null if there are none. */
  readonly offeredFiles: ReactNode
}

/** The page before a file: the drop area, and the outlines of the cards to come. */
export function FirstVisit({ onSignIn, offeredFiles, ...dropArea }: FirstVisitProps) {
  const { status } = useSession()
  return (
    <div className={columns.grid}>
      <title>Lapwing</title>
      <div className={columns.left}>
        {offeredFiles}
        <NoLapsCard />
        <SignedIn fallback={<AnonymousLeaderboardCard hasSession={false} onSignIn={onSignIn} />}>
          {() => <NoFileLeaderboardCard />}
        </SignedIn>
      </div>
      <div className={columns.middle}>
        <DropArea {...dropArea} isSignedIn={status === 'signed-in'} />
      </div>
      <div className={columns.right}>
        <Card title="My Lap Telemetry">
          <p className="mt-1 text-muted">
            Throttle, brake, RPM, gear and steering follow the cursor once a lap is loaded.
          </p>
        </Card>
      </div>
    </div>
  )
}
