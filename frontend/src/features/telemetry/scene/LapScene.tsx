import type { Lap, Preview } from '@lapwing/telemetry'
import { ChevronDown, ChevronUp, Minus, Plus, RotateCcw, RotateCw, Video } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import type { MapSources } from '#shared/config/map-sources.ts'
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
import { followsCar } from './follow-camera.ts'
import { PhotoCreditLine } from './PhotoCreditLine.tsx'
import { createSceneCoordinator, type SceneCoordinator } from './scene-coordinator.ts'
import { cameraKey, TILT_DEG, TURN_DEG } from './scene-keys.ts'
import { FIRST_STATUS } from './scene-status.ts'
import { sceneNote, sceneProblem } from './scene-words.ts'

interface LapSceneProps {
  readonly preview: Preview
  readonly lap: Lap
  readonly cursor: CursorStore
  readonly view: DistanceViewStore
  readonly comparison: LapComparison | null
  readonly colourBy: ColourBy
  readonly sources: MapSources
  /** Metres of the lines above the ground. */
  readonly offsetM: number
  /** Receives the scene once it exists, and null when it is gone. */
  readonly onReady: (scene: Pick<SceneCoordinator, 'resetView'> | null) => void
}

/** Factor of one press. */
const ZOOM_STEP = 1.4

const NO_STATUS = createStore(FIRST_STATUS)

/** The driven lap on the ground in 3D. */
export function LapScene(props: LapSceneProps) {
  const { preview, lap, cursor, view, comparison, colourBy, sources, offsetM, onReady } = props
  const descriptionId = useId()
  const container = useRef<HTMLDivElement>(null)
  const lapMarker = useRef<HTMLDivElement>(null)
  const referenceMarker = useRef<HTMLDivElement>(null)
  const moveCursor = useCursorKeys(preview, lap, cursor, view, comparison)
  const coordinator = useCoordinator(
    () =>
      createSceneCoordinator(
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
  const isFollowing = useStore(followsCar)

  useEffect(() => coordinator?.setSources(sources), [coordinator, sources])

  useEffect(() => coordinator?.setOffset(offsetM), [coordinator, offsetM])

  useEffect(() => coordinator?.setColourBy(colourBy), [coordinator, colourBy])

  useEffect(() => {
    coordinator?.setLap(preview, mainSeries(preview, lap), comparison)
  }, [coordinator, preview, lap, comparison])

  useEffect(() => {
    container.current!.querySelector('canvas')?.setAttribute('aria-describedby', descriptionId)
  }, [status, descriptionId])

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const zoom = zoomKeyAction(event)
      const camera = cameraKey(event)
      if (zoom === 'in') coordinator?.zoomBy(ZOOM_STEP)
      else if (zoom === 'out') coordinator?.zoomBy(1 / ZOOM_STEP)
      else if (zoom === 'reset') coordinator?.resetView()
      else if (camera === 'follow') coordinator?.toggleFollow()
      else if (camera) coordinator?.moveCamera(camera)
      else moveCursor(event)
    }
    const element = container.current!
    element.addEventListener('keydown', onKeyDown)
    return () => element.removeEventListener('keydown', onKeyDown)
  }, [coordinator, moveCursor])

  const problem = sceneProblem(status)
  const turn = (headingDeg: number, tiltDeg: number) => () =>
    coordinator?.moveCamera({ kind: 'orbit', headingDeg, tiltDeg })
  return (
    <div className="absolute inset-0 overflow-hidden" data-photo={status.photo}>
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
        <>
          <p
            role="status"
            className="pointer-events-none absolute top-2 left-2 max-w-40 rounded-control border border-line bg-card px-2.5 py-1 text-text text-xs empty:hidden"
          >
            {sceneNote(status)}
          </p>
          {status.credit && <PhotoCreditLine credit={status.credit} />}
          <div className="pointer-events-none absolute right-2 bottom-2 flex flex-col items-end gap-2 *:pointer-events-auto">
            <button
              type="button"
              aria-label="Follow the car"
              title="Follow the car"
              aria-pressed={isFollowing}
              onClick={() => coordinator?.toggleFollow()}
              className={`${BUTTON} rounded-control border border-line aria-pressed:border-accent aria-pressed:text-accent`}
            >
              <Video size={14} aria-hidden="true" />
            </button>
            <fieldset className={GROUP}>
              <legend className="sr-only">Camera</legend>
              <CameraButton label="Tilt up" onPress={turn(0, TILT_DEG)}>
                <ChevronUp size={14} aria-hidden="true" />
              </CameraButton>
              <CameraButton label="Tilt down" onPress={turn(0, -TILT_DEG)}>
                <ChevronDown size={14} aria-hidden="true" />
              </CameraButton>
              <CameraButton label="Turn left" onPress={turn(TURN_DEG, 0)}>
                <RotateCcw size={14} aria-hidden="true" />
              </CameraButton>
              <CameraButton label="Turn right" onPress={turn(-TURN_DEG, 0)}>
                <RotateCw size={14} aria-hidden="true" />
              </CameraButton>
              <CameraButton label="Zoom in" onPress={() => coordinator?.zoomBy(ZOOM_STEP)}>
                <Plus size={14} aria-hidden="true" />
              </CameraButton>
              <CameraButton label="Zoom out" onPress={() => coordinator?.zoomBy(1 / ZOOM_STEP)}>
                <Minus size={14} aria-hidden="true" />
              </CameraButton>
            </fieldset>
          </div>
        </>
      )}
    </div>
  )
}

interface CameraButtonProps {
  readonly label: string
  readonly onPress: () => void
  readonly children: ReactNode
}

function CameraButton({ label, onPress, children }: CameraButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onPress}
      className={`${BUTTON} [&+&]:border-line [&+&]:border-l`}
    >
      {children}
    </button>
  )
}

const BUTTON =
  'grid size-8 cursor-pointer place-items-center bg-card text-text -outline-offset-2 hover:bg-raised pointer-coarse:size-11'

const GROUP = 'flex overflow-hidden rounded-control border border-line'
