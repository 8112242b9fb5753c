import type { SpeedUnit } from '#shared/preferences/units.ts'
import { describeSlider } from '../cursor-slider.ts'
import type { CursorStore } from '../cursor-store.ts'
import { everyFrame } from '../every-frame.ts'
import { type LapSeries, rowInLap } from '../lap-series.ts'
import { bindGestures } from '../pointer-gestures.ts'
import { readTokens, watchTokens } from '../read-tokens.ts'
import { watchPixelRatio } from '../watch-pixel-ratio.ts'
import { indexSamples, type SampleIndex } from './nearest-sample.ts'
import type { OutlineDrawing } from './outline-drawing.ts'
import { fitOutline, type OutlineTransform, projectLap } from './outline-geometry.ts'
import { createOutlineRenderer, type OutlineMarker } from './outline-renderer.ts'
import { FITTED_VIEW, type OutlineView, panOutline, viewedTransform, zoomOutline } from './outline-view.ts'
import { pedalSegments } from './pedal-segments.ts'
import { findStartLine } from './start-line.ts'

/** Decides what the outline redraws, and turns pointers into cursor and view. */
export interface OutlineCoordinator {
  /** Replaces the laps drawn; the view is fitted again, except between complete laps of one file. */
  setLaps(laps: readonly LapSeries[]): void
  /** The unit that speeds are read out in. */
  setSpeedUnit(unit: SpeedUnit): void
  getView(): OutlineView
  /** Around the middle of the canvas. */
  zoomBy(factor: number): void
  resetView(): void
  /** Calls back after the view changed; answers the function that ends it. */
  subscribe(listener: () => void): () => void
  destroy(): void
}

export interface OutlineElements {
  /** Takes focus and pointers; the size of the canvases. */
  readonly surface: HTMLElement
  readonly lapsCanvas: HTMLCanvasElement
  readonly cursorCanvas: HTMLCanvasElement
}

/** The lap draws itself in once, in at most this time. */
const DRAW_IN_MS = 550

export function createOutlineCoordinator(
  { surface, lapsCanvas, cursorCanvas }: OutlineElements,
  cursor: CursorStore,
): OutlineCoordinator {
  const renderer = createOutlineRenderer(lapsCanvas, cursorCanvas, readTokens())
  const listeners = new Set<() => void>()
  let laps: readonly LapSeries[] = []
  let drawings: readonly OutlineDrawing[] = []
  let index: SampleIndex | null = null
  let width = 0
  let height = 0
  let fit: OutlineTransform = { scale: 1, middleX: 0, middleY: 0 }
  let view = FITTED_VIEW
  let drawInStart: number | null = null
  let progress = 1
  /** A lap was set and has not been drawn to its end yet; then User Timing is told, for whoever measures the page. */
  let isMarkDue = false
  let speedUnit: SpeedUnit = 'km/h'

  const main = () => drawings.find(drawing => drawing.role === 'lap') ?? null
  const mainSeries = () => laps.find(series => series.role === 'lap') ?? null

  const drawLaps = everyFrame(() => {
    if (width === 0) return
    if (drawInStart !== null) {
      const share = (performance.now() - drawInStart) / DRAW_IN_MS
      progress = share >= 1 ? 1 : 1 - (1 - Math.max(0, share)) ** 3
      if (progress === 1) drawInStart = null
      else drawLaps()
    }
    renderer.drawLaps(drawings, viewedTransform(fit, view), progress)
    if (isMarkDue && progress === 1) {
      isMarkDue = false
      performance.mark('lapwing:outline-drawn')
    }
  })

  const drawCursor = everyFrame(() => {
    if (width === 0) return
    const series = mainSeries()
    const { row, locked } = cursor.get()
    if (series) describeSlider(surface, series, row, speedUnit)
    renderer.drawMarkers(markers(), viewedTransform(fit, view), locked)
  })

  function markers(): OutlineMarker[] {
    const drawing = main()
    const series = mainSeries()
    const row = series && rowInLap(cursor.get().row, series.lap)
    if (!drawing || row === null) return []
    const x = drawing.geometry.x[row - drawing.geometry.rowStart]!
    const y = drawing.geometry.y[row - drawing.geometry.rowStart]!
    return Number.isNaN(x) ? [] : [{ role: 'lap', x, y }]
  }

  function setView(next: OutlineView) {
    if (next.zoom === view.zoom && next.panX === view.panX && next.panY === view.panY) return
    view = next
    // A page must still scroll past the outline with one finger until the driver has zoomed in.
    surface.style.touchAction = isFitted() ? 'pan-y' : 'none'
    drawLaps()
    drawCursor()
    for (const listener of listeners) listener()
  }

  const isFitted = () => view.zoom === 1 && view.panX === 0 && view.panY === 0

  function zoomAround(factor: number, x: number, y: number): boolean {
    const before = view
    setView(pan(zoomOutline(view, factor, fit, x, y), 0, 0))
    return view !== before
  }

  function pan(from: OutlineView, byX: number, byY: number): OutlineView {
    const geometry = main()?.geometry
    return panOutline(from, byX, byY, {
      halfWidthPx: (geometry?.halfWidth ?? 0) * fit.scale,
      halfHeightPx: (geometry?.halfHeight ?? 0) * fit.scale,
    })
  }

  function rowAt(x: number, y: number): number | null {
    const drawing = main()
    if (!drawing || !index) return null
    const transform = viewedTransform(fit, view)
    const at = index.nearest(
      (x - transform.middleX) / transform.scale,
      (y - transform.middleY) / transform.scale,
    )
    return at < 0 ? null : drawing.geometry.rowStart + at
  }

  function resize() {
    width = surface.clientWidth
    height = surface.clientHeight
    if (width === 0 || height === 0) return
    renderer.resize(width, height, window.devicePixelRatio)
    refit()
  }

  function refit() {
    const geometry = main()?.geometry
    if (geometry) fit = fitOutline(geometry, width, height)
    drawLaps()
    drawCursor()
  }

  const sizes = new ResizeObserver(resize)
  sizes.observe(surface)
  const endings = [
    () => sizes.disconnect(),
    watchPixelRatio(resize),
    cursor.subscribe(drawCursor),
    watchTokens(tokens => {
      renderer.setTokens(tokens)
      drawLaps()
      drawCursor()
    }),
    bindGestures(surface, {
      hover: point => cursor.hover(point && rowAt(point.x, point.y)),
      click: point => cursor.toggleLock(rowAt(point.x, point.y)),
      pan: (byX, byY) => setView(pan(view, byX, byY)),
      zoom(factor, { x, y }) {
        zoomAround(factor, x, y)
        // At the limit the page must not begin to scroll in the middle of a gesture.
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
    setLaps(next) {
      const isFirst = laps.length === 0
      const before = mainSeries()
      laps = next
      const now = mainSeries()
      // Complete laps of one file lie upon each other: a driver who looks at a corner goes on looking at it.
      const keepsView =
        before?.preview === now?.preview &&
        before?.lap.is_completed === true &&
        now?.lap.is_completed === true
      drawings = next.map(draw)
      const geometry = main()?.geometry
      index = geometry ? indexSamples(geometry.x, geometry.y) : null
      if (isFirst && !window.matchMedia('(prefers-reduced-motion: reduce)').matches) {
        drawInStart = performance.now()
        progress = 0
      }
      isMarkDue = geometry !== undefined
      if (!keepsView) setView(FITTED_VIEW)
      refit()
    },
    setSpeedUnit(unit) {
      speedUnit = unit
      drawCursor()
    },
    getView: () => view,
    zoomBy: factor => void zoomAround(factor, width / 2, height / 2),
    resetView: () => setView(FITTED_VIEW),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    destroy() {
      for (const end of endings) end()
    },
  }
}

function draw(series: LapSeries): OutlineDrawing {
  const { preview, lap, role } = series
  const geometry = projectLap(preview.lat, preview.lon, preview.sessionTime, lap.row_start, lap.row_end)
  return {
    role,
    geometry,
    segments: pedalSegments(preview.throttle, preview.brake, lap.row_start, lap.row_end),
    startLine: findStartLine(series, geometry),
  }
}
