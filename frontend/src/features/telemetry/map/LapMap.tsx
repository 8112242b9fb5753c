import type { Lap, Preview } from '@lapwing/telemetry'
import { Minus, PersonStanding, Plus } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { createStore } from '#shared/store/store.ts'
import { useStore } from '#shared/store/use-store.ts'
import { CursorMarkers } from '../cars/CursorMarkers.tsx'
import { zoomKeyAction } from '../cursor-keys.ts'
import type { CursorStore } from '../cursor-store.ts'
import type { DistanceViewStore } from '../distance-view-store.ts'
import type { ColourBy } from '../lap-colouring.ts'
import type { LapComparison } from '../lap-comparison.ts'
import { mainSeries } from '../lap-series.ts'
import { useCoordinator } from '../use-coordinator.ts'
import { useCursorKeys } from '../use-cursor-keys.ts'
import type { BaseSource } from './base-layers.ts'
import { createMapCoordinator, FIRST_STATUS, type MapCoordinator } from './map-coordinator.ts'
import type { MapPlace } from './map-place.ts'
import { baseNote, mapProblem } from './map-words.ts'

export interface LapMapProps {
  readonly preview: Preview
  readonly lap: Lap
  readonly cursor: CursorStore
  readonly view: DistanceViewStore
  readonly comparison: LapComparison | null
  readonly colourBy: ColourBy
  /** The map below the lap; null for our own ground. */
  readonly base: BaseSource | null
  /** Why the wanted map is not there; null if it is. */
  readonly note: string | null
  /** Opens the street at a place; null without a service for it. */
  readonly onStreetView: ((place: MapPlace) => void) | null
  /** Receives the map once it exists, and null when it is gone. */
  readonly onReady: (map: Pick<MapCoordinator, 'resetView'> | null) => void
}

/** Zoom levels of one press. */
const ZOOM_LEVELS = 0.5

const NO_STATUS = createStore(FIRST_STATUS)

/** The driven lap on a flat map: streets, satellite pictures, or a grid without them. */
export function LapMap(props: LapMapProps) {
  const { preview, lap, cursor, view, comparison, colourBy, base, note, onStreetView, onReady } = props
  const descriptionId = useId()
  const container = useRef<HTMLDivElement>(null)
  const lapMarker = useRef<HTMLDivElement>(null)
  const referenceMarker = useRef<HTMLDivElement>(null)
  const moveCursor = useCursorKeys(preview, lap, cursor, view, comparison)
  const coordinator = useCoordinator(
    () =>
      createMapCoordinator(
        {
          container: container.current!,
          lapMarker: lapMarker.current!,
          referenceMarker: referenceMarker.current!,
        },
        cursor,
        view,
      ),
    cursor,
    view,
    onReady,
  )
  const status = useStore(coordinator?.status ?? NO_STATUS)

  useEffect(() => coordinator?.setBase(base), [coordinator, base])

  useEffect(() => coordinator?.setColourBy(colourBy), [coordinator, colourBy])

  useEffect(() => {
    coordinator?.setLap(preview, mainSeries(preview, lap), comparison)
  }, [coordinator, preview, lap, comparison])

  useEffect(() => {
    container.current!.querySelector('canvas')?.setAttribute('aria-describedby', descriptionId)
  }, [status, descriptionId])

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      // The credit of the map has links, which are inside of it.
      if (!(event.target instanceof HTMLCanvasElement)) return
      const zoom = zoomKeyAction(event)
      if (zoom === 'in') coordinator?.zoomBy(ZOOM_LEVELS)
      else if (zoom === 'out') coordinator?.zoomBy(-ZOOM_LEVELS)
      else if (zoom === 'reset') coordinator?.resetView()
      else moveCursor(event)
    }
    const element = container.current!
    element.addEventListener('keydown', onKeyDown)
    return () => element.removeEventListener('keydown', onKeyDown)
  }, [coordinator, moveCursor])

  const problem = mapProblem(status)
  const words = note ?? baseNote(status, base !== null)
  const isGridShown = !problem && (base === null || status.base === 'waiting' || status.base === 'missing')
  return (
    <div className="absolute inset-0 flex flex-col overflow-hidden" data-base={base ? status.base : 'none'}>
      <div className="relative min-h-0 grow">
        <div ref={container} className="size-full bg-card" />
        <p id={descriptionId} className="sr-only">
          {status.description}
        </p>
        <CursorMarkers lapMarker={lapMarker} referenceMarker={referenceMarker} />
        {problem ? (
          <p
            role="status"
            className="absolute inset-0 grid place-items-center bg-card p-6 text-center text-muted"
          >
            {problem}
          </p>
        ) : (
          <div className="pointer-events-none absolute right-2 bottom-2 flex items-end gap-2">
            {isGridShown && status.gridM > 0 && (
              <p className="pointer-events-none rounded-control border border-line bg-card px-2 py-0.5 text-muted text-xs tabular-nums">
                Grid {formatGrid(status.gridM)}
              </p>
            )}
            {onStreetView && (
              <button
                type="button"
                aria-label="Open the street view of this place"
                title="Street view"
                onClick={() => {
                  const place = coordinator?.place()
                  if (place) onStreetView(place)
                }}
                className={`${BUTTON} pointer-events-auto rounded-control border border-line`}
              >
                <PersonStanding size={14} aria-hidden="true" />
              </button>
            )}
            <fieldset className="pointer-events-auto flex flex-col overflow-hidden rounded-control border border-line">
              <legend className="sr-only">Zoom of the map</legend>
              <button
                type="button"
                aria-label="Zoom in"
                onClick={() => coordinator?.zoomBy(ZOOM_LEVELS)}
                className={BUTTON}
              >
                <Plus size={14} aria-hidden="true" />
              </button>
              <button
                type="button"
                aria-label="Zoom out"
                onClick={() => coordinator?.zoomBy(-ZOOM_LEVELS)}
                className={`${BUTTON} border-line border-t`}
              >
                <Minus size={14} aria-hidden="true" />
              </button>
            </fieldset>
          </div>
        )}
      </div>
      {!problem && (
        <p
          role="status"
          className="pointer-events-none border-line bg-card px-2.5 py-1 text-text text-xs empty:hidden max-sm:border-t sm:absolute sm:top-2 sm:left-2 sm:max-w-40 sm:rounded-control sm:border"
        >
          {words}
        </p>
      )}
    </div>
  )
}

const BUTTON =
  'grid size-8 cursor-pointer place-items-center bg-card text-text -outline-offset-2 hover:bg-raised pointer-coarse:size-11'

const formatGrid = (metres: number) => (metres < 1000 ? `${metres} m` : `${metres / 1000} km`)
