import type { Lap, Preview } from '@lapwing/telemetry'
import { clsx } from 'clsx'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { type ReactNode, useId, useMemo, useState } from 'react'
import type { MapSources } from '#shared/config/map-sources.ts'
import { outlineFold } from '#shared/preferences/outline-fold.ts'
import { useStore } from '#shared/store/use-store.ts'
import { Button } from '#shared/ui/Button.tsx'
import { LoadProblem } from '#shared/ui/LoadProblem.tsx'
import { SegmentedControl } from '#shared/ui/SegmentedControl.tsx'
import { Tooltip } from '#shared/ui/Tooltip.tsx'
import { useLazyPart } from '#shared/ui/use-lazy-part.ts'
import { ColourChoice } from './ColourChoice.tsx'
import { ColourLegend } from './ColourLegend.tsx'
import type { CursorStore } from './cursor-store.ts'
import type { DistanceViewStore } from './distance-view-store.ts'
import { clockOf } from './lap-clock.ts'
import { shownColours, wantedColours } from './lap-colouring.ts'
import type { LapComparison } from './lap-comparison.ts'
import { mainSeries } from './lap-series.ts'
import { withRetries } from './load-once.ts'
import { BaseSwitch } from './map/BaseSwitch.tsx'
import { type BaseName, chooseBase } from './map/choose-base.ts'
import { streetViewAddress } from './map/street-view.ts'
import { CursorReadout } from './outline/CursorReadout.tsx'
import { LockHint } from './outline/LockHint.tsx'
import { OutlineFrame } from './outline/OutlineFrame.tsx'
import { OutlineSizer } from './outline/OutlineSizer.tsx'
import { OutlineSurface } from './outline/OutlineSurface.tsx'
import { OutlineZoom } from './outline/OutlineZoom.tsx'
import type { OutlineCoordinator } from './outline/outline-coordinator.ts'
import { FIRST_OFFSET_M, OffsetSlider } from './scene/OffsetSlider.tsx'
import { useLapCursor } from './use-lap-cursor.ts'

interface TrackOutlineProps {
  readonly preview: Preview
  readonly lap: Lap
  readonly cursor: CursorStore
  /** Follows the view buttons in the toolbar, such as the Compare Laps switch. */
  readonly toolbarExtra: ReactNode
  /** The part of the lap that is shown. The outline and the map zoom to a part with a name. */
  readonly view: DistanceViewStore
  /** A second lap to draw below the first, and the corners to number; null without one. */
  readonly comparison: LapComparison | null
  /** Sources of map pictures; null if the operator offers no maps. */
  readonly mapSources: MapSources | null
}

const MAP_VIEWS = [
  { value: '2d', label: '2D' },
  { value: '3d', label: '3D (Photo)' },
] as const

type View = 'outline' | '2d' | '3d'

/** Without it the lap still plays. */
const loadPlaybackBar = async () => (await import('./outline/PlaybackBar.tsx')).PlaybackBar
// A build without maps has no buttons that call these, and drops their imports (`has-maps.ts`).
const loadLapMap = () =>
  __LAPWING_MAPS__ ? withRetries(async () => (await import('./map/LapMap.tsx')).LapMap) : noMaps()
const loadLapScene = () =>
  __LAPWING_MAPS__ ? withRetries(async () => (await import('./scene/LapScene.tsx')).LapScene) : noMaps()
const noMaps = () => Promise.reject<never>(new Error('This build has no maps.'))

/** A card with the driven lap, as an outline or on a map. */
export function TrackOutline(props: TrackOutlineProps) {
  const { preview, lap, cursor, toolbarExtra, view, comparison, mapSources } = props
  const titleId = useId()
  const chartId = useId()
  const [chosen, setChosen] = useState<View>('outline')
  const shown = mapSources ? chosen : 'outline'
  const [outline, setOutline] = useState<OutlineCoordinator | null>(null)
  const [map, setMap] = useState<{ readonly resetView: () => void } | null>(null)
  const [wanted, setWanted] = useState<BaseName>('street')
  const [pressed, setPressed] = useState<BaseName | null>(null)
  const { part: LapMap, ...loadingMap } = useLazyPart(loadLapMap, shown === '2d')
  const { part: LapScene, ...loadingScene } = useLazyPart(loadLapScene, shown === '3d')
  const [offsetM, setOffsetM] = useState(FIRST_OFFSET_M)
  const loading = shown === '3d' ? loadingScene : loadingMap
  const hasDelta = comparison?.delta != null
  const colourBy = shownColours(useStore(wantedColours), hasDelta)
  useLapCursor(lap, cursor)
  const main = useMemo(() => mainSeries(preview, lap), [preview, lap])
  const clock = clockOf(cursor)
  const isClockOn = useStore(clock, state => state.timeS !== null)
  const isFolded = useStore(outlineFold) === 'folded'
  const { part: PlaybackBar } = useLazyPart(loadPlaybackBar, isClockOn)
  const lapProps = { preview, lap, cursor, view, comparison }
  const hasPositions = !preview.debug.missing.includes('lat') && !preview.debug.missing.includes('lon')

  return (
    <section
      aria-labelledby={titleId}
      className="rounded-card border border-line bg-card p-2 sm:p-3 low:p-2 max-[365px]:p-1.5"
    >
      <h2 id={titleId} className="sr-only">
        Track Outline
      </h2>
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <SegmentedControl
          label="View"
          value={shown}
          onValueChange={setChosen}
          segments={[{ value: 'outline', label: 'Outline' }, ...(mapSources ? MAP_VIEWS : [])]}
        />
        <Tooltip content={isFolded ? 'Unfold the outline' : 'Fold the outline: more room for the traces'}>
          <Button
            variant="ghost"
            size="named"
            word="Chart"
            className="max-sm:ml-auto"
            aria-label="Outline chart"
            aria-expanded={!isFolded}
            onClick={() => outlineFold.set(isFolded ? 'open' : 'folded')}
          >
            {isFolded ? <ChevronDown size={16} aria-hidden /> : <ChevronUp size={16} aria-hidden />}
          </Button>
        </Tooltip>
        {toolbarExtra}
        <div className="ml-auto flex flex-wrap items-center gap-2 max-sm:contents">
          <ColourChoice value={colourBy} onValueChange={wantedColours.set} hasDelta={hasDelta} />
          {shown === 'outline' ? (
            <OutlineZoom coordinator={outline} />
          ) : shown === '2d' ? (
            <BaseSwitch
              sources={mapSources!}
              value={wanted}
              onValueChange={base => {
                setWanted(base)
                setPressed(null)
              }}
              onBlocked={setPressed}
            />
          ) : (
            <OffsetSlider value={offsetM} onChange={setOffsetM} />
          )}
          <Button
            className="max-sm:ml-auto low:px-2!"
            onClick={() => (shown === 'outline' ? outline : map)?.resetView()}
          >
            Reset view
          </Button>
        </div>
      </div>
      <div className={FRAME}>
        <OutlineFrame
          id={chartId}
          className={clsx(shown === 'outline' ? CHART : GROUND, isFolded && 'hidden')}
        >
          {shown === 'outline' ? (
            <OutlineSurface
              {...lapProps}
              colourBy={colourBy}
              hasPositions={hasPositions}
              onReady={setOutline}
            />
          ) : shown === '3d' && LapScene ? (
            <LapScene
              {...lapProps}
              colourBy={colourBy}
              sources={mapSources!}
              offsetM={offsetM}
              onReady={setMap}
            />
          ) : shown === '2d' && LapMap ? (
            <LapMap
              {...lapProps}
              colourBy={colourBy}
              {...chooseBase(mapSources!, wanted, pressed)}
              onStreetView={
                mapSources!.streetView === null
                  ? null
                  : place =>
                      window.open(streetViewAddress(mapSources!.streetView!, place), '_blank', 'noopener')
              }
              onReady={setMap}
            />
          ) : (
            <div className="absolute inset-0 grid place-items-center p-6 text-muted">
              {loading.isFailed ? (
                <LoadProblem isBusy={loading.isLoading} onRetry={loading.retry} />
              ) : (
                <p role="status">Loading the map...</p>
              )}
            </div>
          )}
        </OutlineFrame>
        <div data-shows-values className={BESIDE}>
          {/* Beside the chart: on it, it covers a corner's number. */}
          {shown === 'outline' && hasPositions && !isFolded && (
            <p className="px-1.5 pt-1 text-[11px] text-muted">
              The band follows your lap; it is not the road’s edge.
            </p>
          )}
          <div className="@container flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-1 pr-2.5 pl-1.5">
            <CursorReadout {...lapProps} />
            {!isClockOn && <LockHint cursor={cursor} isBrief={comparison !== null} />}
            <div
              className={clsx(
                'grid min-w-0 items-center *:[grid-area:1/1]',
                comparison && '@max-[780px]:basis-full',
                isClockOn && 'grow',
              )}
            >
              <ColourLegend
                by={colourBy}
                series={main}
                comparison={comparison}
                isOnMap={shown !== 'outline'}
                isHidden={isClockOn && PlaybackBar !== null}
              />
              {isClockOn && PlaybackBar && <PlaybackBar main={main} clock={clock} comparison={comparison} />}
            </div>
          </div>
        </div>
      </div>
      {!isFolded && <OutlineSizer controls={chartId} />}
    </section>
  )
}

/** The chart, with the readout and the legend beside it if both fit, otherwise below it. */
const FRAME = 'flex flex-wrap overflow-hidden rounded-control border border-line bg-bg'
/**
 * The height is 60 % of the width, or the share of it that the driver chose. Beside the readout, the width leaves the
 * traces their space on the screen. Alone on its line, the chart has the whole width. If the traces are beside the card,
 * the choice sets the width of the card.
 */
const CHART =
  'relative aspect-[calc(5/3/var(--outline-size))] min-w-[320px] max-w-full shrink grow basis-[max(366px,(100svh-var(--beside-outline))*5/3)] border-line @min-[1150px]:aspect-5/3 low:aspect-5/3'
/** A map has the whole width of the card and, above the traces, up to two fifths of the window's height. */
const GROUND =
  'relative h-[calc(min(max(60cqi,320px),40svh)*var(--outline-size))] w-full @min-[1150px]:aspect-5/3 @min-[1150px]:h-auto low:aspect-5/3 low:h-auto'
/** Takes nearly all of the space that is left on its line, so that the chart keeps its basis. */
const BESIDE = 'min-w-0 grow-9999 basis-[200px] content-end'
