import type { OutlineBox } from './outline-box.ts'
import type { OutlineTransform } from './outline-geometry.ts'

/** Zoom and offset of the outline from its fitted state; immutable. */
export interface OutlineView {
  /** 1 is the fitted lap. */
  readonly zoom: number
  /** Pixels from the canvas's middle to the lap's middle. */
  readonly panX: number
  readonly panY: number
}

export const MIN_ZOOM = 0.6
export const MAX_ZOOM = 4
/** The factor of one press of a zoom button. */
export const ZOOM_STEP = 1.25

export const FITTED_VIEW: OutlineView = { zoom: 1, panX: 0, panY: 0 }

/** Zooms by `factor` around a point of the canvas, which stays in place. */
export function zoomOutline(
  view: OutlineView,
  factor: number,
  fit: OutlineTransform,
  pointX: number,
  pointY: number,
): OutlineView {
  const zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, view.zoom * factor))
  const ratio = zoom / view.zoom
  return {
    zoom,
    panX: (pointX - fit.middleX) * (1 - ratio) + view.panX * ratio,
    panY: (pointY - fit.middleY) * (1 - ratio) + view.panY * ratio,
  }
}

/** Moves by pixels. Keeps the lap's middle within half its drawn size of the canvas's middle. */
export function panOutline(
  view: OutlineView,
  byX: number,
  byY: number,
  extent: { readonly halfWidthPx: number; readonly halfHeightPx: number },
): OutlineView {
  const limitX = Math.max(40, extent.halfWidthPx * view.zoom)
  const limitY = Math.max(40, extent.halfHeightPx * view.zoom)
  return {
    zoom: view.zoom,
    panX: Math.min(limitX, Math.max(-limitX, view.panX + byX)),
    panY: Math.min(limitY, Math.max(-limitY, view.panY + byY)),
  }
}

/** The largest share of the canvas for a focused box, so that the road before and after it is visible. */
const FOCUS_SHARE = 0.75

/** Returns the view with a box in its middle, as large as it fits and the zoom allows. */
export function focusOutline(
  { minX, maxX, minY, maxY }: OutlineBox,
  fit: OutlineTransform,
  width: number,
  height: number,
): OutlineView {
  const fitting = Math.min(
    (FOCUS_SHARE * width) / ((maxX - minX) * fit.scale),
    (FOCUS_SHARE * height) / ((maxY - minY) * fit.scale),
  )
  const zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, fitting))
  const scale = fit.scale * zoom
  return { zoom, panX: (-scale * (minX + maxX)) / 2, panY: (-scale * (minY + maxY)) / 2 }
}

/** Applies the view to the fitted transform. */
export function viewedTransform(fit: OutlineTransform, view: OutlineView): OutlineTransform {
  return {
    scale: fit.scale * view.zoom,
    middleX: fit.middleX + view.panX,
    middleY: fit.middleY + view.panY,
  }
}

/** Formats a zoom: "1.0×". */
export function formatZoom(zoom: number): string {
  return `${zoom.toFixed(1)}×`
}
