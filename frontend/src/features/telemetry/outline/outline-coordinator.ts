import { everyFrame } from '#shared/drawing/every-frame.ts'
import { inTurns } from '#shared/drawing/in-turns.ts'
import { bindGestures } from '#shared/drawing/pointer-gestures.ts'
import { readTokens, watchTokens } from '#shared/drawing/read-tokens.ts'
import { watchPixelRatio } from '#shared/drawing/watch-pixel-ratio.ts'
import type { SpeedUnit } from '#shared/preferences/units.ts'
import { createStore } from '#shared/store/store.ts'
import { carDirection } from '../cars/car-direction.ts'
import { carRows } from '../cars/car-rows.ts'
import { describeSlider } from '../cursor-slider.ts'
import type { CursorStore } from '../cursor-store.ts'
import { type DistanceRange, type DistanceViewStore, stillChosen } from '../distance-view-store.ts'
import { clockOf } from '../lap-clock.ts'
import { type ColourBy, colourLap, colourRuns } from '../lap-colouring.ts'
import type { LapComparison } from '../lap-comparison.ts'
import { type LapDistance, lapDistance } from '../lap-distance.ts'
import { keepsView, type LapSeries, rowInLap } from '../lap-series.ts'
import { valueAtRow } from '../lap-time.ts'
import { keepTabStop } from '../tab-stop.ts'
import { type CornerMark, cornerMarks, type IncidentMark, incidentMarks, stretchBox } from './lap-stretch.ts'
import { indexSamples, type SampleIndex } from './nearest-sample.ts'
import type { OutlineDrawing } from './outline-drawing.ts'
import { type Plane, projectLap } from './outline-geometry.ts'
import { createOutlineRenderer, labelDistance, type OutlineMarker } from './outline-renderer.ts'
import {
  fitOutline,
  fittedView,
  type OutlineFit,
  type OutlineView,
  panOutline,
  viewedTransform,
  zoomOutline,
} from './outline-view.ts'
import { placeCorners } from './place-corners.ts'
import { seenStretch } from './seen-stretch.ts'
import { findStartLine } from './start-line.ts'

/** Decides what the outline redraws, and turns pointer events into cursor and view. */
export type OutlineCoordinator = ReturnType<typeof createOutlineCoordinator>

interface OutlineElements {
  /** Receives focus and pointer events; has the size of the canvases. */
  readonly surface: HTMLElement
  readonly lapsCanvas: HTMLCanvasElement
  readonly cursorCanvas: HTMLCanvasElement
  /** Above the surface; holds the buttons of the comparison's corners. */
  readonly overlay: HTMLElement
}

/** Milliseconds in which a new lap is drawn from its start to its end, once. */
const DRAW_IN_MS = 550

/** Metres around a car that never moved. */
const LEAST_LAP_M = 100
/** Share of the lap. If more of it is in sight, all of it counts as shown. */
const WHOLE = 0.97

const NOWHERE: OutlineFit = { scale: 1, x: 0, y: 0 }

export function createOutlineCoordinator(
  { surface, lapsCanvas, cursorCanvas, overlay }: OutlineElements,
  cursor: CursorStore,
  distanceView: DistanceViewStore,
) {
  let tokens = readTokens()
  const renderer = createOutlineRenderer(lapsCanvas, cursorCanvas, tokens)
  const view = createStore<OutlineView>(fittedView(NOWHERE))
  const clock = clockOf(cursor)
  /** The lap with the cursor, and the reference. */
  let main: LapSeries | null = null
  let comparison: LapComparison | null = null
  let mainDrawing: OutlineDrawing | null = null
  let referenceDrawing: OutlineDrawing | null = null
  /** Of the main lap. */
  let distance: LapDistance = { metres: new Float64Array(0), full: { minM: 0, maxM: 0 } }
  let corners: readonly (CornerMark | null)[] = []
  let incidents: readonly IncidentMark[] = []
  let index: SampleIndex | null = null
  let width = 0
  let height = 0
  /** The canvases still have another size. */
  let isResized = false
  let areLapsDue = false
  let fit = NOWHERE
  /** What is fitted, and what the other views show; null is the whole lap. */
  let fitted: DistanceRange | null = null
  let shown: DistanceRange | null = null
  let colourBy: ColourBy = 'pedals'
  let drawInStart: number | null = null
  let progress = 1
  /** A new lap is not completely drawn yet. Afterwards User Timing gets a mark, for measurements. */
  let isMarkDue = false
  let speedUnit: SpeedUnit = 'km/h'

  // Not in the task of the event or frame that asks for it, which would be long with it.
  const drawInTask = inTurns(1, drawAll, () => {
    if (drawInStart !== null && width > 0) requestAnimationFrame(drawLaps)
  })

  function drawLaps() {
    areLapsDue = true
    drawInTask()
  }

  /** Draws laps, buttons and cursor, which move together. */
  function drawAll() {
    areLapsDue = false
    if (width === 0) return
    // This empties the canvases, so it waits until both are drawn again.
    if (isResized) renderer.resize(width, height, window.devicePixelRatio)
    isResized = false
    if (drawInStart !== null) {
      const share = (performance.now() - drawInStart) / DRAW_IN_MS
      progress = share >= 1 ? 1 : 1 - (1 - Math.max(0, share)) ** 3
      if (progress === 1) drawInStart = null
    }
    const scene = { lap: mainDrawing, reference: referenceDrawing, incidents }
    renderer.drawLaps(scene, transform(), progress)
    placeButtons()
    drawMarkers()
    if (isMarkDue && progress === 1) {
      isMarkDue = false
      performance.mark('lapwing:outline-drawn')
    }
  }

  const drawMarkers = () => renderer.drawMarkers(markers(), transform(), cursor.get().locked)

  const drawCursor = everyFrame(() => {
    if (width === 0) return
    if (main) describeSlider(surface, main, cursor.get().row, speedUnit, comparison)
    if (!areLapsDue) drawMarkers()
  })

  /** Returns the reference's marker first, so that the driver's own is on top. */
  function markers(): OutlineMarker[] {
    const rows = carRows(cursor, main, comparison)
    return [
      ...markerAt(referenceDrawing, rows.reference, rows.isRacing),
      ...markerAt(mainDrawing, rows.lap, rows.isRacing),
    ]
  }

  function markerAt(drawing: OutlineDrawing | null, row: number | null, isCar = false): OutlineMarker[] {
    if (!drawing || row === null) return []
    const { role, geometry } = drawing
    const index = row - geometry.rowStart
    const x = valueAtRow(geometry.x, index)
    const y = valueAtRow(geometry.y, index)
    if (Number.isNaN(x)) return []
    const ends = { row_start: 0, row_end: geometry.x.length - 1 }
    const direction = isCar
      ? carDirection(
          i => geometry.x[i]!,
          i => geometry.y[i]!,
          index,
          ends,
        )
      : null
    return [{ role, x, y, direction }]
  }

  function colour() {
    if (!main || !mainDrawing) return
    const colouring = colourLap(colourBy, main, comparison, tokens, tokens.coast)
    mainDrawing = { ...mainDrawing, classes: colouring.classes, runs: colourRuns(colouring, main) }
    drawLaps()
  }

  const transform = () => viewedTransform(fit, view.get(), width, height)

  function placeButtons() {
    const toolbar = overlay.querySelector<HTMLElement>('[data-part="corners"]')
    if (!toolbar) return
    const at = transform()
    placeCorners([...toolbar.querySelectorAll('button')], corners, at, labelDistance(at.scale), width, height)
    keepTabStop(toolbar)
  }

  function setView(next: OutlineView) {
    const { zoom, x, y } = view.get()
    if (next.zoom === zoom && next.x === x && next.y === y) return
    view.set(next)
    drawLaps()
    drawCursor()
  }

  const isFitted = () => {
    const { zoom, x, y } = view.get()
    return zoom === 1 && x === fit.x && y === fit.y
  }

  /** One finger must still scroll the page past the outline until the driver has zoomed in. */
  const isWhole = () => fitted === null && isFitted()
  const setTouch = () => {
    surface.style.touchAction = isWhole() ? 'pan-y' : 'none'
  }

  /** Changes the view as the driver wants, and shows the same part of the lap in the other views. */
  function look(next: OutlineView) {
    setView(next)
    setTouch()
    shown = isFitted() ? fitted : seenRange()
    distanceView.set(shown)
  }

  /** Returns the part of the lap that is in sight. Keeps the present one if the road is not. */
  function seenRange(): DistanceRange | null {
    if (!mainDrawing || !index) return shown
    const { x, y } = view.get()
    const middle = index.nearest(x, y)
    const seen = seenStretch(mainDrawing.geometry, distance.metres, middle, transform(), width, height)
    if (!seen) return shown
    const { minM, maxM } = distance.full
    if (seen.maxM - seen.minM > WHOLE * (maxM - minM)) return null
    return stillChosen(shown ?? fitted ?? seen, seen)
  }

  /** Shows what another view has chosen. A range that only moved keeps the scale. */
  function follow() {
    const next = distanceView.get()
    if (next === shown || !mainDrawing) return
    const isMoved = next !== null && shown !== null && isSameLength(next, shown)
    shown = next
    const box = next && stretchBox(mainDrawing.geometry, distance.metres, next)
    if (next && !box) return
    if (box && isMoved) {
      setView({ ...view.get(), x: (box.minX + box.maxX) / 2, y: (box.minY + box.maxY) / 2 })
      return
    }
    fitted = next
    fit = fitOf(fitted)
    view.set(fittedView(fit))
    setTouch()
    drawLaps()
    drawCursor()
  }

  function fitOf(range: DistanceRange | null): OutlineFit {
    if (!mainDrawing) return NOWHERE
    const { geometry } = mainDrawing
    const box = range && stretchBox(geometry, distance.metres, range)
    if (box) return fitOutline(box, width, height)
    const { halfWidth, halfHeight } = geometry
    const whole = { minX: -halfWidth, maxX: halfWidth, minY: -halfHeight, maxY: halfHeight }
    return fitOutline(whole, width, height, LEAST_LAP_M)
  }

  function zoomAround(factor: number, x: number, y: number) {
    look(pan(zoomOutline(view.get(), factor, fit, x - width / 2, y - height / 2), 0, 0))
  }

  const pan = (from: OutlineView, byX: number, byY: number): OutlineView =>
    mainDrawing ? panOutline(from, byX, byY, fit, mainDrawing.geometry) : from

  function reset() {
    fitted = null
    fit = fitOf(null)
    look(fittedView(fit))
  }

  function rowAt(x: number, y: number): number | null {
    if (!mainDrawing || !index) return null
    const { scale, middleX, middleY } = transform()
    const at = index.nearest((x - middleX) / scale, (y - middleY) / scale)
    return at < 0 ? null : mainDrawing.geometry.rowStart + at
  }

  /** Returns where a row is on the canvas; null if it is out of sight. */
  function pixelOf(row: number | null): readonly [number, number] | null {
    const [marker] = markerAt(mainDrawing, row)
    if (!marker) return null
    const { scale, middleX, middleY } = transform()
    const x = middleX + marker.x * scale
    const y = middleY + marker.y * scale
    return x >= 0 && x <= width && y >= 0 && y <= height ? [x, y] : null
  }

  function resize() {
    width = surface.clientWidth
    height = surface.clientHeight
    if (width === 0 || height === 0) return
    isResized = true
    refit()
  }

  function refit() {
    const stays = isFitted()
    fit = fitOf(fitted)
    if (stays) view.set(fittedView(fit))
    drawLaps()
    drawCursor()
  }

  const sizes = new ResizeObserver(resize)
  sizes.observe(surface)
  const endings = [
    () => sizes.disconnect(),
    watchPixelRatio(resize),
    cursor.subscribe(drawCursor),
    // Between two rows only the clock moves.
    clock.subscribe(drawCursor),
    distanceView.subscribe(follow),
    watchTokens(next => {
      tokens = next
      renderer.setTokens(next)
      colour()
      drawCursor()
    }),
    bindGestures(surface, {
      hover: point => cursor.hover(point && rowAt(point.x, point.y)),
      click: point => cursor.toggleLock(rowAt(point.x, point.y)),
      pan: (byX, byY) => look(pan(view.get(), byX, byY)),
      zoom(factor, { x, y }) {
        zoomAround(factor, x, y)
        // At the limit, the page must not start to scroll in the middle of a gesture.
        return true
      },
      reset,
      fingerPans: () => !isWhole(),
    }),
    () => overlay.removeEventListener('wheel', passWheel),
    drawInTask.stop,
    drawCursor.cancel,
  ]
  // A button must not stop the wheel.
  const passWheel = (event: WheelEvent) => {
    surface.dispatchEvent(new WheelEvent(event.type, event))
    event.preventDefault()
  }
  overlay.addEventListener('wheel', passWheel, { passive: false })
  setTouch()

  return {
    /** Replaces the drawn lap. Fits the view again, except between complete laps of one file. */
    setLap(next: LapSeries, nextComparison: LapComparison | null) {
      const before = main
      if (before?.preview !== next.preview || before.lap !== next.lap) {
        mainDrawing = draw(next)
        distance = lapDistance(next.preview, next.lap)
        const { geometry } = mainDrawing
        index = indexSamples(geometry.x, geometry.y)
      }
      main = next
      comparison = nextComparison
      colour()
      const { geometry } = mainDrawing!
      const { metres } = distance
      // The reference needs the plane of the lap, which needs at least one position.
      referenceDrawing = comparison && geometry.known > 0 ? draw(comparison.reference, geometry.plane) : null
      corners = comparison ? cornerMarks(geometry, metres, comparison.corners) : []
      incidents = comparison ? incidentMarks(geometry, metres, comparison.incidents) : []
      if (before === null && !window.matchMedia('(prefers-reduced-motion: reduce)').matches) {
        drawInStart = performance.now()
        progress = 0
      }
      isMarkDue = true
      if (!keepsView(before, next)) {
        shown = fitted = distanceView.get()
        fit = fitOf(fitted)
        view.set(fittedView(fit))
        setTouch()
      }
      refit()
    },
    /** Sets what the colour of the lap's line shows. */
    setColourBy(by: ColourBy) {
      colourBy = by
      colour()
    },
    /** Sets the unit of the speeds that are read out. */
    setSpeedUnit(unit: SpeedUnit) {
      speedUnit = unit
      drawCursor()
    },
    view,
    /** Zooms around the cursor if it is in sight, and otherwise around the road that is nearest to the middle. */
    zoomBy(factor: number) {
      const row = (main && rowInLap(cursor.get().row, main.lap)) ?? null
      const [x, y] = pixelOf(row) ?? pixelOf(rowAt(width / 2, height / 2)) ?? [width / 2, height / 2]
      zoomAround(factor, x, y)
    },
    /** Shows the whole lap, here and in the other views. */
    resetView: reset,
    destroy() {
      for (const end of endings) end()
    },
  }
}

const isSameLength = (a: DistanceRange, b: DistanceRange) =>
  Math.abs(a.maxM - a.minM - (b.maxM - b.minM)) < 1e-6 * (a.maxM - a.minM)

function draw(series: LapSeries, onto?: Plane): OutlineDrawing {
  const { preview, lap, role } = series
  const { lat, lon, sessionTime } = preview
  const geometry = projectLap(lat, lon, sessionTime, lap.row_start, lap.row_end, onto)
  return { role, geometry, startLine: findStartLine(series, geometry), classes: [], runs: [] }
}
