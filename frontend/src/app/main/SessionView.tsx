import { useMemo, useRef, useState } from 'react'
import { LapsCard } from '#features/laps/LapsCard.tsx'
import { useLapSelection } from '#features/laps/use-lap-selection.ts'
import { AnonymousLeaderboardCard } from '#features/leaderboard/AnonymousLeaderboardCard.tsx'
import { LeaderboardCard } from '#features/leaderboard/LeaderboardCard.tsx'
import { createCursorStore } from '#features/telemetry/cursor-store.ts'
import { LapGauges } from '#features/telemetry/LapGauges.tsx'
import { LapTraces } from '#features/telemetry/LapTraces.tsx'
import { mainSeries } from '#features/telemetry/lap-series.ts'
import { TrackOutline } from '#features/telemetry/TrackOutline.tsx'
import { FileCard } from '#features/upload/FileCard.tsx'
import type { Session } from '#features/upload/upload-store.ts'
import { useLater } from '#shared/ui/use-later.ts'
import { SignedIn } from '../SignedIn.tsx'
import { CardSkeleton } from './CardSkeleton.tsx'
import { columns } from './columns.ts'
import { useStrayKeys } from './use-stray-keys.ts'

export interface SessionViewProps {
  readonly session: Session
  readonly onReplace: () => void
  readonly onClose: () => void
  readonly onSignIn: () => void
}

/** A loaded session. Mounted anew for each file, so that nothing of the last one stays behind. */
export function SessionView({ session, onReplace, onClose, onSignIn }: SessionViewProps) {
  const { preview } = session
  const [cursor] = useState(createCursorStore)
  const selection = useLapSelection(preview.laps)
  const lap = selection.selected
  const series = useMemo(() => lap && mainSeries(preview, lap), [preview, lap])

  // The outline first, then one part a frame, so that no part makes the page wait for another.
  const drawTraces = useLater()
  const drawGauges = useLater(drawTraces)
  const middle = useRef<HTMLDivElement>(null)
  useStrayKeys(middle)

  return (
    <div className={columns.grid}>
      <div className={columns.left}>
        <FileCard session={session} onReplace={onReplace} onClose={onClose} />
        <LapsCard laps={preview.laps} selection={selection} />
        <SignedIn fallback={<AnonymousLeaderboardCard hasSession onSignIn={onSignIn} />}>
          {() => <LeaderboardCard hasSession />}
        </SignedIn>
      </div>
      <div ref={middle} className={columns.middle}>
        {lap && (
          <>
            <TrackOutline preview={preview} lap={lap} cursor={cursor} />
            {drawTraces ? (
              <LapTraces preview={preview} lap={lap} cursor={cursor} />
            ) : (
              <CardSkeleton of="traces" />
            )}
          </>
        )}
      </div>
      <div className={columns.right}>
        {series && drawGauges && <LapGauges title="My Lap Telemetry" series={series} cursor={cursor} />}
        {series && !drawGauges && <CardSkeleton of="gauges" />}
      </div>
    </div>
  )
}
