import type { Preview } from '@lapwing/telemetry'
import { type MapSources, NO_MAP_SOURCES } from '#shared/config/map-sources.ts'
import { everyFrame } from '#shared/drawing/every-frame.ts'
import { readTokens, watchTokens } from '#shared/drawing/read-tokens.ts'
import { watchPixelRatio } from '#shared/drawing/watch-pixel-ratio.ts'
import type { SpeedUnit } from '#shared/preferences/units.ts'
import { createStore } from '#shared/store/store.ts'
import { carRows } from '../cars/car-rows.ts'
import { placeMarker } from '../cars/place-marker.ts'
import { describeSlider } from '../cursor-slider.ts'
import type { CursorStore } from '../cursor-store.ts'
import { type DistanceViewStore, followNamedParts } from '../distance-view-store.ts'
import { clockOf } from '../lap-clock.ts'
import { type ColourBy, colourLap } from '../lap-colouring.ts'
import type { LapComparison } from '../lap-comparison.ts'
import { lapDistance } from '../lap-distance.ts'
import { keepsView, type LapSeries, rowInLap } from '../lap-series.ts'
import { secondsAt } from '../lap-time.ts'
import { withRetries } from '../load-once.ts'
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
import { carOnGround } from './car-on-ground.ts'
import { type Followed, followHeading, followPose, followsCar, type SceneCar } from './follow-camera.ts'
import { FIRST_OFFSET_M } from './OffsetSlider.tsx'
import { findSceneCorners, type SceneCorner } from './scene-corners.ts'
import { carAt, pointsIn, type SceneDrawing, type SceneSite, sceneDrawings } from './scene-drawing.ts'
import { bindSceneGestures, type SceneGestureTarget } from './scene-gestures.ts'
import type { CameraMove } from './scene-keys.ts'
import { drawLabels } from './scene-labels.ts'
import { createSceneRenderer, type SceneRenderer } from './scene-renderer.ts'
import { FIRST_STATUS } from './scene-status.ts'
import { describeScene, photoWords } from './scene-words.ts'
import { skyLight, timeOfLapS } from './sky-light.ts'

/** Decides what the scene shows, and turns pointer events into the cursor and the camera. */
export type SceneCoordinator = ReturnType<typeof createSceneCoordinator>

export interface SceneElements {
  /** An empty element, in which the scene is created. */
  readonly container: HTMLElement
  /** Marks of the cursor above the scene, placed by their middle. */
  readonly lapMarker: HTMLElement
  readonly referenceMarker: HTMLElement
}

/** Pixels around the cursor's mark in which a finger holds it. */
const FINGER_PX = 24

/** Degrees that a drag across one pixel turns. */
const DRAG_DEG = 0.3

const FIRST_POSE: CameraPose = {
  target: { x: 0, y: 0, z: 0 },
  rangeM: 1000,
  tiltDeg: FIRST_TILT_DEG,
  headingDeg: FIRST_HEADING_DEG,
}

/** What the view is fitted to: rows of the lap, or all of it; null after the driver has moved the view. */
type FitTarget = { readonly from: number; readonly to: number } | 'lap' | null

interface ViewBefore {
  readonly pose: CameraPose
  readonly target: FitTarget
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
  const clock = clockOf(cursor)
  const stillness = window.matchMedia('(prefers-reduced-motion: reduce)')
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
  let target: FitTarget = 'lap'
  let sources: MapSources = NO_MAP_SOURCES
  /** Counts the attempts to show a source; an older one is stale. */
  let photoRun = 0
  let photoSite: SceneSite | null = null
  /** What the camera follows, and the view before; null if it follows no car. */
  let followed: (Followed & { readonly timeMs: number; readonly before: ViewBefore }) | null = null
  let size = { width: 0, height: 0 }
  let isDrawnDue = true
  /** The pixel of the cursor's mark; null if it is not shown. */
  let markAt: { readonly x: number; readonly y: number } | null = null
  /** Pixels of the lap's rows in the present view; null until a pointer asks for them. */
  let projected: Float32Array | null = null

  function draw() {
    drawSoon.cancel()
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
    const { lap, reference, isRacing } = carRows(cursor, main, comparison)
    markAt = put(lapMarker, carIn(drawing.lap, main, lap), isRacing)
    put(referenceMarker, comparison && carIn(drawing.reference, comparison.reference, reference), isRacing)
    lapMarker.dataset.locked = String(cursor.get().locked)
  }

  const carIn = (points: Float32Array | null, { lap }: LapSeries, row: number | null): SceneCar | null =>
    points && row !== null ? carAt(points, row - lap.row_start) : null

  /** Places a mark. Returns its pixel; null if the car is not in front of the camera. */
  function put(marker: HTMLElement, car: SceneCar | null, isRacing: boolean) {
    if (!car) {
      placeMarker(marker, null)
      return null
    }
    const { x, y, z, direction } = car
    const [cos, sin] = [Math.cos(direction ?? 0), Math.sin(direction ?? 0)]
    const pixels = project([x, y, z, x + cos, y, z + sin, x - sin, y, z + cos], offsetM)
    const [at, front, right] = [0, 2, 4].map(i => ({ x: pixels[i]!, y: pixels[i + 1]! }))
    if (Number.isNaN(at!.x)) {
      placeMarker(marker, null)
      return null
    }
    const axes = isRacing && direction !== null ? carOnGround(at!, front!, right!) : null
    placeMarker(marker, { ...at!, axes })
    return at!
  }

  function drawCursor() {
    if (main && surface) describeSlider(surface.canvas, main, cursor.get().row, speedUnit, comparison)
    if (!follow()) placeMarkers()
  }

  /** Moves the camera behind the car. Returns whether it drew; otherwise only the marks are to be placed. */
  function follow(): boolean {
    if (!followsCar.get() || clock.get().timeS === null) {
      stopFollowing()
      return false
    }
    const car = drawing && main ? carIn(drawing.lap, main, carRows(cursor, main, comparison).lap) : null
    if (!surface || !car) return false
    const now = performance.now()
    const elapsedS = followed ? (now - followed.timeMs) / 1000 : 0
    const headingDeg = followHeading(followed, car, elapsedS, stillness.matches)
    const isSame = followed?.headingDeg === headingDeg && isAt(followed.car, car)
    followed = { car, headingDeg, timeMs: now, before: followed?.before ?? { pose, target } }
    if (isSame) return false
    target = null
    pose = followPose(car, headingDeg)
    draw()
    // A turn ends after the car has stopped.
    cursorSoon()
    return true
  }
  const cursorSoon = everyFrame(drawCursor)

  /** Returns to the view before. */
  function stopFollowing() {
    if (!followed) return
    const { before } = followed
    followed = null
    target = before.target
    setPose(before.pose)
    fit()
  }

  /** Leaves the car, and stays where the camera is. */
  function leaveCar() {
    followed = null
    followsCar.set(false)
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

  /** Moves the view by hand, so that it no longer follows the lap or the car. */
  function move(next: CameraPose) {
    leaveCar()
    target = null
    setPose(next)
  }

  /** Fits the view; if the camera follows the car, as soon as it no longer does. */
  function aim(next: FitTarget, from = followed?.before.pose ?? pose) {
    if (followed) followed = { ...followed, before: { pose: from, target: next } }
    else {
      target = next
      pose = from
      fit()
    }
  }

  const showLap = () => aim('lap', { ...pose, tiltDeg: FIRST_TILT_DEG, headingDeg: FIRST_HEADING_DEG })

  function resetView() {
    leaveCar()
    showLap()
  }

  const parts = followNamedParts(distanceView, {
    focus({ minM, maxM }) {
      const isBetween = (metre: number) => metre >= minM && metre <= maxM
      const from = metres.findIndex(isBetween)
      if (!surface || from < 0) return false
      aim({ from, to: metres.findLastIndex(isBetween) })
      return true
    },
    reset: showLap,
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
    followed = null
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
    renderer.setDrawing(drawing, tokens)
    renderer.setOffset(offsetM)
    projected = null
    if (isNew) {
      resize()
      relight()
      showLap()
      parts.follow()
    } else if (view === 'fit') {
      followed = null
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
        timeOfDayS: source && main ? timeOfLapS(source.meta, main.lap) : null,
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
    holdsCursor: ({ x, y }) => markAt !== null && Math.hypot(markAt.x - x, markAt.y - y) <= FINGER_PX,
    dragCursor(point) {
      const row = rowAt(point)
      if (row !== null) cursor.move(row)
    },
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
    cursor.subscribe(cursorSoon),
    clock.subscribe(cursorSoon),
    cursorSoon.cancel,
    followsCar.subscribe(drawCursor),
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
      relight()
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
    moveCamera(key: CameraMove) {
      if (key.kind === 'orbit') move(orbit(pose, key.headingDeg, key.tiltDeg))
      else if (drawing) move(pan(pose, key.x * size.width, key.y * size.height, size, drawing.box))
    },
    /** Lets the camera follow the car, or no longer. Without a clock that is on, the car starts from the cursor. */
    toggleFollow() {
      if (main && !followsCar.get() && clock.get().timeS === null) {
        const row = rowInLap(cursor.get().row, main.lap) ?? main.lap.row_start
        clock.seek(main, secondsAt(main, row))
      }
      followsCar.set(!followsCar.get())
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

const isAt = (one: ScenePoint, other: ScenePoint) =>
  one.x === other.x && one.y === other.y && one.z === other.z

function createCanvas(container: HTMLElement): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.className = 'absolute inset-0 size-full'
  container.append(canvas)
  return canvas
}
