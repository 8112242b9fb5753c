import './session.css'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { CompareSwitch } from '#features/compare/CompareSwitch.tsx'
import { ReferenceCard } from '#features/compare/ReferenceCard.tsx'
import { LapFiguresCard } from '#features/laps/LapFiguresCard.tsx'
import { LapsCard } from '#features/laps/LapsCard.tsx'
import { useLapSelection } from '#features/laps/use-lap-selection.ts'
import { AnonymousLeaderboardCard } from '#features/leaderboard/AnonymousLeaderboardCard.tsx'
import { findOwnBest } from '#features/leaderboard/find-own-best.ts'
import { LeaderboardCardSkeleton } from '#features/leaderboard/LeaderboardCardSkeleton.tsx'
import { findLapToCatch } from '#features/leaderboard/lap-to-catch.ts'
import { FileOwnerLine } from '#features/save-lap/FileOwnerLine.tsx'
import { SaveLapStatus } from '#features/save-lap/SaveLapStatus.tsx'
import { createCursorStore } from '#features/telemetry/cursor-store.ts'
import { createDistanceViewStore } from '#features/telemetry/distance-view-store.ts'
import { LapGauges } from '#features/telemetry/LapGauges.tsx'
import { LapTraces } from '#features/telemetry/LapTraces.tsx'
import { mainSeries } from '#features/telemetry/lap-series.ts'
import { TrackOutline } from '#features/telemetry/TrackOutline.tsx'
import { FileCard } from '#features/upload/FileCard.tsx'
import type { Session } from '#features/upload/upload-store.ts'
import { type Combination, combinationOf } from '#shared/boards/combination.ts'
import { isTimedLap } from '#shared/laps/is-timed-lap.ts'
import { lazyDialog } from '#shared/ui/lazy-dialog.tsx'
import { useLater } from '#shared/ui/use-later.ts'
import { type PageDeps, usePageDeps } from '../page-deps.ts'
import { SignedIn } from '../SignedIn.tsx'
import { useRunTimeConfig } from '../use-run-time-config.ts'
import { CardSkeleton } from './CardSkeleton.tsx'
import { columns } from './columns.ts'
import { LateBestLap, useIsWithheld } from './LateBestLap.tsx'
import { LateBoard } from './LateBoard.tsx'
import { AnyChannelButton, LateChannels } from './LateChannels.tsx'
import { LateTimeLost } from './LateTimeLost.tsx'
import { loadLibrary } from './load-library.ts'
import { useComparison } from './use-comparison.ts'
import { useStrayKeys } from './use-stray-keys.ts'
import { Views } from './Views.tsx'

interface SessionViewProps {
  readonly session: Session
  /** The card of files that were dropped together; null if there are none. */
  readonly offeredFiles: ReactNode
  readonly onReplace: () => void
  readonly onClose: () => void
  readonly onSignIn: () => void
  readonly onYourLaps: () => void
  /** Opens the driver's library; null for a driver without one. */
  readonly onLibrary: (() => void) | null
}

/** A loaded session. Mounts again for each file, so that no state of the last one remains. */
export function SessionView(props: SessionViewProps) {
  const { session, offeredFiles, onReplace, onClose, onSignIn, onYourLaps, onLibrary } = props
  const { preview } = session
  const deps = usePageDeps()
  const { compare, boards, saveLap, fileOwner } = deps
  const isWithheld = useIsWithheld(session)
  const config = useRunTimeConfig()
  const combination = useMemo(() => combinationOf(preview.meta), [preview])
  const [cursor] = useState(createCursorStore)
  const [view] = useState(createDistanceViewStore)
  const selection = useLapSelection(preview.laps)
  const { lap, isOn, problem, compared, comparison, hasReference, source, ideal, ...compareState } =
    useComparison(preview, selection.selected)
  const referenceOfFile = compareState.proofLap ?? (source?.kind === 'session' ? source.lap : null)
  const [isStudied, setStudied] = useState(false)
  const [reasonPlace, setReasonPlace] = useState<HTMLElement | null>(null)
  const series = useMemo(() => lap && mainSeries(preview, lap), [preview, lap])

  // The outline first, then one part a frame, so that no part delays another.
  const drawTraces = useLater()
  const drawGauges = useLater(drawTraces)
  const drawBoard = useLater(drawGauges)
  const middle = useRef<HTMLDivElement>(null)
  useStrayKeys(middle)

  return (
    <div className={`session-grid ${columns.grid}`}>
      <div className={columns.leftCards}>
        <FileCard session={session} onReplace={onReplace} onClose={onClose} onLibrary={onLibrary}>
          <FileOwnerLine store={fileOwner} />
          <SaveLapStatus store={saveLap} />
          <LateBestLap session={session} />
        </FileCard>
        {offeredFiles}
        <div className={columns.laps}>
          <SessionDialog
            open={isStudied}
            onOpenChange={setStudied}
            session={session}
            corners={compared?.corners}
            selection={selection}
          />
          <LapsCard laps={preview.laps} selection={selection} onSession={() => setStudied(true)} />
          {isOn && selection.selected && (
            <ReferenceCard
              compare={compare}
              laps={preview.laps}
              lap={selection.selected}
              ideal={ideal}
              onOpenPart={({ lap, fromPct, toPct }) => {
                selection.select(lap)
                const lengthM = comparison?.lengthM ?? 100
                view.set({ minM: fromPct * lengthM, maxM: toPct * lengthM })
              }}
              note={problem}
              findBest={combination ? refused => findOwnBest(boards.api, combination, refused) : undefined}
              findInLibrary={combination && onLibrary ? () => findInLibrary(combination, deps) : undefined}
              findAhead={
                combination ? refused => findLapToCatch(boards.api, combination, refused) : undefined
              }
            />
          )}
        </div>
        <SignedIn fallback={<AnonymousLeaderboardCard hasSession onSignIn={onSignIn} />}>
          {({ session: { userId } }) =>
            drawBoard ? (
              <LateBoard
                userId={userId}
                combination={combination}
                isSample={session.file === null && session.savedLap === null}
                isUnsaved={session.savedLap !== null || isWithheld || !preview.laps.some(isTimedLap)}
                onYourLaps={onYourLaps}
              />
            ) : (
              <LeaderboardCardSkeleton />
            )
          }
        </SignedIn>
      </div>
      <div ref={middle} className={columns.middle}>
        {isOn && (
          <div className="session-reason rounded-card border border-line bg-card p-3 text-xs leading-snug">
            <div ref={setReasonPlace} className="flex items-start gap-2" />
            {!hasReference && <p className="text-muted">Pick a reference lap to see where the time goes.</p>}
          </div>
        )}
        {lap && (
          <Views>
            <TrackOutline
              preview={preview}
              lap={lap}
              cursor={cursor}
              view={view}
              comparison={comparison}
              toolbarExtra={<CompareSwitch compare={compare} onSignIn={onSignIn} />}
              mapSources={config?.maps ? config.mapSources : null}
            />
            {drawTraces ? (
              <LapTraces
                preview={preview}
                lap={lap}
                cursor={cursor}
                view={view}
                comparison={comparison}
                anyChannel={<AnyChannelButton />}
              />
            ) : (
              <CardSkeleton of="traces" />
            )}
          </Views>
        )}
        {lap && (
          <LateChannels
            session={session}
            lap={lap}
            cursor={cursor}
            view={view}
            comparison={comparison}
            reference={comparison && referenceOfFile}
            canStart={drawGauges}
          />
        )}
      </div>
      <div className={columns.right}>
        {series && (
          <div data-value-strip className={columns.gauges}>
            {drawGauges ? (
              <LapGauges title="My Lap Telemetry" series={series} cursor={cursor} meta={preview.meta} />
            ) : (
              <CardSkeleton of="gauges" />
            )}
            {drawGauges && comparison && (
              <LapGauges
                title="Reference Lap Telemetry"
                series={comparison.reference}
                main={series}
                cursor={cursor}
                meta={preview.meta}
              />
            )}
          </div>
        )}
        {series && drawGauges && !comparison && lap?.figures && (
          <LapFiguresCard lap={series.name} figures={lap.figures} />
        )}
        {series && lap && source && compared?.difference && comparison && (
          <LateTimeLost
            lap={series.name}
            reference={compared.reference.name}
            stretches={compared.difference.stretches}
            lengthM={comparison.lengthM}
            view={view}
            {...compareState}
            of={{ preview, lap, source }}
            views={middle}
            reasonPlace={reasonPlace}
          />
        )}
      </div>
    </div>
  )
}

/** All laps of the session side by side. */
const SessionDialog = lazyDialog(
  'Session',
  async () => (await import('#features/session/SessionDialog.tsx')).SessionDialog,
)

/** The code of the library is loaded when it is first used. */
const findInLibrary = async (combination: Combination, deps: PageDeps) =>
  (await loadLibrary()).findBestInLibrary(combination, deps)

export { default as Chart } from 'uplot'
/** For the progress of the library: as parts of their own, they would cost the first session 500 bytes. */
export { readTokens, watchTokens } from '#shared/drawing/read-tokens.ts'
