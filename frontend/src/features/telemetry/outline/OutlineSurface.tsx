import type { Lap, Preview } from '@lapwing/telemetry'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { CornerButtons } from '../CornerButtons.tsx'
import { zoomKeyAction } from '../cursor-keys.ts'
import type { CursorStore } from '../cursor-store.ts'
import type { DistanceViewStore } from '../distance-view-store.ts'
import type { ColourBy } from '../lap-colouring.ts'
import type { LapComparison } from '../lap-comparison.ts'
import { mainSeries } from '../lap-series.ts'
import { useCoordinator } from '../use-coordinator.ts'
import { useCursorKeys } from '../use-cursor-keys.ts'
import { createOutlineCoordinator, type OutlineCoordinator } from './outline-coordinator.ts'
import { ZOOM_STEP } from './outline-view.ts'

interface OutlineSurfaceProps {
  readonly preview: Preview
  readonly lap: Lap
  readonly cursor: CursorStore
  readonly view: DistanceViewStore
  readonly comparison: LapComparison | null
  readonly colourBy: ColourBy
  /** Whether the file says where the car was. */
  readonly hasPositions: boolean
  /** Receives the outline once it exists, and null when it is gone. */
  readonly onReady: (outline: OutlineCoordinator | null) => void
}

/** The driven lap, drawn by our own canvas renderer (D-22). Fills its parent. */
export function OutlineSurface(props: OutlineSurfaceProps) {
  const { preview, lap, cursor, view, comparison, colourBy, hasPositions, onReady } = props
  const surface = useRef<HTMLDivElement>(null)
  const lapsCanvas = useRef<HTMLCanvasElement>(null)
  const cursorCanvas = useRef<HTMLCanvasElement>(null)
  const overlay = useRef<HTMLDivElement>(null)
  const moveCursor = useCursorKeys(preview, lap, cursor, view, comparison)
  const coordinator = useCoordinator(
    () =>
      createOutlineCoordinator(
        {
          surface: surface.current!,
          lapsCanvas: lapsCanvas.current!,
          cursorCanvas: cursorCanvas.current!,
          overlay: overlay.current!,
        },
        cursor,
        view,
      ),
    cursor,
    view,
    onReady,
  )

  useEffect(() => {
    coordinator?.setLap(mainSeries(preview, lap), comparison)
  }, [coordinator, preview, lap, comparison])

  useEffect(() => coordinator?.setColourBy(colourBy), [coordinator, colourBy])

  function onKeyDown(event: KeyboardEvent) {
    const zoom = zoomKeyAction(event)
    if (zoom === 'in') coordinator?.zoomBy(ZOOM_STEP)
    else if (zoom === 'out') coordinator?.zoomBy(1 / ZOOM_STEP)
    else if (zoom === 'reset') coordinator?.resetView()
    else moveCursor(event)
  }

  return (
    <>
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
      <div ref={overlay} className="pointer-events-none absolute inset-0 overflow-hidden rounded-t-lg">
        {comparison && (
          <CornerButtons
            label="Corners on the outline"
            comparison={comparison}
            view={view}
            className="absolute inset-0"
          />
        )}
      </div>
      {!hasPositions && (
        <p className="pointer-events-none absolute inset-0 grid place-items-center p-6 text-center text-muted">
          This file holds no positions, so there is no outline to draw. The traces below show the lap.
        </p>
      )}
    </>
  )
}
