import { pedalSegments } from '@lapwing/lap-map/pedal-segments'
import type { SpeedUnit } from '#shared/preferences/units.ts'
import { createStore } from '#shared/store/store.ts'
import { describeSlider } from '../cursor-slider.ts'
import type { CursorStore } from '../cursor-store.ts'
import { type DistanceViewStore, followNamedParts } from '../distance-view-store.ts'
import { everyFrame } from '../every-frame.ts'
import { clockOf, rowBeside } from '../lap-clock.ts'
import type { LapComparison } from '../lap-comparison.ts'
import { lapDistance } from '../lap-distance.ts'
import { keepsView, type LapSeries, rowInLap } from '../lap-series.ts'
import { valueAtRow } from '../lap-time.ts'
import { bindGestures } from '../pointer-gestures.ts'
import { readTokens, watchTokens } from '../read-tokens.ts'
import { watchPixelRatio } from '../watch-pixel-ratio.ts'
import { type CornerMark, cornerMarks, type IncidentMark, incidentMarks, stretchBox } from './lap-stretch.ts'
import { indexSamples, type SampleIndex } from './nearest-sample.ts'
import type { OutlineDrawing } from './outline-drawing.ts'
import { fitOutline, type OutlineTransform, type Plane, projectLap } from './outline-geometry.ts'
import { createOutlineRenderer, type OutlineMarker } from './outline-renderer.ts'
import {
  FITTED_VIEW,
  focusOutline,
  type OutlineView,
  panOutline,
  viewedTransform,
  zoomOutline,
} from './outline-view.ts'
import { findStartLine } from './start-line.ts'

/** Decides what the outline redraws, and turns pointer events into cursor and view. */
export type OutlineCoordinator = ReturnType<typeof createOutlineCoordinator>

interface OutlineElements {
  /** Receives focus and pointer events; has the size of the canvases. */
  readonly surface: HTMLElement
  readonly lapsCanvas: HTMLCanvasElement
  readonly cursorCanvas: HTMLCanvasElement
}

/** Milliseconds in which a new lap is drawn from its start to its end, once. */
const DRAW_IN_MS = 550

export function createOutlineCoordinator(
  { surface, lapsCanvas, cursorCanvas }: OutlineElements,
  cursor: CursorStore,
  distanceView: DistanceViewStore,
) {
  const renderer = createOutlineRenderer(lapsCanvas, cursorCanvas, readTokens())
  const view = createStore(FITTED_VIEW)
  const clock = clockOf(cursor)
  /** The lap with the cursor, and the reference. */
  let main: LapSeries | null = null
  let comparison: LapComparison | null = null
  let mainDrawing: OutlineDrawing | null = null
  let referenceDrawing: OutlineDrawing | null = null
  /** Metres of the main lap's rows. */
  let metres: Float64Array = new Float64Array(0)
  let corners: readonly CornerMark[] = []
  let incidents: readonly IncidentMark[] = []
  let index: SampleIndex | null = null
  let width = 0
  let height = 0
  let fit: OutlineTransform = { scale: 1, middleX: 0, middleY: 0 }
  let drawInStart: number | null = null
  let progress = 1
  /** A new lap is not completely drawn yet. Afterwards User Timing gets a mark, for measurements. */
  let isMarkDue = false
  let speedUnit: SpeedUnit = 'km/h'

  const drawLaps = everyFrame(() => {
    if (width === 0) return
    if (drawInStart !== null) {
      const share = (performance.now() - drawInStart) / DRAW_IN_MS
      progress = share >= 1 ? 1 : 1 - (1 - Math.max(0, share)) ** 3
      if (progress === 1) drawInStart = null
      else drawLaps()
    }
    renderer.drawLaps(
      { lap: mainDrawing, reference: referenceDrawing, corners, incidents },
      viewedTransform(fit, view.get()),
      progress,
    )
    if (isMarkDue && progress === 1) {
      isMarkDue = false
      performance.mark('lapwing:outline-drawn')
    }
  })

  const drawCursor = everyFrame(() => {
    if (width === 0) return
    const { row, locked } = cursor.get()
    if (main) describeSlider(surface, main, row, speedUnit, comparison)
    renderer.drawMarkers(markers(), viewedTransform(fit, view.get()), locked)
  })

  /** Returns the reference's marker first, so that the driver's own is on top. */
  function markers(): OutlineMarker[] {
    const row = main && rowInLap(cursor.get().row, main.lap)
    if (!main || row === null) return []
    const otherRow = comparison && rowBeside(clock, main, row, comparison.reference)
    return [
      ...markerAt(referenceDrawing, otherRow),
      ...markerAt(mainDrawing, rowBeside(clock, main, row, main)),
    ]
  }

  function markerAt(drawing: OutlineDrawing | null, row: number | null): OutlineMarker[] {
    if (!drawing || row === null) return []
    const { role, geometry } = drawing
    const x = valueAtRow(geometry.x, row - geometry.rowStart)
    const y = valueAtRow(geometry.y, row - geometry.rowStart)
    return Number.isNaN(x) ? [] : [{ role, x, y }]
  }

  function setView(next: OutlineView) {
    const { zoom, panX, panY } = view.get()
    if (next.zoom === zoom && next.panX === panX && next.panY === panY) return
    view.set(next)
    // One finger must still scroll the page past the outline until the driver has zoomed in.
    surface.style.touchAction = isFitted() ? 'pan-y' : 'none'
    drawLaps()
    drawCursor()
  }

  const isFitted = () => {
    const { zoom, panX, panY } = view.get()
    return zoom === 1 && panX === 0 && panY === 0
  }

  function zoomAround(factor: number, x: number, y: number): boolean {
    const before = view.get()
    setView(pan(zoomOutline(before, factor, fit, x, y), 0, 0))
    return view.get() !== before
  }

  function pan(from: OutlineView, byX: number, byY: number): OutlineView {
    const geometry = mainDrawing?.geometry
    return panOutline(from, byX, byY, {
      halfWidthPx: (geometry?.halfWidth ?? 0) * fit.scale,
      halfHeightPx: (geometry?.halfHeight ?? 0) * fit.scale,
    })
  }

  function rowAt(x: number, y: number): number | null {
    if (!mainDrawing || !index) return null
    const transform = viewedTransform(fit, view.get())
    const at = index.nearest(
      (x - transform.middleX) / transform.scale,
      (y - transform.middleY) / transform.scale,
    )
    return at < 0 ? null : mainDrawing.geometry.rowStart + at
  }

  function resize() {
    width = surface.clientWidth
    height = surface.clientHeight
    if (width === 0 || height === 0) return
    renderer.resize(width, height, window.devicePixelRatio)
    refit()
  }

  function refit() {
    if (mainDrawing) fit = fitOutline(mainDrawing.geometry, width, height)
    drawLaps()
    drawCursor()
  }

  const parts = followNamedParts(distanceView, {
    focus(part) {
      if (!mainDrawing || width === 0) return false
      const box = stretchBox(mainDrawing.geometry, metres, part)
      if (box) setView(focusOutline(box, fit, width, height))
      return box !== null
    },
    reset: () => setView(FITTED_VIEW),
  })

  const sizes = new ResizeObserver(resize)
  sizes.observe(surface)
  const endings = [
    () => sizes.disconnect(),
    watchPixelRatio(resize),
    cursor.subscribe(drawCursor),
    // Between two rows only the clock moves.
    clock.subscribe(drawCursor),
    parts.stop,
    watchTokens(tokens => {
      renderer.setTokens(tokens)
      drawLaps()
      drawCursor()
    }),
    bindGestures(surface, {
      hover: point => cursor.hover(point && rowAt(point.x, point.y)),
      click: point => cursor.toggleLock(rowAt(point.x, point.y)),
      pan: (byX, byY) => setView(pan(view.get(), byX, byY)),
      zoom(factor, { x, y }) {
        zoomAround(factor, x, y)
        // At the limit, the page must not start to scroll in the middle of a gesture.
        return true
      },
      reset: () => setView(FITTED_VIEW),
      fingerPans: () => !isFitted(),
    }),
    drawLaps.cancel,
    drawCursor.cancel,
  ]
  surface.style.touchAction = 'pan-y'

  return {
    /** Replaces the drawn lap. Fits the view again, except between complete laps of one file. */
    setLap(next: LapSeries, nextComparison: LapComparison | null) {
      const before = main
      if (before?.preview !== next.preview || before.lap !== next.lap) {
        mainDrawing = draw(next)
        metres = lapDistance(next.preview, next.lap).metres
        const { geometry } = mainDrawing
        index = indexSamples(geometry.x, geometry.y)
      }
      main = next
      comparison = nextComparison
      const { geometry } = mainDrawing!
      // The reference needs the plane of the lap, which needs at least one position.
      referenceDrawing = comparison && geometry.known > 0 ? draw(comparison.reference, geometry.plane) : null
      corners = comparison ? cornerMarks(geometry, metres, comparison.corners) : []
      incidents = comparison ? incidentMarks(geometry, metres, comparison.incidents) : []
      if (before === null && !window.matchMedia('(prefers-reduced-motion: reduce)').matches) {
        drawInStart = performance.now()
        progress = 0
      }
      isMarkDue = true
      if (!keepsView(before, next)) setView(FITTED_VIEW)
      refit()
    },
    /** Sets the unit of the speeds that are read out. */
    setSpeedUnit(unit: SpeedUnit) {
      speedUnit = unit
      drawCursor()
    },
    view,
    /** Zooms around the middle of the canvas. */
    zoomBy: (factor: number) => void zoomAround(factor, width / 2, height / 2),
    resetView: () => setView(FITTED_VIEW),
    destroy() {
      for (const end of endings) end()
    },
  }
}

function draw(series: LapSeries, onto?: Plane): OutlineDrawing {
  const { preview, lap, role } = series
  const { lat, lon, sessionTime } = preview
  const geometry = projectLap(lat, lon, sessionTime, lap.row_start, lap.row_end, onto)
  return {
    role,
    geometry,
    segments: pedalSegments(preview.throttle, preview.brake, lap.row_start, lap.row_end),
    startLine: findStartLine(series, geometry),
  }
}
