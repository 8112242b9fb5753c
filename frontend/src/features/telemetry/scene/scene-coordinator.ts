import type { Preview } from '@lapwing/telemetry'
import { type MapSources, NO_MAP_SOURCES } from '#shared/config/map-sources.ts'
import type { SpeedUnit } from '#shared/preferences/units.ts'
import { createStore } from '#shared/store/store.ts'
import { describeSlider } from '../cursor-slider.ts'
import type { CursorStore } from '../cursor-store.ts'
import { type DistanceViewStore, followNamedParts } from '../distance-view-store.ts'
import { everyFrame, followCursor } from '../every-frame.ts'
import { type ColourBy, colourLap } from '../lap-colouring.ts'
import type { LapComparison } from '../lap-comparison.ts'
import { lapDistance } from '../lap-distance.ts'
import { keepsView, type LapSeries, rowInLap } from '../lap-series.ts'
import { withRetries } from '../load-once.ts'
import { readTokens, watchTokens } from '../read-tokens.ts'
import { rowAtSamePosition } from '../same-position.ts'
import { watchPixelRatio } from '../watch-pixel-ratio.ts'
import {
  type CameraPose,
  cameraAxes,
  cameraPosition,
  FIRST_HEADING_DEG,
  FIRST_TILT_DEG,
  fitPose,
  nearestProjected,
  orbit,
  pan,
  projectPoints,
  type ScenePoint,
  zoom,
} from './camera-pose.ts'
import { FIRST_OFFSET_M } from './OffsetSlider.tsx'
import { findSceneCorners, type SceneCorner } from './scene-corners.ts'
import { pointAt, pointsIn, type SceneDrawing, type SceneSite, sceneDrawings } from './scene-drawing.ts'
import { bindSceneGestures, type SceneGestureTarget } from './scene-gestures.ts'
import type { CameraKey } from './scene-keys.ts'
import { drawLabels } from './scene-labels.ts'
import { createSceneRenderer, type SceneRenderer } from './scene-renderer.ts'
import { FIRST_STATUS } from './scene-status.ts'
import { describeScene, photoWords } from './scene-words.ts'
import { skyLight } from './sky-light.ts'

/** Decides what the scene shows, and turns pointer events into the cursor and the camera. */
export type SceneCoordinator = ReturnType<typeof createSceneCoordinator>

export interface SceneElements {
  /** An empty element, in which the scene is created. */
  readonly container: HTMLElement
  /** Marks of the cursor above the scene, placed by their middle. */
  readonly lapMarker: HTMLElement
  readonly referenceMarker: HTMLElement
}

/** Degrees that a drag across one pixel turns. */
const DRAG_DEG = 0.3

const FIRST_POSE: CameraPose = {
  target: { x: 0, y: 0, z: 0 },
  rangeM: 1000,
  tiltDeg: FIRST_TILT_DEG,
  headingDeg: FIRST_HEADING_DEG,
}

/** What exists while a scene is shown. */
interface Surface {
  readonly canvas: HTMLCanvasElement
  /** Lies above, for words. */
  readonly labels: HTMLCanvasElement
  readonly context: CanvasRenderingContext2D
  readonly renderer: SceneRenderer
  readonly unbind: () => void
}

export function createSceneCoordinator(
  { container, lapMarker, referenceMarker }: SceneElements,
  cursor: CursorStore,
  distanceView: DistanceViewStore,
) {
  const status = createStore(FIRST_STATUS)
  let surface: Surface | null = null
  let drawing: SceneDrawing | null = null
  let source: Preview | null = null
  let main: LapSeries | null = null
  let comparison: LapComparison | null = null
  let metres: Float64Array = new Float64Array(0)
  let speedUnit: SpeedUnit = 'km/h'
  let prepared: {
    readonly preview: Preview
    readonly prepare: ReturnType<typeof sceneDrawings>
    corners: readonly SceneCorner[]
  } | null = null
  let tokens = readTokens()
  let pose = FIRST_POSE
  let offsetM = FIRST_OFFSET_M
  let colourBy: ColourBy = 'pedals'
  /** What the view is fitted to: rows of the lap, or all of it; null after the driver has moved the view. */
  let target: { readonly from: number; readonly to: number } | 'lap' | null = 'lap'
  let sources: MapSources = NO_MAP_SOURCES
  /** Counts the attempts to show a source; an older one is stale. */
  let photoRun = 0
  let photoSite: SceneSite | null = null
  let size = { width: 0, height: 0 }
  let isDrawnDue = true
  /** Pixels of the lap's rows in the present view; null until a pointer asks for them. */
  let projected: Float32Array | null = null

  function draw() {
    if (!surface || !drawing || size.width === 0) return
    surface.renderer.draw(pose)
    projected = null
    paintLabels()
    placeMarkers()
    if (!isDrawnDue) return
    isDrawnDue = false
    performance.mark('lapwing:scene-drawn')
  }
  const drawSoon = everyFrame(draw)

  function project(points: ArrayLike<number>, lift: number): Float32Array {
    const into = new Float32Array((points.length / 3) * 2)
    const eye = cameraPosition(pose)
    projectPoints({ ...eye, y: eye.y - lift }, cameraAxes(pose), size, points, into)
    return into
  }

  function paintLabels() {
    const ratio = window.devicePixelRatio
    const points = drawing!.labels.flatMap(({ x, y, z }) => [x, y, z])
    surface!.context.setTransform(ratio, 0, 0, ratio, 0, 0)
    drawLabels(surface!.context, drawing!.labels, project(points, 0), size, tokens)
  }

  function placeMarkers() {
    if (!surface || !drawing || !main) return
    const row = rowInLap(cursor.get().row, main.lap)
    const reference = comparison?.reference
    const otherRow = row !== null && reference ? rowAtSamePosition(main, row, reference) : null
    put(lapMarker, row === null ? null : pointAt(drawing.lap, row - main.lap.row_start))
    put(
      referenceMarker,
      otherRow === null || !drawing.reference
        ? null
        : pointAt(drawing.reference, otherRow - reference!.lap.row_start),
    )
    lapMarker.dataset.locked = String(cursor.get().locked)
  }

  function put(marker: HTMLElement, point: ScenePoint | null) {
    const [x, y] = point ? project([point.x, point.y, point.z], offsetM) : []
    marker.hidden = x === undefined || Number.isNaN(x)
    if (!marker.hidden) marker.style.transform = `translate(${x}px, ${y}px)`
  }

  function drawCursor() {
    if (main && surface) describeSlider(surface.canvas, main, cursor.get().row, speedUnit, comparison)
    placeMarkers()
  }

  function rowAt({ x, y }: { readonly x: number; readonly y: number }): number | null {
    if (!drawing || !main) return null
    projected ??= project(drawing.lap, offsetM)
    const at = nearestProjected(projected, x, y)
    return at < 0 ? null : main.lap.row_start + at
  }

  function setPose(next: CameraPose) {
    pose = next
    drawSoon()
  }

  function fit() {
    if (!drawing || target === null || size.width === 0) return
    const points = target === 'lap' ? pointsIn(drawing.lap) : pointsIn(drawing.lap, target.from, target.to)
    setPose(fitPose(pose, points, size))
  }

  /** Moves the view by hand, so that it no longer follows the lap. */
  function move(next: CameraPose) {
    target = null
    setPose(next)
  }

  function resetView() {
    target = 'lap'
    pose = { ...pose, tiltDeg: FIRST_TILT_DEG, headingDeg: FIRST_HEADING_DEG }
    fit()
  }

  const parts = followNamedParts(distanceView, {
    focus({ minM, maxM }) {
      const isBetween = (metre: number) => metre >= minM && metre <= maxM
      const from = metres.findIndex(isBetween)
      if (!surface || from < 0) return false
      target = { from, to: metres.findLastIndex(isBetween) }
      fit()
      return true
    },
    reset: resetView,
  })

  function start() {
    const canvas = createCanvas(container)
    // A lost context stays with its canvas, so each start has a new one.
    const labels = createCanvas(container)
    labels.style.pointerEvents = 'none'
    canvas.role = 'slider'
    canvas.tabIndex = 0
    canvas.ariaValueMin = '0'
    canvas.ariaValueMax = '100'
    canvas.style.touchAction = 'pan-y'
    try {
      const renderer = createSceneRenderer(canvas, isLost => {
        status.patch({ isLost })
        if (isLost) return
        isDrawnDue = true
        drawSoon()
      })
      const unbind = bindSceneGestures(canvas, gestures)
      surface = { canvas, labels, context: labels.getContext('2d')!, renderer, unbind }
    } catch {
      container.replaceChildren()
      status.patch({ problem: 'no-webgl' })
    }
  }

  function stop() {
    photoRun++
    photoSite = null
    surface?.unbind()
    surface?.renderer.destroy()
    surface = null
    container.replaceChildren()
  }

  /** Shows the first source that works, from `index` on; our own ground until then, and after the last one. */
  async function showPhoto(index: number, note: string | null): Promise<void> {
    const run = ++photoRun
    const isStale = () => run !== photoRun || !surface || !drawing
    if (!surface || !drawing) return
    surface.renderer.setPhoto(null)
    surface.renderer.showOwnGround(true)
    photoSite = drawing.site
    const source = sources.photo[index]
    status.patch({ photo: source ? 'waiting' : 'none', photoNote: note, credit: null })
    drawSoon()
    if (!source) return
    const next = (code: number | null) =>
      void showPhoto(index + 1, photoWords(source.kind, code, index + 1 < sources.photo.length))
    try {
      const { openPhotoGround } = await withRetries(() => import('./photo/photo-ground.ts'))
      if (isStale()) return
      const { renderer } = surface
      const photo = openPhotoGround(
        source,
        sources.satellite,
        drawing.site.frame,
        [...pointsIn(drawing.lap)],
        renderer.webGl,
        {
          onChange: drawSoon,
          onShown() {
            if (isStale()) return
            renderer.showOwnGround(false)
            status.patch({ photo: 'shown' })
          },
          onFailed: code => isStale() || next(code),
          onCredit: credit => isStale() || status.patch({ credit }),
        },
      )
      renderer.setPhoto(photo)
      drawSoon()
    } catch {
      if (!isStale()) next(null)
    }
  }

  const prepare = (preview: Preview) => {
    if (prepared?.preview === preview) return prepared
    const next = { preview, prepare: sceneDrawings(preview), corners: [] as readonly SceneCorner[] }
    prepared = next
    // The numbers of the corners come after the lap.
    void findSceneCorners(preview).then(corners => {
      next.corners = corners
      if (prepared === next && corners.length > 0) redraw('keep')
    })
    return next
  }

  function redraw(view: 'keep' | 'fit') {
    if (!source || !main) return
    const session = prepare(source)
    const corners = comparison?.corners ?? session.corners
    drawing = session.prepare(main, comparison, colourLap(colourBy, main, comparison, tokens), corners)
    if (!drawing) {
      status.patch({ problem: 'no-positions' })
      stop()
      return
    }
    const isNew = surface === null
    status.patch({ problem: null })
    if (isNew) start()
    if (!surface) return
    const { canvas, renderer } = surface as Surface
    status.patch({ isFlat: drawing.isFlat, description: describeScene(main.name, drawing.box) })
    canvas.ariaLabel = `${main.name} on the ground in 3D`
    renderer.setDrawing(drawing, { reference: tokens.reference, isDashed: tokens.isColourBlind })
    renderer.setOffset(offsetM)
    projected = null
    if (isNew) {
      resize()
      relight()
      resetView()
      parts.follow()
    } else if (view === 'fit') {
      target = 'lap'
      fit()
    }
    if (photoSite !== drawing.site) void showPhoto(0, null)
    isDrawnDue ||= view === 'fit'
    drawCursor()
    drawSoon()
  }

  function relight() {
    surface?.renderer.setLight(
      skyLight({
        skies: source?.meta.weather.Skies ?? null,
        timeOfDayS: null,
        isDarkTheme: document.documentElement.dataset.theme !== 'light',
      }),
    )
    drawSoon()
  }

  function resize() {
    size = { width: container.clientWidth, height: container.clientHeight }
    if (!surface) return
    const ratio = window.devicePixelRatio
    surface.labels.width = Math.round(size.width * ratio)
    surface.labels.height = Math.round(size.height * ratio)
    surface.renderer.setSize(size.width, size.height, ratio)
    fit()
    drawSoon()
  }

  const gestures: SceneGestureTarget = {
    hover: point => cursor.hover(point && rowAt(point)),
    click: point => cursor.toggleLock(rowAt(point)),
    orbit: (byX, byY) => move(orbit(pose, byX * DRAG_DEG, -byY * DRAG_DEG)),
    pan: (byX, byY) => drawing && move(pan(pose, byX, byY, size, drawing.box)),
    zoom: factor => move(zoom(pose, factor)),
    twist: byDeg => move(orbit(pose, -byDeg, 0)),
    reset: resetView,
  }

  const retry = () => status.get().photo === 'none' && sources.photo.length > 0 && void showPhoto(0, null)
  window.addEventListener('online', retry)
  const observer = new ResizeObserver(resize)
  observer.observe(container)
  const endings = [
    () => window.removeEventListener('online', retry),
    () => observer.disconnect(),
    watchPixelRatio(resize),
    followCursor(cursor, drawCursor),
    parts.stop,
    watchTokens(next => {
      tokens = next
      redraw('keep')
      relight()
    }),
    () => drawSoon.cancel(),
  ]

  return {
    status,
    /** Replaces the lap. Fits the view again, except between complete laps of one file. */
    setLap(preview: Preview, next: LapSeries, nextComparison: LapComparison | null) {
      const keeps = keepsView(main, next)
      source = preview
      main = next
      comparison = nextComparison
      metres = lapDistance(next.preview, next.lap).metres
      isDrawnDue = true
      redraw(keeps ? 'keep' : 'fit')
    },
    /** Sets the sources of photographed ground. */
    setSources(next: MapSources) {
      if (sources === next) return
      sources = next
      void showPhoto(0, null)
    },
    setSpeedUnit(unit: SpeedUnit) {
      speedUnit = unit
      drawCursor()
    },
    /** Sets what the colour of the lap's line shows. */
    setColourBy(by: ColourBy) {
      if (colourBy === by) return
      colourBy = by
      redraw('keep')
    },
    /** Lifts the lines above the ground, in metres. */
    setOffset(metresAbove: number) {
      offsetM = metresAbove
      surface?.renderer.setOffset(metresAbove)
      drawSoon()
    },
    zoomBy: (factor: number) => move(zoom(pose, factor)),
    /** Does what a key asks for. */
    moveCamera(key: CameraKey) {
      if (key.kind === 'orbit') move(orbit(pose, key.headingDeg, key.tiltDeg))
      else if (drawing) move(pan(pose, key.x * size.width, key.y * size.height, size, drawing.box))
    },
    resetView,
    destroy() {
      for (const end of endings) end()
      // Corners that are found later must not start the scene again.
      prepared = null
      stop()
    },
  }
}

function createCanvas(container: HTMLElement): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.className = 'absolute inset-0 size-full'
  container.append(canvas)
  return canvas
}
