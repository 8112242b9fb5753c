import type { Lap, Preview } from '@lapwing/telemetry'
import { Minus, Plus } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { speedUnit } from '#shared/preferences/units.ts'
import { createStore } from '#shared/store/store.ts'
import { useStore } from '#shared/store/use-store.ts'
import { Button } from '#shared/ui/Button.tsx'
import { SegmentedControl } from '#shared/ui/SegmentedControl.tsx'
import { zoomKeyAction } from './cursor-keys.ts'
import type { CursorStore } from './cursor-store.ts'
import type { DistanceViewStore } from './distance-view-store.ts'
import type { LapComparison } from './lap-comparison.ts'
import { mainSeries } from './lap-series.ts'
import { CursorReadout } from './outline/CursorReadout.tsx'
import { LockHint } from './outline/LockHint.tsx'
import { createOutlineCoordinator, type OutlineCoordinator } from './outline/outline-coordinator.ts'
import { FITTED_VIEW, formatZoom, MAX_ZOOM, MIN_ZOOM, ZOOM_STEP } from './outline/outline-view.ts'
import { PedalLegend } from './outline/PedalLegend.tsx'
import { useCursorKeys } from './use-cursor-keys.ts'
import { useLapCursor } from './use-lap-cursor.ts'

interface TrackOutlineProps {
  readonly preview: Preview
  readonly lap: Lap
  readonly cursor: CursorStore
  /** Follows the view buttons in the toolbar, such as the Compare Laps switch. */
  readonly toolbarExtra: ReactNode
  /** The part of the lap that is shown. The outline zooms to a part with a name. */
  readonly view: DistanceViewStore
  /** A second lap to draw below the first, and the corners to number; null without one. */
  readonly comparison: LapComparison | null
}

/** A card with the driven lap, drawn by our own canvas renderer (D-22). */
export function TrackOutline({ preview, lap, cursor, toolbarExtra, view, comparison }: TrackOutlineProps) {
  const titleId = useId()
  const surface = useRef<HTMLDivElement>(null)
  const lapsCanvas = useRef<HTMLCanvasElement>(null)
  const cursorCanvas = useRef<HTMLCanvasElement>(null)
  const [coordinator, setCoordinator] = useState<OutlineCoordinator | null>(null)
  const moveCursor = useCursorKeys(preview, lap, cursor)
  useLapCursor(lap, cursor)
  const unit = useStore(speedUnit)

  useEffect(() => {
    const created = createOutlineCoordinator(
      { surface: surface.current!, lapsCanvas: lapsCanvas.current!, cursorCanvas: cursorCanvas.current! },
      cursor,
      view,
    )
    setCoordinator(created)
    return () => created.destroy()
  }, [cursor, view])

  useEffect(() => {
    coordinator?.setLap(mainSeries(preview, lap), comparison)
  }, [coordinator, preview, lap, comparison])

  useEffect(() => coordinator?.setSpeedUnit(unit), [coordinator, unit])

  function onKeyDown(event: KeyboardEvent) {
    const zoom = zoomKeyAction(event)
    if (zoom === 'in') coordinator?.zoomBy(ZOOM_STEP)
    else if (zoom === 'out') coordinator?.zoomBy(1 / ZOOM_STEP)
    else if (zoom === 'reset') coordinator?.resetView()
    else moveCursor(event)
  }

  const hasPositions = !preview.debug.missing.includes('lat') && !preview.debug.missing.includes('lon')

  return (
    <section
      aria-labelledby={titleId}
      className="rounded-card border border-line bg-card p-2 sm:p-3 max-[365px]:p-1.5"
    >
      <h2 id={titleId} className="sr-only">
        Track Outline
      </h2>
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <SegmentedControl
          label="View"
          value="outline"
          onValueChange={() => {}}
          segments={[{ value: 'outline', label: 'Outline' }]}
        />
        {toolbarExtra}
        <ZoomControls coordinator={coordinator} />
      </div>
      <div className={FRAME}>
        <div className={CHART}>
          <canvas ref={lapsCanvas} className="absolute inset-0 size-full" />
          <canvas ref={cursorCanvas} className="absolute inset-0 size-full" />
          <div
            ref={surface}
            role="slider"
            tabIndex={0}
            aria-label={`Lap ${lap.lap} on the track outline`}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={0}
            onKeyDown={onKeyDown}
            className="absolute inset-0 cursor-crosshair select-none rounded-t-lg focus-visible:-outline-offset-2"
          />
          {!hasPositions && (
            <p className="pointer-events-none absolute inset-0 grid place-items-center p-6 text-center text-muted">
              This file holds no positions, so there is no outline to draw. The traces below show the lap.
            </p>
          )}
        </div>
        <div className={BESIDE}>
          <div className="@container flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-1 pr-2.5 pl-1.5">
            <CursorReadout preview={preview} lap={lap} cursor={cursor} comparison={comparison} />
            <LockHint cursor={cursor} isBrief={comparison !== null} />
            <PedalLegend hasReference={comparison !== null} />
          </div>
        </div>
      </div>
    </section>
  )
}

/** The chart, with the readout and the legend beside it if both fit, otherwise below it. */
const FRAME = 'flex flex-wrap overflow-hidden rounded-control border border-line bg-bg'
/**
 * The height is 60 % of the width. Beside the readout, the width leaves the traces their space on the screen.
 * Alone on its line, the chart has the whole width.
 */
const CHART =
  'relative aspect-5/3 min-w-[320px] max-w-full shrink grow basis-[max(433px,(100svh-var(--beside-outline))*5/3)] border-line'
/** Takes nearly all of the space that is left on its line, so that the chart keeps its basis. */
const BESIDE = 'min-w-0 grow-9999 basis-[200px] content-end'

/** The view before the coordinator exists. */
const NO_VIEW = createStore(FITTED_VIEW)

function ZoomControls({ coordinator }: { readonly coordinator: OutlineCoordinator | null }) {
  const view = useStore(coordinator?.view ?? NO_VIEW)
  // Not `disabled` at the end of the range: a keyboard user keeps the focus after the press.
  const button =
    'grid h-8 w-9 cursor-pointer place-items-center text-text -outline-offset-2 hover:bg-raised aria-disabled:cursor-not-allowed aria-disabled:bg-transparent aria-disabled:text-muted aria-disabled:opacity-50 pointer-coarse:h-11 pointer-coarse:w-11'
  return (
    <div className="ml-auto flex items-center gap-2">
      <fieldset className="flex items-center overflow-hidden rounded-control border border-line">
        <legend className="sr-only">Zoom</legend>
        <button
          type="button"
          aria-label="Zoom out"
          aria-disabled={view.zoom <= MIN_ZOOM}
          onClick={() => coordinator?.zoomBy(1 / ZOOM_STEP)}
          className={button}
        >
          <Minus size={14} aria-hidden="true" />
        </button>
        <output className="w-11 text-center font-medium text-muted tabular-nums">
          {formatZoom(view.zoom)}
        </output>
        <button
          type="button"
          aria-label="Zoom in"
          aria-disabled={view.zoom >= MAX_ZOOM}
          onClick={() => coordinator?.zoomBy(ZOOM_STEP)}
          className={button}
        >
          <Plus size={14} aria-hidden="true" />
        </button>
      </fieldset>
      <Button onClick={() => coordinator?.resetView()}>Reset view</Button>
    </div>
  )
}
